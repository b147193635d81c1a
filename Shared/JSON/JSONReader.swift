/// Reads JSON: UTF-8, one value, no comments, a bounded depth; strictly, unless a ``Tolerance`` says otherwise.
///
/// Small, because Foundation's takes longer to load than the whole command to run.
public struct JSONReader {
    /// What is wrong and where.
    public struct Problem: Error, Sendable, Hashable {
        /// From 1.
        public var line: Int
        /// Completes "line 3: …".
        public var reason: String
    }

    /// Faults of others' writers whose meaning is certain all the same.
    public struct Tolerance: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Line ends and other control characters in strings, which are taken as they are.
        public static let controlCharacters = Tolerance(rawValue: 1)
        /// A comma behind the last value.
        public static let trailingCommas = Tolerance(rawValue: 2)
        /// A key twice, of which the last counts, as in ECMAScript's `JSON.parse`.
        public static let repeatedKeys = Tolerance(rawValue: 4)
        /// Half a surrogate pair, which is left out: where a text was cut within a character.
        public static let halfPairs = Tolerance(rawValue: 8)
        /// `\'` for an apostrophe.
        public static let escapedApostrophes = Tolerance(rawValue: 16)

        public static let all: Tolerance = [
            .controlCharacters, .trailingCommas, .repeatedKeys, .halfPairs, .escapedApostrophes,
        ]
    }

    private let bytes: [UInt8]
    private let tolerance: Tolerance
    private let levels: Int
    private var position = 0
    private var depth = 0

    private init(_ bytes: [UInt8], _ tolerance: Tolerance, _ levels: Int) {
        self.bytes = bytes
        self.tolerance = tolerance
        self.levels = levels
    }

    /// Reads one value that fills the text.
    ///
    /// - Parameters:
    ///   - tolerance: the faults that are let pass.
    ///   - levels: how deeply values may lie in each other; the reader calls itself for each.
    /// - Throws: the first thing that is wrong.
    public static func value(
        of bytes: [UInt8],
        tolerating tolerance: Tolerance = [],
        levels: Int = 32
    ) throws(Problem) -> JSONValue {
        var reader = JSONReader(bytes, tolerance, levels)
        guard String(validating: bytes, as: UTF8.self) != nil else { throw reader.problem("the file is not UTF-8") }
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.next == nil else { throw reader.problem("something follows the end") }
        return value
    }

    /// A value and the line on which it begins, from 1.
    public typealias Element = (line: Int, value: JSONValue)

    /// The elements of one array, or values one after the other, as lines of JSON are. A byte order mark is passed over.
    ///
    /// - Parameters: as of ``value(of:tolerating:levels:)``.
    /// - Throws: the first thing that is wrong.
    public static func elements(
        of bytes: [UInt8],
        tolerating tolerance: Tolerance = [],
        levels: Int = 32
    ) throws(Problem) -> [Element] {
        var reader = JSONReader(bytes, tolerance, levels)
        guard String(validating: bytes, as: UTF8.self) != nil else { throw reader.problem("the file is not UTF-8") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        let isArray = reader.take("[")
        var elements: [Element] = []
        var (line, counted) = (1, 0)
        reader.skipBlanks()
        while let byte = reader.next, !isArray || byte != UInt8(ascii: "]") {
            line += bytes[counted..<reader.position].count { $0 == 0x0A }
            counted = reader.position
            elements.append((line, try reader.value()))
            if isArray, !reader.take(",") { break }
            reader.skipBlanks()
            if isArray, reader.next == UInt8(ascii: "]"), !tolerance.contains(.trailingCommas) {
                throw reader.problem("no JSON value")
            }
        }
        if isArray, !reader.take("]") { throw reader.problem("a comma or ] is missing") }
        reader.skipBlanks()
        guard reader.next == nil else { throw reader.problem("something follows the end") }
        return elements
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func problem(_ reason: String) -> Problem {
        Problem(line: 1 + bytes.prefix(position).count { $0 == 0x0A }, reason: reason)
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(Problem) -> JSONValue {
        guard depth < levels else { throw problem("more than \(levels) levels") }
        depth += 1
        defer { depth -= 1 }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
        default:
            for (word, value) in [("true", JSONValue.boolean(true)), ("false", .boolean(false)), ("null", .null)]
            where bytes[position...].starts(with: word.utf8) {
                position += word.utf8.count
                return value
            }
            throw problem(next == nil ? "the file ends too early" : "no JSON value")
        }
    }

    private mutating func object() throws(Problem) -> JSONValue {
        _ = take("{")
        var members: [JSONValue.Member] = []
        var indices: [String: Int] = [:]
        if take("}") { return .object(members) }
        repeat {
            skipBlanks()
            if next == UInt8(ascii: "}"), tolerance.contains(.trailingCommas) { break }
            guard next == UInt8(ascii: "\"") else { throw problem("a key in quotes is missing") }
            let key = try string()
            if indices[key] != nil, !tolerance.contains(.repeatedKeys) {
                throw problem("the key '\(key)' is there twice")
            }
            guard take(":") else { throw problem("a colon is missing after the key '\(key)'") }
            let member = JSONValue.Member(key: key, value: try value())
            if let index = indices[key] {
                members[index] = member
            } else {
                indices[key] = members.count
                members.append(member)
            }
        } while take(",")
        guard take("}") else { throw problem("a comma or } is missing") }
        return .object(members)
    }

    private mutating func array() throws(Problem) -> JSONValue {
        _ = take("[")
        var values: [JSONValue] = []
        if take("]") { return .array(values) }
        repeat {
            skipBlanks()
            if next == UInt8(ascii: "]"), tolerance.contains(.trailingCommas) { break }
            values.append(try value())
        } while take(",")
        guard take("]") else { throw problem("a comma or ] is missing") }
        return .array(values)
    }

    private mutating func number() throws(Problem) -> JSONValue {
        let start = position
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { 0x30...0x39 ~= $0 } ?? false }
        if next == UInt8(ascii: "-") { position += 1 }
        let leadsWithZero = next == UInt8(ascii: "0")
        let digits = position
        while isDigit(next) { position += 1 }
        guard position > digits, !leadsWithZero || position == digits + 1 else { throw problem("no JSON number") }
        if next == UInt8(ascii: ".") {
            position += 1
            guard isDigit(next) else { throw problem("no JSON number") }
            while isDigit(next) { position += 1 }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            guard isDigit(next) else { throw problem("no JSON number") }
            while isDigit(next) { position += 1 }
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func string() throws(Problem) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                text += try escape().utf8
            case 0..<0x20 where !tolerance.contains(.controlCharacters):
                throw problem("a control character stands in a string")
            default:
                // As far as nothing is to be done: pictures are long strings.
                var end = position + 1
                while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\"),
                    bytes[end] >= 0x20
                {
                    end += 1
                }
                text += bytes[position..<end]
                position = end
            }
        }
        throw problem("a string does not end")
    }

    private mutating func escape() throws(Problem) -> String {
        guard let byte = next else { throw problem("a string does not end") }
        position += 1
        switch Unicode.Scalar(byte) {
        case "\"": return "\""
        case "\\": return "\\"
        case "/": return "/"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "'" where tolerance.contains(.escapedApostrophes): return "'"
        case "u": return try escapedScalar()
        default: throw problem("an unknown escape stands in a string")
        }
    }

    private mutating func escapedScalar() throws(Problem) -> String {
        var units = [try codeUnit()]
        if 0xD800..<0xDC00 ~= units[0], bytes[position...].starts(with: "\\u".utf8) {
            let start = position
            position += 2
            units.append(try codeUnit())
            if String(validating: units, as: UTF16.self) == nil {
                // Another character's escape: it is read on its own.
                position = start
                units.removeLast()
            }
        }
        if let text = String(validating: units, as: UTF16.self) { return text }
        guard tolerance.contains(.halfPairs) else { throw problem("half a surrogate pair") }
        return ""
    }

    private mutating func codeUnit() throws(Problem) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw problem("\\u needs four digits") }
        position += 4
        return unit
    }
}
