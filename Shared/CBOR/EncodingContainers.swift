// The containers of `Codable`, each no more than a place in the shared state: `level` counts the containers around it,
// `start` is the offset of its own head. The generic `encode` stands for all fourteen overloads of each protocol.

/// The encoder of one item.
struct ItemEncoder: Encoder {
    let state: EncodingState
    let level: Int
    let start: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        state.open(5, level: level, start: start)
        return KeyedEncodingContainer(MapEncoder(state: state, level: level, start: start))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        state.open(4, level: level, start: start)
        return ArrayEncoder(state: state, level: level, start: start)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ItemEncoder: SingleValueEncodingContainer {
    func encodeNil() throws {
        try state.single(level: level, start: start)
        state.writer.null()
    }

    @inline(__always)
    func encode<T: Encodable>(_ value: T) throws {
        try state.single(level: level, start: start)
        try state.encode(value, level: level)
    }
}

struct MapEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let state: EncodingState
    let level: Int
    let start: Int

    var codingPath: [any CodingKey] { [] }

    @inline(__always)
    private func key(_ name: String) throws(CBORError) {
        try state.next(level: level, start: start)
        state.writer.text(name)
    }

    func encodeNil(forKey key: Key) throws {
        try self.key(key.stringValue)
        state.writer.null()
    }

    @inline(__always)
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try self.key(key.stringValue)
        do {
            try state.encode(value, level: level + 1)
        } catch {
            throw CBORError(error).under(key: key.stringValue)
        }
    }

    /// An encoder for the value of `key`, which is an empty map until something is encoded.
    private func item(_ key: String) -> ItemEncoder {
        do {
            try self.key(key)
        } catch {
            state.fail(error)
        }
        return ItemEncoder(state: state, level: level + 1, start: state.writer.count)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        item(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        item(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { superEncoder("super") }
    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key.stringValue) }

    private func superEncoder(_ key: String) -> any Encoder {
        let item = item(key)
        state.open(5, level: item.level, start: item.start)
        return item
    }
}

struct ArrayEncoder: UnkeyedEncodingContainer {
    let state: EncodingState
    let level: Int
    let start: Int

    var codingPath: [any CodingKey] { [] }
    var count: Int { level < state.frames.count ? state.frames[level].count : 0 }

    func encodeNil() throws {
        try state.next(level: level, start: start)
        state.writer.null()
    }

    @inline(__always)
    func encode<T: Encodable>(_ value: T) throws {
        let index = count
        try state.next(level: level, start: start)
        do {
            try state.encode(value, level: level + 1)
        } catch {
            throw CBORError(error).under(index: index)
        }
    }

    private func item() -> ItemEncoder {
        do {
            try state.next(level: level, start: start)
        } catch {
            state.fail(error)
        }
        return ItemEncoder(state: state, level: level + 1, start: state.writer.count)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        item().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { item().unkeyedContainer() }

    func superEncoder() -> any Encoder {
        let item = item()
        state.open(5, level: item.level, start: item.start)
        return item
    }
}
