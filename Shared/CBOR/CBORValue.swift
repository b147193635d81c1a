/// Any item of RFC 8949 as a tree: for tools, tests and bytes of unknown shape.
///
/// Two values are equal if they encode to the same bytes. So each NaN equals every other, 0.0 and −0.0 differ, as do
/// texts that only look alike, and maps whose pairs come in another order.
public enum CBORValue: Sendable {
    /// 0 … 2⁶⁴ − 1.
    case unsigned(UInt64)
    /// −1 − n.
    case negative(UInt64)
    /// A byte string, its chunks joined.
    case bytes([UInt8])
    /// A text string, its chunks joined.
    case text(String)
    /// An array, definite or not.
    case array([CBORValue])
    /// A map in the order of its pairs.
    case map([Pair])
    /// A tag's number and its content.
    indirect case tagged(UInt64, CBORValue)
    /// A simple value without a name: 0 … 19 and 32 … 255.
    case simple(UInt8)
    /// True or false.
    case bool(Bool)
    /// Simple value 22.
    case null
    /// Simple value 23.
    case undefined
    /// A float of any width.
    case double(Double)

    /// A key and its value.
    public struct Pair: Hashable, Sendable {
        public var key: CBORValue
        public var value: CBORValue

        public init(_ key: CBORValue, _ value: CBORValue) {
            self.key = key
            self.value = value
        }
    }

    /// The value of a text key, compared as bytes; nil for an absent key, and for whatever is not a map.
    public subscript(key: String) -> CBORValue? {
        guard case .map(let pairs) = self else { return nil }
        return pairs.first { pair in
            guard case .text(let text) = pair.key else { return false }
            return text.utf8.elementsEqual(key.utf8)
        }?.value
    }
}

extension CBORValue: Hashable {
    public static func == (left: CBORValue, right: CBORValue) -> Bool { left.encoded() == right.encoded() }
    public func hash(into hasher: inout Hasher) { hasher.combine(encoded()) }
}

extension CBORValue: CBORDirect {
    public func encode(into writer: inout CBORWriter) {
        switch self {
        case .unsigned(let value): writer.unsigned(value)
        case .negative(let magnitude): writer.negative(magnitude)
        case .bytes(let bytes): writer.byteString(bytes)
        case .text(let text): writer.text(text)
        case .array(let items):
            writer.arrayHead(items.count)
            for item in items { item.encode(into: &writer) }
        case .map(let pairs):
            writer.mapHead(pairs.count)
            for pair in pairs {
                pair.key.encode(into: &writer)
                pair.value.encode(into: &writer)
            }
        case .tagged(let tag, let content):
            writer.tag(tag)
            content.encode(into: &writer)
        case .simple(let value): writer.simple(value)
        case .bool(let value): writer.bool(value)
        case .null: writer.null()
        case .undefined: writer.undefined()
        case .double(let value): writer.double(value)
        }
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        if let tag = try reader.tag() {
            self = .tagged(tag, try CBORValue(from: &reader))
            return
        }
        var ahead = reader.position
        let head = try reader.bytes.head(at: &ahead)
        switch head.major {
        case 0, 1:
            reader.offset = ahead
            self = CBORValue(integer: head)
        case 2: self = .bytes(try reader.byteString())
        case 3: self = .text(try reader.text())
        case 4:
            var items: [CBORValue] = []
            for _ in 0..<(try reader.arrayHead()) { items.append(try CBORValue(from: &reader)) }
            self = .array(items)
        case 5:
            var pairs: [Pair] = []
            for _ in 0..<(try reader.mapHead()) {
                let key = try CBORValue(from: &reader)
                pairs.append(Pair(key, try CBORValue(from: &reader)))
            }
            self = .map(pairs)
        default:
            reader.offset = ahead
            self = CBORValue(simple: head)
        }
    }

    /// The value of a head of major type 0 or 1.
    @usableFromInline
    init(integer head: Head) { self = head.major == 0 ? .unsigned(head.argument) : .negative(head.argument) }

    private init(simple head: Head) {
        switch head.info {
        case 20, 21: self = .bool(head.info == 21)
        case 22: self = .null
        case 23: self = .undefined
        case 25, 26, 27: self = .double(head.double)
        default: self = .simple(UInt8(truncatingIfNeeded: head.argument))
        }
    }

    /// The encoding of the value as a key: maps inside it are sorted, since their order does not tell them apart.
    var canonicalBytes: [UInt8] { sorted.encoded() }

    private var sorted: CBORValue {
        switch self {
        case .array(let items): .array(items.map(\.sorted))
        case .tagged(let tag, let content): .tagged(tag, content.sorted)
        case .map(let pairs):
            .map(
                // Each key once: twice in each of nested keys would be two to the power of their depth.
                pairs.map { Pair($0.key.sorted, $0.value.sorted) }
                    .map { ($0, $0.key.encoded()) }
                    .sorted { $0.1.lexicographicallyPrecedes($1.1) }
                    .map(\.0)
            )
        default: self
        }
    }
}

extension CBORValue: CustomStringConvertible {
    /// Diagnostic notation (RFC 8949, section 8); bignums of up to 16 bytes are written as numbers.
    public var description: String {
        switch self {
        case .unsigned(let value): "\(value)"
        case .negative(let magnitude): "-\(UInt128(magnitude) + 1)"
        case .bytes(let bytes): "h'\(Self.hex(bytes))'"
        case .text(let text): Self.quoted(text)
        case .array(let items): "[\(items.map(\.description).joined(separator: ", "))]"
        case .map(let pairs): "{\(pairs.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
        case .tagged(2, .bytes(let bytes)) where bytes.count < 16: "\(Self.number(bytes))"
        case .tagged(3, .bytes(let bytes)) where bytes.count < 16: "-\(Self.number(bytes) + 1)"
        case .tagged(let tag, let content): "\(tag)(\(content))"
        case .simple(let value): "simple(\(value))"
        case .bool(let value): "\(value)"
        case .null: "null"
        case .undefined: "undefined"
        case .double(let value):
            value.isNaN ? "NaN" : value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : "\(value)"
        }
    }

    private static func number(_ bytes: [UInt8]) -> UInt128 { bytes.reduce(0) { $0 << 8 | UInt128($1) } }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\u{0}"..."\u{1f}":
                result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
