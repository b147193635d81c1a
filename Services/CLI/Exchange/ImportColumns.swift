import Messages
import Text

/// What a column of a file may be.
struct ImportTarget: Sendable {
    enum Kind: Sendable {
        case text
        /// An amount, whose decimal mark is that of its whole column.
        case money
        /// Another number of such a mark.
        case decimal
        /// A list within a record, which only JSON has under its own name.
        case list
    }

    /// The field's name.
    var name: String
    /// What people may call it too.
    var titles: [String]
    var kind: Kind

    /// The column of the currency of an amount.
    var currencyName: String { "\(name)_currency" }

    func isCalled(_ header: String) -> Bool {
        let folded = TextNormalizer.folded(TextNormalizer.trimmedNormalized(header))
        return ([name] + titles).contains { TextNormalizer.folded($0) == folded }
    }
}

/// Which column of a file is which field: as `--map` says, otherwise by name, case and accents aside.
struct ImportColumns: Sendable {
    /// Of the fields that the file has.
    private(set) var columns: [ImportColumn] = []
    /// The file's columns that are no field.
    private(set) var unknown: [String] = []

    /// - Parameters:
    ///   - headers: the file's columns.
    ///   - map: fields by columns of the file.
    ///   - targets: what fields there are.
    /// - Throws: ``CLIError/failure(_:)`` for a map to what isn't there, and for two columns of one field.
    init(_ headers: [String], map: [ColumnMapping], targets: [ImportTarget], file: String) throws(CLIError) {
        for mapping in map {
            guard headers.contains(mapping.column) else {
                let hint = Suggestion.nearest(to: mapping.column, among: headers).map { " Did you mean \(quoted($0))?" }
                throw .failure(
                    "--map: \(file) has no column \(quoted(mapping.column))."
                        + (hint ?? " It has \(Self.list(headers)).")
                )
            }
            guard targets.contains(where: { $0.name == mapping.field }) else {
                throw .failure(
                    "--map: there is no field \(quoted(mapping.field)): write one of "
                        + targets.map(\.name).joined(separator: ", ") + "."
                )
            }
        }
        for (index, header) in headers.enumerated() {
            let mapped = map.first { $0.column == header }?.field
            let named = targets.first { target in
                target.isCalled(header) && !map.contains { $0.field == target.name }
            }
            guard let name = mapped ?? named?.name else {
                unknown.append(header)
                continue
            }
            if let first = columns.first(where: { $0.name == name }) {
                throw .failure(
                    "\(file): the columns \(quoted(first.title)) and \(quoted(header)) are both \(name): "
                        + "say which one by --map '\(header)=\(name)', or rename one."
                )
            }
            columns.append(ImportColumn(name: name, title: header, index: index))
        }
    }

    static func list(_ names: [String]) -> String {
        let shown = names.prefix(12).map { quoted($0) }.joined(separator: ", ")
        return names.count > 12 ? shown + ", …" : shown
    }
}

/// `--map 'Kunde=name'`.
struct ColumnMapping: Sendable, Hashable {
    /// As in the file.
    var column: String
    var field: String

    /// - Parameter text: the column's name, the last equals sign, the field's name.
    init?(_ text: String) {
        guard let mark = text.utf8.lastIndex(of: UInt8(ascii: "=")), mark > text.startIndex else { return nil }
        column = String(text[..<mark])
        field = String(text[text.utf8.index(after: mark)...])
        if field.isEmpty { return nil }
    }
}
