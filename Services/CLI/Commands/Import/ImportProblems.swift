import CSV
import Text

/// What is wrong with files that are to be imported.
struct ImportProblems: Sendable {
    /// How many are listed; the rest is only counted.
    static let listed = 20
    /// How many are kept, to be listed by file and line.
    private static let kept = 10_000

    private var problems: [(file: Int, line: Int, sentence: String)] = []
    private var files: [String] = []
    private(set) var count = 0

    /// - Parameter line: 0 for what concerns the file as a whole.
    mutating func add(file: String, line: Int = 0, _ sentence: String) {
        count += 1
        guard problems.count < Self.kept else { return }
        if !files.contains(file) { files.append(file) }
        problems.append((files.firstIndex(of: file) ?? 0, line, "\(file)\(sentence)"))
    }

    /// A field that can't be right: `orders.csv, line 3, column 3 (date), '2024-13-01': There is no month 13: ...`
    mutating func add(_ row: ImportRow, _ column: String, _ reason: String) {
        let value = row[column]
        let found = value.isEmpty ? "" : ", \(quoted(clipped(value)))"
        add(file: row.file, line: row.line, ", line \(row.line), \(row.place(of: column))\(found): \(reason)")
    }

    mutating func add(_ error: CSVError, in file: String) {
        let sentence = TerminalText.escapedForTerminal(error.description)
        let isPlace = error.line != nil
        let text = isPlace ? ", \(sentence.prefix(1).lowercased())\(sentence.dropFirst())" : ": \(sentence)"
        add(file: file, line: error.line ?? 0, text)
    }

    /// By file and line.
    var sentences: [String] {
        problems.enumerated()
            .sorted { ($0.element.file, $0.element.line, $0.offset) < ($1.element.file, $1.element.line, $1.offset) }
            .prefix(Self.listed)
            .map(\.element.sentence)
    }

    /// All of them as one error; nil where there is none.
    var error: CLIError? {
        guard count > 0 else { return nil }
        let head = count == 1 ? "Nothing was imported:" : "Nothing was imported: there are \(count) problems."
        let more = count - min(count, Self.listed)
        let end = more > 0 ? ["and \(more) more"] : []
        return .failure(([head] + (sentences + end).map { "  \($0)" }).joined(separator: "\n"))
    }

    private func clipped(_ text: String) -> String { text.count > 40 ? text.prefix(40) + "…" : text }
}

extension CSVError {
    /// Where it is; nil for what concerns the file as a whole.
    fileprivate var line: Int? {
        switch self {
        case .notUTF8(let line, _, _), .unterminatedQuote(let line, _), .textAfterQuote(let line, _),
            .fieldTooLong(let line, _, _), .recordTooLong(let line, _), .tooManyColumns(let line, _),
            .ragged(let line, _, _):
            line
        case .encoding, .noHeader, .duplicateColumn, .missingColumn: nil
        }
    }
}

/// A row of a file: its texts by the fields that the columns are.
struct ImportRow: Sendable {
    let file: String
    /// On which it begins, from 1.
    let line: Int
    /// Which of the file's records it is part of, where the file says so itself.
    let record: Int?
    /// Which item of a list within the record it is, from 1; nil where it is none, or the file has lines for that.
    let item: Int?
    private let header: ImportHeader
    private let values: [String]

    /// - Parameter values: one for each column; empty where there is nothing.
    init(file: String, line: Int, header: ImportHeader, values: [String], record: Int? = nil, item: Int? = nil) {
        self.file = file
        self.line = line
        self.header = header
        self.values = values
        self.record = record
        self.item = item
    }

    /// A row of CSV.
    ///
    /// - Parameter text: what a cell's text stands for.
    init(_ row: CSVRow, file: String, header: ImportHeader, text: (String) -> String) {
        self.init(
            file: file,
            line: row.line,
            header: header,
            values: header.columns.map { text(row[$0.index ?? 0]) }
        )
    }

    /// The text of a column that was asked for.
    subscript(name: String) -> String { header.index(of: name).map { values[$0] } ?? "" }

    /// Whether the file has the column.
    func has(_ name: String) -> Bool { header.index(of: name) != nil }

    /// What the file calls the column; the field's name where it has none.
    func title(of name: String) -> String { header.index(of: name).map { header.columns[$0].title } ?? name }

    /// Where a value stands: `column 3 (Datum)`.
    func place(of name: String) -> String {
        guard let index = header.index(of: name) else { return "column \(name)" }
        let column = header.columns[index]
        let title = CellText.escaped(TextNormalizer.trimmedNormalized(column.title))
        if let index = column.index { return "column \(index + 1) (\(title))" }
        return "column \(title)" + (item.map { ", item \($0)" } ?? "")
    }
}

/// The columns that are read of a file.
struct ImportHeader: Sendable {
    let columns: [ImportColumn]
    private let indices: [String: Int]

    init(_ columns: [ImportColumn]) {
        self.columns = columns
        indices = Dictionary(columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The place of a field among ``columns``.
    func index(of name: String) -> Int? { indices[name] }
}

/// A column that is read.
struct ImportColumn: Sendable {
    /// The field that it is.
    var name: String
    /// What the file calls it.
    var title: String
    /// From 0; nil in a file whose columns have no order.
    var index: Int?
}
