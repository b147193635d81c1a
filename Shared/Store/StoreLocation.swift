/// Where a store lies.
public enum StoreLocation: Sendable, Hashable {
    /// A SQLite file.
    case file(String)
    /// A schema on a PostgreSQL server, by libpq's connection string; some of its files lie beside a path.
    case server(String, schema: String, filesBeside: String)

    /// A connection that only reads, for another thread. With a file it can't write at all; with a server it can write into
    /// temporary tables, which only it sees.
    public func reader() throws(StoreError) -> Session {
        switch self {
        case .file(let path):
            return try Store.reader(path: path)
        case .server(let server, let schema, let path):
            let connection = try PostgreSQLConnection(
                server,
                schema: schema,
                application: "daybook-\(schema) reader",
                writes: false
            )
            return Session(path: path, server: connection)
        }
    }
}
