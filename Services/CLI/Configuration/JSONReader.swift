/// A JSON value (RFC 8259); an object keeps the order of its keys.
indirect enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// As it was written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Sendable, Hashable {
        var key: String
        var value: JSONValue
    }

    /// The member of an object; nil for other keys and other values.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

/// Reads JSON strictly: UTF-8, one value, no comments, no key twice, at most 32 levels.
///
/// Small, because Foundation's takes longer to load than the whole command to run.
struct JSONReader {
    /// What is wrong and where.
    struct Problem: Error, Sendable, Hashable {
        /// From 1.
        var line: Int
        /// Completes "line 3: …".
        var reason: String
    }

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads one value that fills the text.
    static func value(of bytes: [UInt8]) throws(Problem) -> JSONValue {
        var reader = JSONReader(bytes)
        guard String(validating: bytes, as: UTF8.self) != nil else { throw reader.problem("the file is not UTF-8") }
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.next == nil else { throw reader.problem("something follows the end") }
        return value
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
        guard depth < 32 else { throw problem("more than 32 levels") }
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
        if take("}") { return .object(members) }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw problem("a key in quotes is missing") }
            let key = try string()
            guard !members.contains(where: { $0.key == key }) else { throw problem("the key '\(key)' is there twice") }
            guard take(":") else { throw problem("a colon is missing after the key '\(key)'") }
            members.append(JSONValue.Member(key: key, value: try value()))
        } while take(",")
        guard take("}") else { throw problem("a comma or } is missing") }
        return .object(members)
    }

    private mutating func array() throws(Problem) -> JSONValue {
        _ = take("[")
        var values: [JSONValue] = []
        if take("]") { return .array(values) }
        repeat { values.append(try value()) } while take(",")
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
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += try escape().utf8
            case 0..<0x20: throw problem("a control character stands in a string")
            default: text.append(byte)
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
        case "u":
            var units = [try codeUnit()]
            if 0xD800..<0xDC00 ~= units[0], bytes[position...].starts(with: "\\u".utf8) {
                position += 2
                units.append(try codeUnit())
            }
            guard let text = String(validating: units, as: UTF16.self) else { throw problem("half a surrogate pair") }
            return text
        default: throw problem("an unknown escape stands in a string")
        }
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
