import Glibc
import Messages
import Support
import Testing

@testable import Store

/// A folder of a test's own, removed with it.
final class Scratch {
    private let folder: ScratchFolder
    var path: String { folder.path }

    init() throws {
        folder = try ScratchFolder()
    }

    static let schema = Migration(
        """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE item (id BLOB PRIMARY KEY, name TEXT UNIQUE, amount INTEGER) STRICT;
        """
    )

    func store(name: String = "shop", migrations: [Migration] = [Scratch.schema]) throws(StoreError) -> Store {
        try Store(path: "\(path)/\(name).db", name: name, migrations: migrations)
    }
}
