/// A JSON value (RFC 8259); an object keeps the order of its keys.
public indirect enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// As it was written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A key and its value.
    public struct Member: Sendable, Hashable {
        public var key: String
        public var value: JSONValue

        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The member of an object; nil for other keys and other values.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init(stringLiteral value: String) { self = .string(value) }

    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(key: $0, value: $1) })
    }
}
