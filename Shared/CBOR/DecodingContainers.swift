// The containers of `Codable`, each no more than a position in the shared state. The generic `decode` stands for all
// fourteen overloads of each protocol.

/// The decoder of one item.
struct ItemDecoder: Decoder {
    let state: DecodingState
    let position: Int
    /// How many items are around this one.
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try state.openMap(at: position, depth: depth)
        return KeyedDecodingContainer(MapDecoder(state: state, position: position, depth: depth))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        var reader = CBORReader(bytes: state.bytes, position: position)
        let items = try reader.arrayHead()
        return ArrayDecoder(state: state, items: items, position: reader.position, depth: depth)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ItemDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        var reader = CBORReader(bytes: state.bytes, position: position)
        guard (try? reader.null()) != nil else { return false }
        state.ended = (position, reader.position)
        return true
    }

    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try state.decode(type, at: position, depth: depth)
    }
}

struct MapDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let state: DecodingState
    let position: Int
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        var reader = CBORReader(bytes: state.bytes, position: position)
        var keys: [Key] = []
        for _ in 0..<((try? reader.mapHead()) ?? 0) {
            if let name = try? reader.text() {
                if let key = Key(stringValue: name) { keys.append(key) }
            } else {
                try? reader.skipItem()
            }
            try? reader.skipItem()
        }
        return keys
    }

    func contains(_ key: Key) -> Bool {
        ((try? state.find(key.stringValue, in: position, depth: depth)) ?? nil) != nil
    }

    private func value(of name: String) throws(CBORError) -> Int {
        guard let value = try state.find(name, in: position, depth: depth) else { throw .missingKey(path: name) }
        return value
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        let value = try value(of: key.stringValue)
        return CBORReader(bytes: state.bytes, position: value).isNull
    }

    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let value = try value(of: key.stringValue)
        do {
            let result = try state.decode(type, at: value, depth: depth + 1)
            try state.advance(past: value, in: position, depth: depth)
            return result
        } catch {
            throw CBORError(error).under(key: key.stringValue)
        }
    }

    private func item(_ name: String) throws(CBORError) -> ItemDecoder {
        ItemDecoder(state: state, position: try value(of: name), depth: depth + 1)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        do {
            return try item(key.stringValue).container(keyedBy: type)
        } catch {
            throw CBORError(error).under(key: key.stringValue)
        }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        do {
            return try item(key.stringValue).unkeyedContainer()
        } catch {
            throw CBORError(error).under(key: key.stringValue)
        }
    }

    func superDecoder() throws -> any Decoder { try item("super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { try item(key.stringValue) }
}

struct ArrayDecoder: UnkeyedDecodingContainer {
    let state: DecodingState
    let items: Int
    private(set) var currentIndex = 0
    private var position: Int
    private let depth: Int

    init(state: DecodingState, items: Int, position: Int, depth: Int) {
        self.state = state
        self.items = items
        self.position = position
        self.depth = depth
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { items }
    var isAtEnd: Bool { currentIndex >= items }

    private func item() throws(CBORError) -> ItemDecoder {
        guard !isAtEnd else {
            throw .typeMismatch(path: "[\(currentIndex)]", expected: "another element", found: "the array's end")
        }
        return ItemDecoder(state: state, position: position, depth: depth + 1)
    }

    private mutating func advance() throws(CBORError) {
        position = try state.end(of: position)
        currentIndex += 1
    }

    mutating func decodeNil() throws -> Bool {
        guard try item().decodeNil() else { return false }
        try advance()
        return true
    }

    /// Reads the next element with `body`, and moves past it if that succeeds.
    private mutating func element<R>(_ body: (ItemDecoder) throws -> R) throws -> R {
        let item = try item()
        do {
            let result = try body(item)
            try advance()
            return result
        } catch {
            throw CBORError(error).under(index: currentIndex)
        }
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try element { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try element { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try element { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try element { $0 } }
}
