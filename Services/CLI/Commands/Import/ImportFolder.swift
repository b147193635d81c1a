import CSV
import Messages
import Text

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
        let content = CSVContent(bytes)
        // Where the header is wrong, so are all rows.
        var columns: [ImportColumn] = []
        if let header = content.header {
            guard let found = self.columns(names, of: header, in: file) else { return nil }
            columns = found
        }
        for error in content.errors { problems.add(error, in: file) }
        guard content.isWhole else { return nil }
        let header = ImportHeader(columns)
        return content.rows.map {
            ImportRow($0, file: file, header: header, text: TextNormalizer.trimmedNormalized)
        }
    }

    /// The columns of these names; nil where one is missing.
    private mutating func columns(_ names: [String], of header: CSVHeader, in file: String) -> [ImportColumn]? {
        var columns: [ImportColumn] = []
        for name in names {
            if let index = header.index(of: name) {
                columns.append(ImportColumn(name: name, title: name, index: index))
            } else {
                let hint = Suggestion.nearest(to: name, among: header.names.filter { !names.contains($0) })
                let end =
                    hint.map { "rename \(quoted($0))?" } ?? "the first line has \(ImportColumns.list(header.names))."
                problems.add(file: file, line: 1, ", line 1: there is no column '\(name)'; \(end)")
            }
        }
        let unknown = header.names.filter { !names.contains($0) }
        if !unknown.isEmpty { notes.append("\(file): not imported: \(ImportColumns.list(unknown)).") }
        return columns.count == names.count ? columns : nil
    }
}
