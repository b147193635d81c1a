/// Why bytes were refused, or a value could not be written or read.
///
/// Offsets count bytes from the start of the decoded buffer. Paths are written `rows[2].sum`; the empty path is the
/// top value. Field values are told only where the text says so (`outOfRange`, `duplicateKey`).
public indirect enum CBORError: Error, Equatable, Sendable {
    /// The input ends inside an item, or a head declares more than the input holds.
    case truncated(offset: Int)
    /// Not well-formed CBOR (RFC 8949, appendix C).
    case malformed(offset: Int, reason: String)
    /// Well-formed, but outside the strict profile `.wire`.
    case notCanonical(offset: Int, reason: String)
    /// A map holds the key twice; a key that is not text is given in diagnostic notation.
    case duplicateKey(String)
    /// A text string is not UTF-8; the offset is that of its first byte.
    case invalidUTF8(offset: Int)
    /// Arrays, maps and tags are nested deeper than `maximum`.
    case tooDeep(maximum: Int)
    /// Bytes follow the item.
    case trailingBytes(offset: Int)
    /// An item of another kind than the reader asked for.
    case typeMismatch(path: String, expected: String, found: String)
    /// A key that the type requires is not in the map.
    case missingKey(path: String)
    /// A number that the type asked for cannot hold.
    case outOfRange(path: String, value: String, type: String)
    /// A type's own `init(from:)` or `encode(to:)` refused the value.
    case invalidValue(path: String, reason: String)
    /// A use of `Codable` that a streaming coder cannot serve.
    case unsupported(String)
}

extension CBORError {
    /// The same error, as seen from the map that holds `key`.
    ///
    /// Errors without a path are returned unchanged.
    public func under(key: String) -> CBORError {
        prefixed { path in
            path.isEmpty || path.utf8.first == UInt8(ascii: "[") ? key + path : "\(key).\(path)"
        }
    }

    /// The same error, as seen from the array that holds the element `index`.
    public func under(index: Int) -> CBORError {
        prefixed { path in
            path.isEmpty || path.utf8.first == UInt8(ascii: "[") ? "[\(index)]\(path)" : "[\(index)].\(path)"
        }
    }

    private func prefixed(_ prefix: (String) -> String) -> CBORError {
        switch self {
        case .typeMismatch(let path, let expected, let found):
            .typeMismatch(path: prefix(path), expected: expected, found: found)
        case .missingKey(let path): .missingKey(path: prefix(path))
        case .outOfRange(let path, let value, let type): .outOfRange(path: prefix(path), value: value, type: type)
        case .invalidValue(let path, let reason): .invalidValue(path: prefix(path), reason: reason)
        default: self
        }
    }
}

extension CBORError {
    /// Turns whatever a foreign `init(from:)` or `encode(to:)` threw into an error of this module.
    init(_ error: any Error) {
        switch error {
        case let error as CBORError: self = error
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            self = .typeMismatch(
                path: Self.path(context.codingPath),
                expected: "\(type)",
                found: context.debugDescription
            )
        case DecodingError.keyNotFound(let key, let context):
            self = .missingKey(path: Self.path(context.codingPath + [key]))
        case DecodingError.dataCorrupted(let context):
            self = .invalidValue(path: Self.path(context.codingPath), reason: context.debugDescription)
        case EncodingError.invalidValue(_, let context):
            self = .invalidValue(path: Self.path(context.codingPath), reason: context.debugDescription)
        default: self = .invalidValue(path: "", reason: "\(error)")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}

extension CBORError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .truncated(let offset): "The input ends too early, at byte \(offset)."
        case .malformed(let offset, let reason): "The bytes at \(offset) are not CBOR: \(reason)."
        case .notCanonical(let offset, let reason): "The bytes at \(offset) break the strict profile: \(reason)."
        case .duplicateKey(let key): "The key \(key) occurs twice in one map."
        case .invalidUTF8(let offset): "The text at byte \(offset) is not valid UTF-8."
        case .tooDeep(let maximum): "The nesting is deeper than \(maximum) levels."
        case .trailingBytes(let offset): "Bytes follow the item, from byte \(offset)."
        case .typeMismatch(let path, let expected, let found):
            "Expected \(expected)\(Self.place(path)), found \(found)."
        case .missingKey(let path): "The key \(path) is missing."
        case .outOfRange(let path, let value, let type): "\(value)\(Self.place(path)) does not fit \(type)."
        case .invalidValue(let path, let reason): "The value\(Self.place(path)) is not valid: \(reason)."
        case .unsupported(let reason): "Not supported: \(reason)."
        }
    }

    private static func place(_ path: String) -> String { path.isEmpty ? "" : " at \(path)" }
}
