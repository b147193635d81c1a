import CSV

/// A file of CSV, read to its end, with all that is wrong in it.
///
/// UTF-8 with or without a byte order mark, any line ends; commas, semicolons, tabs or bars between fields.
struct CSVContent {
    private(set) var header: CSVHeader?
    private(set) var rows: [CSVRow] = []
    private(set) var errors: [CSVError] = []
    /// Whether the rows are all there, those apart that are longer or shorter than the header.
    private(set) var isWhole = true

    /// - Parameter delimiter: nil for the one that it is most probably written with.
    init(_ bytes: [UInt8], delimiter: CSVDelimiter? = nil) {
        var reader = CSVRowReader(delimiter: delimiter ?? CSVDelimiter.detect(in: bytes) ?? .comma)
        reader.append(bytes)
        reader.finish()
        while isWhole {
            do throws(CSVError) {
                guard let row = try reader.next() else { break }
                rows.append(row)
            } catch {
                errors.append(error)
                // A row of another length is one problem; after any other the rest can't be told apart.
                if case .ragged = error { continue }
                isWhole = false
            }
        }
        header = reader.header
    }
}
