import Store

/// Brings the store at a path up to date, which takes a while, so that a test can kill it meanwhile.
@main
enum Main {
    static func main() throws {
        _ = try Store(path: CommandLine.arguments[1], name: "shop", migrations: LongMigration.migrations)
    }
}

enum LongMigration {
    /// The rows that the second version has more.
    static let rows = 200_000

    static let migrations = [
        Migration(
            """
            CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
            CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT) STRICT;
            """
        ),
        Migration(
            """
            ALTER TABLE item ADD COLUMN note TEXT;
            UPDATE item SET note = upper(name), name = NULL;
            CREATE TABLE more (id INTEGER PRIMARY KEY, name TEXT) STRICT;
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT \(rows))
            INSERT INTO more SELECT n, 'row ' || n FROM number;
            """
        ),
    ]
}
