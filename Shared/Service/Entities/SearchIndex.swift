internal import Messages
internal import Store
internal import Text

/// The full-text index of a table: an FTS5 table over its column `searched`, which holds each row's words.
///
/// The words are made by `SearchWords`, so that a live list finds the same rows without SQLite; the tokenizer `ascii`
/// only parts them at the blanks between. Whoever writes the table keeps the index equal to the column: triggers can't,
/// for the stores don't trust their schema. See https://www.sqlite.org/fts5.html, section 4.4.3 (external content).
struct SearchIndex: Sendable {
    /// The columns that an indexed table has beside its own. An explicit key, because VACUUM gives rows other numbers
    /// otherwise.
    static let columns = "search_id INTEGER PRIMARY KEY,\n    searched TEXT NOT NULL"

    let table: String
    let name: String
    /// The statements that are run often, made once.
    private let former, remove, add: String

    init(table: String) {
        self.table = table
        name = "\(table)_search"
        former = "SELECT search_id, searched FROM \"\(table)\" WHERE id = $1"
        remove = "INSERT INTO \"\(name)\" (\"\(name)\", rowid, searched) VALUES ('delete', $1, $2)"
        // One row of values, not rows of a SELECT: for these SQLite would set a savepoint.
        add = """
            INSERT INTO "\(name)" (rowid, searched) VALUES ((SELECT search_id FROM "\(table)" WHERE id = $1), $2)
            """
    }

    /// The SQL that makes the index, in the database whose name and dot this is, or in the main one.
    ///
    /// Where words stand in a text is never asked for: `detail=none`, which makes the index a third as large.
    func schema(in database: String) -> String {
        """
        CREATE VIRTUAL TABLE \(database)"\(name)" USING fts5(
            searched, content="\(table)", content_rowid="search_id", tokenize="ascii", detail=none, columnsize=0
        );

        """
    }

    /// Has the index follow a row before the transaction is committed: once, however often the row is written in it, and
    /// outside of savepoints, at each of which FTS5 writes what it has.
    ///
    /// - Parameters:
    ///   - words: the row's; nil where it is deleted.
    ///   - isNew: whether the row was written as a new one; otherwise it is about to be written or deleted.
    func follow(_ id: Identifier, _ words: String?, isNew: Bool, _ session: Session) throws(StoreError) {
        let last = words.map { DeferredStatement(add, .id(id), .text($0)) }
        try session.beforeCommit(once: DeferralKey(table: name, id: id), last: last) { () throws(StoreError) in
            if isNew { return [] }
            let former = try session.first(former, .id(id)) { row in
                DeferredStatement(remove, .integer(row.integer(0)), .text(row.text(1)))
            }
            return former.map { [$0] } ?? []
        }
    }

    /// The statement that makes the index anew: of the former one nothing is left in it.
    var rebuild: String { "INSERT INTO \"\(name)\" (\"\(name)\") VALUES ('rebuild')" }

    /// A query for the `search_id` of the rows that match a parameter, an ``expression(_:)``.
    func matches(_ parameter: String, in database: String) -> String {
        "SELECT rowid FROM \(database)\"\(name)\" WHERE \"\(name)\" MATCH \(parameter)"
    }

    /// What the column `searched` holds of these texts: their words, each once.
    static func searched(_ texts: [String?]) -> String {
        words(texts).joined(separator: " ")
    }

    /// The words of the texts, each once.
    static func words(_ texts: [String?]) -> [String] {
        var words: [String] = []
        for case let text? in texts { words += SearchWords.words(of: text) }
        // Folded texts are NFC, so that this is the order of the words' bytes.
        words.sort()
        var unique: [String] = []
        for word in words where word != unique.last { unique.append(word) }
        return unique
    }

    /// The FTS5 expression for rows of which each of the words begins one. Words hold no quotation marks.
    static func expression(_ words: [String]) -> String {
        words.map { "\"\($0)\" *" }.joined(separator: " AND ")
    }
}
