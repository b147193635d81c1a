import CSV
import Messages

/// Reads the CSV files of a folder, and gathers what is wrong with them.
struct ImportFolder {
    let path: String
    private let contents: (String) throws(CLIError) -> [UInt8]?
    var problems = ImportProblems()
    /// Of all that was read.
    private(set) var hash = ContentHash()
    /// What was passed over, for people.
    private(set) var notes: [String] = []

    /// - Parameter contents: reads a file; nil where there is none.
    init(_ path: String, contents: @escaping (String) throws(CLIError) -> [UInt8]? = File.contents) {
        self.path = path
        self.contents = contents
    }

    /// The rows of a file; nil where it can't be read as a whole, which is a problem told.
    ///
    /// UTF-8 with or without a byte order mark, any line ends; commas, semicolons, tabs or bars between fields.
    ///
    /// - Throws: what reading the file throws.
    mutating func rows(of file: String, columns names: [String]) throws(CLIError) -> [ImportRow]? {
        guard let bytes = try contents("\(path)/\(file)") else {
            problems.add(file: file, " is missing in \(quoted(path)).")
            return nil
        }
        hash.add(file.utf8)
        hash.add(CollectionOfOne(0))
        hash.add(bytes)
        var reader = CSVRowReader(delimiter: CSVDelimiter.detect(in: bytes) ?? .comma)
        reader.append(bytes)
        reader.finish()
        var columns: [ImportColumn]?
        var rows: [ImportRow] = []
        while true {
            let result = Result { () throws(CSVError) in try reader.next() }
            if columns == nil, let header = reader.header {
                // Where the header is wrong, so are all rows.
                columns = self.columns(names, of: header, in: file)
                guard columns != nil else { return nil }
            }
            switch result {
            case .success(let row?): rows.append(ImportRow(row, file: file, columns: columns ?? []))
            case .success(nil): return rows
            case .failure(let error):
                problems.add(error, in: file)
                // A row of another length is one problem; after any other the rest can't be told apart.
                guard case .ragged = error else { return nil }
            }
        }
    }

    /// The columns of these names; nil where one is missing.
    private mutating func columns(_ names: [String], of header: CSVHeader, in file: String) -> [ImportColumn]? {
        var columns: [ImportColumn] = []
        for name in names {
            if let index = header.index(of: name) {
                columns.append(ImportColumn(name: name, index: index))
            } else {
                let hint = Suggestion.nearest(to: name, among: header.names.filter { !names.contains($0) })
                let end = hint.map { "rename \(quoted($0))?" } ?? "the first line has \(Self.list(header.names))."
                problems.add(file: file, line: 1, ", line 1: there is no column '\(name)'; \(end)")
            }
        }
        let unknown = header.names.filter { !names.contains($0) }
        if !unknown.isEmpty { notes.append("\(file): not imported: \(Self.list(unknown)).") }
        return columns.count == names.count ? columns : nil
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(12).map { quoted($0) }.joined(separator: ", ")
        return names.count > 12 ? shown + ", …" : shown
    }
}
