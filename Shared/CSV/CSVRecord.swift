/// One record: its fields, and the line on which it starts. All text is valid UTF-8.
///
/// A field costs nothing until it is asked for. Until then the record keeps the bytes it was read from in memory, the
/// whole chunk, so take the fields out of records that are kept for long.
public struct CSVRecord: Sendable {
    /// A field within the record's bytes, without its outer quotes.
    struct Field: Sendable {
        var start: UInt32
        var end: UInt32
        var isQuoted: Bool
        /// Whether there are doubled quotes inside.
        var isDoubled: Bool
    }

    /// The line on which the record starts, from 1.
    public let line: Int

    private let storage: [UInt8]
    private let start: Int
    private let fields: [Field]

    init(line: Int, storage: [UInt8], start: Int, fields: [Field]) {
        self.line = line
        self.storage = storage
        self.start = start
        self.fields = fields
    }

    /// Whether the field stood in quotes: `""` rather than nothing.
    ///
    /// - Parameter index: of the field, from 0, less than `count`.
    public func isQuoted(_ index: Int) -> Bool { fields[index].isQuoted }

    /// The bytes of the field as written, without the outer quotes, with doubled quotes left doubled. Not a copy.
    ///
    /// - Parameter index: of the field, from 0, less than `count`.
    public func raw(_ index: Int) -> ArraySlice<UInt8> {
        let field = fields[index]
        return storage[start + Int(field.start)..<start + Int(field.end)]
    }
}

extension CSVRecord: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { fields.count }

    /// The text of the field, doubled quotes made single. Makes a copy.
    ///
    /// - Parameter index: of the field, from 0, less than `count`.
    public subscript(index: Int) -> String {
        guard fields[index].isDoubled else { return String(decoding: raw(index), as: UTF8.self) }
        var bytes: [UInt8] = []
        var isSecond = false
        for byte in raw(index) {
            isSecond = byte == quote && !isSecond
            if !isSecond { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

let quote = UInt8(ascii: "\"")
let lineFeed = UInt8(ascii: "\n")
let carriageReturn = UInt8(ascii: "\r")
