/// The names in the first record.
public struct CSVHeader: Sendable, Hashable {
    /// In order of the columns, exactly as written.
    public let names: [String]

    private let indices: [String: Int]

    /// The names of a record.
    ///
    /// - Throws: ``CSVError/duplicateColumn(_:first:second:)``.
    public init(_ record: CSVRecord) throws(CSVError) {
        names = Array(record)
        var indices: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            if let first = indices.updateValue(index, forKey: name) {
                throw .duplicateColumn(name, first: first + 1, second: index + 1)
            }
        }
        self.indices = indices
    }

    /// The column of that name, from 0; `nil` when there is none. Look it up once, not for each row.
    public func index(of name: String) -> Int? { indices[name] }

    /// The column of that name, from 0.
    ///
    /// - Throws: ``CSVError/missingColumn(_:)``.
    public func requiredIndex(of name: String) throws(CSVError) -> Int {
        guard let index = indices[name] else { throw .missingColumn(name) }
        return index
    }
}

/// A record below a header: as many fields, found by column or by name.
public struct CSVRow: Sendable {
    public let header: CSVHeader
    public let record: CSVRecord

    /// The line on which the row starts, from 1.
    public var line: Int { record.line }

    /// The text in that column, from 0 and less than the number of names.
    public subscript(column: Int) -> String { record[column] }

    /// The text in the column of that name; `nil` when there is no such column.
    public subscript(name: String) -> String? { header.index(of: name).map { record[$0] } }

    /// All texts by the names of their columns.
    public var dictionary: [String: String] {
        Dictionary(zip(header.names, record)) { first, _ in first }
    }
}

/// Reads CSV whose first record names the columns. Chunks, memory and rules are those of ``CSVReader``.
public struct CSVRowReader: Sendable {
    /// The names, once enough bytes have come.
    public private(set) var header: CSVHeader?

    private var reader: CSVReader

    /// A reader that has no bytes yet.
    public init(delimiter: CSVDelimiter = .comma, limits: CSVLimits = CSVLimits()) {
        reader = CSVReader(delimiter: delimiter, limits: limits)
    }

    /// The header and all rows of `bytes`.
    ///
    /// - Throws: ``CSVError``.
    public static func rows(
        of bytes: [UInt8],
        delimiter: CSVDelimiter = .comma,
        limits: CSVLimits = CSVLimits()
    ) throws(CSVError) -> (header: CSVHeader, rows: [CSVRow]) {
        var reader = CSVRowReader(delimiter: delimiter, limits: limits)
        reader.append(bytes)
        reader.finish()
        var rows: [CSVRow] = []
        while let row = try reader.next() { rows.append(row) }
        guard let header = reader.header else { throw .noHeader }
        return (header, rows)
    }

    /// Hands over more bytes; see ``CSVReader/append(_:)``.
    public mutating func append(_ chunk: [UInt8]) {
        reader.append(chunk)
    }

    /// Says that no more bytes come.
    public mutating func finish() {
        reader.finish()
    }

    /// The next row; `nil` when more bytes are needed, or after ``finish()`` when there are no more.
    ///
    /// - Throws: ``CSVError``, also for duplicate names, for a row that is longer or shorter than the header, and for
    ///   bytes without any record.
    public mutating func next() throws(CSVError) -> CSVRow? {
        if header == nil {
            guard let record = try reader.next() else {
                if reader.isFinished { throw .noHeader }
                return nil
            }
            header = try CSVHeader(record)
        }
        guard let header, let record = try reader.next() else { return nil }
        guard record.count == header.names.count else {
            throw .ragged(line: record.line, found: record.count, expected: header.names.count)
        }
        return CSVRow(header: header, record: record)
    }
}
