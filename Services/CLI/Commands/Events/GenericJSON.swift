import CBOR
import Messages

/// Any CBOR value as JSON on one line, without knowing what it means (RFC 8949, section 6.1):
///
/// - integers and floats: numbers, integers with all their digits; NaN and the infinities: null
/// - text, booleans, null: as they are; undefined and simple values: null
/// - byte strings of 16 bytes, which are ids: a UUID's text; others: base64url without padding
/// - arrays and maps: in their order; a key that is not text: its JSON as text
/// - tagged values: what is tagged
///
/// So money is `{"amount":1250,"currency":"EUR"}` in minor units, an instant its microseconds since 1970, and a calendar
/// day text.
enum GenericJSON {
    static func text(_ value: CBORValue) -> String {
        switch value {
        case .unsigned(let value): "\(value)"
        case .negative(let magnitude): "-\(UInt128(magnitude) + 1)"
        case .bytes(let bytes): string(Identifier(bytes: bytes)?.description ?? base64url(bytes))
        case .text(let text): string(text)
        case .array(let items): "[" + items.map(text).joined(separator: ",") + "]"
        case .map(let pairs): object(pairs.map { (key($0.key), text($0.value)) })
        case .tagged(_, let content): text(content)
        case .bool(let value): value ? "true" : "false"
        case .double(let value): value.isFinite ? "\(value)" : "null"
        case .simple, .null, .undefined: "null"
        }
    }

    /// The item that these bytes are; null for bytes that are none.
    static func text(_ encoded: EncodedCBOR?) -> String {
        encoded.flatMap { try? $0.decode(CBORValue.self) }.map(text) ?? "null"
    }

    static func string(_ text: String) -> String {
        var json = JSONText(indentation: nil)
        json.string(text)
        return json.text
    }

    /// Members whose values are JSON already.
    static func object(_ members: [(key: String, value: String)]) -> String {
        "{" + members.map { "\(string($0.key)):\($0.value)" }.joined(separator: ",") + "}"
    }

    private static func key(_ value: CBORValue) -> String {
        if case .text(let text) = value { text } else { text(value) }
    }

    /// RFC 4648, section 5.
    static func base64url(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            bits <<= 8
            for index in 0...group.count { text.append(digits[bits >> (26 - 6 * index) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
