import Messages
import Support
import Testing

@testable import Store

/// What a store can lie on. Tests that take one say what holds for each.
enum Engine: String, CaseIterable, CustomTestStringConvertible {
    case sqlite, postgreSQL

    /// Those that there are here.
    static let available = allCases.filter { $0 == .sqlite || PostgreSQLServer.absence == nil }

    var testDescription: String { rawValue }
}

/// A store of a test's own, on one of the engines.
final class Place {
    let engine: Engine
    private let scratch: Scratch
    /// Of its database; nil for SQLite.
    let server: String?
    let database: String

    init(_ engine: Engine) async throws {
        self.engine = engine
        scratch = try Scratch()
        database = "test\(Identifier.make().description.filter(\.isHexDigit))"
        guard engine == .postgreSQL else {
            server = nil
            return
        }
        let running = try await PostgreSQLServer.shared.value
        try Place.administrate(running, "CREATE DATABASE \(database)")
        server = running.database(database)
    }

    static func administrate(_ server: PostgreSQLServer, _ sql: String) throws(StoreError) {
        let connection = try PostgreSQLConnection(
            server.administration,
            schema: "public",
            application: "test",
            writes: true
        )
        try connection.command(sql)
    }

    func store(name: String = "shop", migrations: [Migration] = [Scratch.schema]) throws(StoreError) -> Store {
        let path = "\(scratch.path)/\(name).db"
        guard let server else { return try Store(path: path, name: name, migrations: migrations) }
        return try Store(onServer: server, filesBeside: path, name: name, migrations: migrations)
    }
}

extension StoreLocation {
    /// A further connection that may write.
    func secondWriter() throws(StoreError) -> Session {
        switch self {
        case .file(let path): try Store.open(path, readOnly: false)
        case .server: try reader()
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// With PostgreSQL's server programs; without them the reason is told.
    static var onServers: Self {
        .enabled(if: PostgreSQLServer.absence == nil, Comment(rawValue: PostgreSQLServer.absence ?? ""))
    }
}

struct EngineTests {
    /// Where it isn't installed, this says so, and the others run on SQLite alone.
    @Test(.onServers)
    func postgreSQLIsAmongThem() {
        #expect(Engine.available == [.sqlite, .postgreSQL])
    }
}
