/// Reads RFC 4180 by bytes, chunk by chunk.
///
///     var reader = CSVReader()
///     reader.append(bytes)
///     reader.finish()
///     while let record = try reader.next() { print(record.line, record[0]) }
///
/// - Encoding: UTF-8, with or without a byte order mark; other marks and invalid bytes are refused.
/// - Line ends: LF, CR LF or a lone CR, mixed at will; within quotes they belong to the field as they stand.
/// - Lines without a byte are passed over. (An only column that is empty is written `""`.)
/// - A quote within a field that does not begin with one is an ordinary character.
/// - Blanks around a field belong to it.
///
/// Memory: the chunk, and a record that is not complete yet. Chunks may end anywhere, even within a character.
public struct CSVReader: Sendable {
    private var buffer: [UInt8] = []
    private var scan: CSVScan
    private var hasBegun = false
    private(set) var isFinished = false
    private var failure: CSVError?

    /// A reader that has no bytes yet.
    public init(delimiter: CSVDelimiter = .comma, limits: CSVLimits = CSVLimits()) {
        scan = CSVScan(delimiter: delimiter.rawValue, limits: limits)
    }

    /// All records of `bytes`.
    ///
    /// - Throws: ``CSVError``.
    public static func records(
        of bytes: [UInt8],
        delimiter: CSVDelimiter = .comma,
        limits: CSVLimits = CSVLimits()
    ) throws(CSVError) -> [CSVRecord] {
        var reader = CSVReader(delimiter: delimiter, limits: limits)
        reader.append(bytes)
        reader.finish()
        var records: [CSVRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    /// Hands over more bytes. Into an empty reader they move without a copy. Not after ``finish()``.
    public mutating func append(_ chunk: [UInt8]) {
        precondition(!isFinished, "bytes after the end")
        let consumed = scan.consumed
        if consumed == buffer.count {
            buffer = chunk
        } else {
            buffer.removeSubrange(..<consumed)
            buffer += chunk
        }
        scan.forget(consumed)
    }

    /// Says that no more bytes come, so the last record needs no line end.
    public mutating func finish() {
        isFinished = true
    }

    /// The next record; `nil` when more bytes are needed, or after ``finish()`` when there are no more.
    ///
    /// - Throws: ``CSVError``; then the same again at each call.
    public mutating func next() throws(CSVError) -> CSVRecord? {
        if let failure { throw failure }
        do throws(CSVError) {
            guard try begin() else { return nil }
            let storage = buffer
            guard try scan.advance(over: storage.span, isLast: isFinished) else { return nil }
            let fields = scan.takeFields()
            return CSVRecord(line: scan.recordLine, storage: storage, start: scan.recordStart, fields: fields)
        } catch {
            failure = error
            throw error
        }
    }

    /// Looks for a byte order mark as soon as there are bytes enough to tell.
    private mutating func begin() throws(CSVError) -> Bool {
        if hasBegun { return true }
        guard buffer.count >= 4 || isFinished else { return false }
        hasBegun = true
        let marks: [(bytes: [UInt8], encoding: String?)] = [
            ([0xef, 0xbb, 0xbf], nil), ([0xff, 0xfe, 0, 0], "UTF-32LE"), ([0, 0, 0xfe, 0xff], "UTF-32BE"),
            ([0xff, 0xfe], "UTF-16LE"), ([0xfe, 0xff], "UTF-16BE"),
        ]
        guard let mark = marks.first(where: { buffer.starts(with: $0.bytes) }) else { return true }
        if let encoding = mark.encoding { throw .encoding(encoding) }
        scan.skip(mark.bytes.count)
        return true
    }
}
