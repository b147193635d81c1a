import CBOR
import Foundation
import Testing

/// One entry of the published vectors, which lie in a folder beside the checkout.
struct Vector: Decodable {
    var hex: String
    var roundtrip: Bool?
    var decoded: JSON?
    var diagnostic: String?
    var why: String?

    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/data/cbor").standardized

    static let arePresent: Bool = {
        let found = FileManager.default.fileExists(atPath: folder.appending(path: "appendix_a.json").path)
        if !found { print("Skipped: the vectors are not in \(folder.path).") }
        return found
    }()

    static func load(_ name: String) throws -> [Vector] {
        try JSONDecoder().decode([Vector].self, from: try Data(contentsOf: folder.appending(path: name)))
    }
}

/// A JSON value; `JSONSerialization` tells neither booleans from numbers nor the last bit of a double.
enum JSON: Decodable {
    case null
    case bool(Bool)
    case text(String)
    case number(Double)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let array = try? value.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    /// Whether the item is this value; numbers beyond 2⁵³ are compared as the nearest double.
    func describes(_ value: CBORValue) -> Bool {
        switch (self, value) {
        case (.null, .null): true
        case (.bool(let mine), .bool(let other)): mine == other
        case (.text(let mine), .text(let other)): mine == other
        case (.number(let mine), .double(let other)): mine == other
        case (.number(let mine), _): mine == Double("\(value)")
        case (.array(let mine), .array(let other)):
            mine.count == other.count && zip(mine, other).allSatisfy { $0.describes($1) }
        case (.object(let mine), .map(let pairs)):
            mine.count == pairs.count
                && pairs.allSatisfy { pair in
                    switch pair.key {
                    case .text(let key): mine[key]?.describes(pair.value) ?? false
                    default: mine["\(pair.key)"]?.describes(pair.value) ?? false
                    }
                }
        default: false
        }
    }
}

func bytes(_ hex: String) -> [UInt8] {
    var digits = hex.filter { !$0.isWhitespace }[...]
    var bytes: [UInt8] = []
    while let byte = UInt8(digits.prefix(2), radix: 16) {
        bytes.append(byte)
        digits = digits.dropFirst(2)
    }
    return bytes
}

func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

/// What decoding threw, or nil.
func refusal(_ bytes: [UInt8], _ profile: CBORProfile = .wire, maximumDepth: Int = 32) -> CBORError? {
    do {
        _ = try CBORValue(decoding: bytes, profile: profile, maximumDepth: maximumDepth)
        return nil
    } catch {
        return error
    }
}
