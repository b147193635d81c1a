import Glibc
import Messages
import Testing

@testable import Store

/// A folder of a test's own, removed with it.
final class Scratch {
    let path: String

    init() throws {
        var template = Array("/tmp/daybook-store-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(cString: $0.bindMemory(to: CChar.self).baseAddress!)
            }
            unlink("\(path)/\(name)")
        }
        closedir(folder)
        rmdir(path)
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
