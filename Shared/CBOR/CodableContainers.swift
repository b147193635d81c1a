// Arrays, optionals and dictionaries of Codable elements: written and read here, since the standard library's own
// `encode(to:)` does not tell counts ahead, and orders dictionaries anew in each process.

/// Internal to the encoder: a container that is written without its own `encode(to:)`.
protocol EncodableContainer {
    func encode(with state: EncodingState, level: Int) throws
}

/// Internal to the decoder: a container that is read without its own `init(from:)`.
protocol DecodableContainer {
    init(item: ItemDecoder) throws
}

extension EncodableContainer {
    /// For generic code that has made sure that `T` is `Self`.
    static func encode<T>(_ value: T, with state: EncodingState, level: Int) throws {
        try unsafeBitCast(value, to: Self.self).encode(with: state, level: level)
    }
}

extension DecodableContainer {
    /// For generic code that has made sure that `T` is `Self`.
    static func decode<T>(_ type: T.Type, item: ItemDecoder) throws -> T {
        unsafeBitCast(try Self(item: item), to: T.self)
    }
}

extension Optional: EncodableContainer where Wrapped: Encodable {
    func encode(with state: EncodingState, level: Int) throws {
        if let self { try state.encode(self, level: level) } else { state.writer.null() }
    }
}

extension Optional: DecodableContainer where Wrapped: Decodable {
    init(item: ItemDecoder) throws {
        self = item.decodeNil() ? nil : try item.state.decode(Wrapped.self, at: item.position, depth: item.depth)
    }
}

extension Array: EncodableContainer where Element: Encodable {
    func encode(with state: EncodingState, level: Int) throws {
        try state.openArray(count: count, level: level)
        let shape = state.shape(of: Element.self)
        for (index, element) in enumerated() {
            do {
                try state.encode(element, as: shape, level: level + 1)
            } catch {
                throw CBORError(error).under(index: index)
            }
        }
        state.close(downTo: level)
    }
}

extension Array: DecodableContainer where Element: Decodable {
    init(item: ItemDecoder) throws {
        let state = item.state
        var reader = CBORReader(bytes: state.bytes, position: item.position)
        let count = try reader.arrayHead()
        var position = reader.position
        let shape = state.shape(of: Element.self)
        self = []
        reserveCapacity(Swift.min(count, 64))
        for index in 0..<count {
            do {
                append(try state.decode(Element.self, as: shape, at: position, depth: item.depth + 1))
            } catch {
                throw CBORError(error).under(index: index)
            }
            position = try state.end(of: position)
        }
        state.ended = (item.position, position)
    }
}

extension Dictionary: EncodableContainer where Key: CodingKeyRepresentable, Value: Encodable {
    func encode(with state: EncodingState, level: Int) throws {
        let pairs = map { (key: $0.codingKey.stringValue, value: $1) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        try state.openMap(count: pairs.count, level: level)
        let shape = state.shape(of: Value.self)
        for pair in pairs {
            state.writer.text(pair.key)
            do {
                try state.encode(pair.value, as: shape, level: level + 1)
            } catch {
                throw CBORError(error).under(key: pair.key)
            }
        }
        state.close(downTo: level)
    }
}

extension Dictionary: DecodableContainer where Key: CodingKeyRepresentable, Value: Decodable {
    /// - Throws: `.duplicateKey` also for two keys that differ in bytes but are one key to Swift, such as é in its
    ///   composed and decomposed form.
    init(item: ItemDecoder) throws {
        let state = item.state
        var reader = CBORReader(bytes: state.bytes, position: item.position)
        let count = try reader.mapHead()
        let shape = state.shape(of: Value.self)
        self = [:]
        for _ in 0..<count {
            let name = try reader.text()
            guard let key = Key(codingKey: TextKey(stringValue: name)) else {
                throw CBORError.typeMismatch(path: name, expected: "a key of \(Key.self)", found: "text")
            }
            do {
                let value = try state.decode(Value.self, as: shape, at: reader.position, depth: item.depth + 1)
                guard updateValue(value, forKey: key) == nil else { throw CBORError.duplicateKey(name) }
            } catch {
                throw CBORError(error).under(key: name)
            }
            reader.offset = try state.end(of: reader.position)
        }
        state.ended = (item.position, reader.position)
    }
}

/// The key of a dictionary: text, which may also be a number.
struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { stringValue = "\(intValue)" }
}
