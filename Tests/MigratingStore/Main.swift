import Store

/// Brings the store at a path up to date, by a migration that adds so many rows, so that a test can kill it meanwhile.
@main
enum Main {
    static func main() throws {
        let rows = Int(CommandLine.arguments[2]) ?? 0
        let migrations = [LongMigration.first, LongMigration.second(rows)]
        _ = try Store(path: CommandLine.arguments[1], name: "shop", migrations: migrations)
    }
}

enum LongMigration {
    static let first = Migration(
        """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT) STRICT;
        """
    )

    static func second(_ rows: Int) -> Migration {
        Migration(
            """
            ALTER TABLE item ADD COLUMN note TEXT;
            UPDATE item SET note = upper(name), name = NULL;
            CREATE TABLE more (id INTEGER PRIMARY KEY, name TEXT) STRICT;
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT \(rows))
            INSERT INTO more SELECT n, 'row ' || n FROM number;
            """
        )
    }
}
