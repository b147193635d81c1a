extension Store {
    /// The key in `meta` that says how many migrations a schema has had: in a file SQLite's header does.
    static let schemaKey = "schema"

    static func migrate(
        _ session: Session,
        _ server: PostgreSQLConnection,
        name: String,
        migrations: [Migration]
    ) throws(StoreError) {
        try session.begin()
        do throws(StoreError) {
            let version = try schema(on: server)
            guard version <= migrations.count else {
                throw .newer(path: server.place, found: version, known: migrations.count)
            }
            if version == 0 {
                try server.command(
                    """
                    CREATE SCHEMA IF NOT EXISTS \(PostgreSQLDialect.quoted(server.schema));
                    \(PostgreSQLDialect.functions)
                    """
                )
            } else {
                try checkOwner(of: session, name: name)
            }
            if version < migrations.count {
                for migration in migrations[version...] {
                    try session.executeScript(migration.script)
                }
                if version == 0 {
                    try session.execute("INSERT INTO meta (key, value) VALUES ('service', $1)", .text(name))
                }
                try session.execute(
                    """
                    INSERT INTO meta (key, value) VALUES ($1, $2)
                    ON CONFLICT (key) DO UPDATE SET value = excluded.value
                    """,
                    .text(schemaKey),
                    .text(String(migrations.count))
                )
            }
            try session.commit()
        } catch {
            try session.rollback()
            throw error
        }
    }

    /// How many migrations the schema has had; 0 where it is not there, or empty.
    ///
    /// - Throws: `.notOurs` where others' tables are in it.
    private static func schema(on server: PostgreSQLConnection) throws(StoreError) -> Int {
        let tables = """
            SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1
            """
        guard try server.integer(tables, [.text(server.schema)]) > 0 else { return 0 }
        let isOurs = try server.integer("\(tables) AND c.relname = 'meta'", [.text(server.schema)]) > 0
        let version = isOurs ? try server.text("SELECT value FROM meta WHERE key = $1", [.text(schemaKey)]) : ""
        guard let version = Int(version) else {
            throw .notOurs(path: server.place, reason: "it has tables, and no store's among them")
        }
        return version
    }
}
