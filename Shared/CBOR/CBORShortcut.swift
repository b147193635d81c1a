/// A `Codable` type with a shorter way besides, for the messages that are many.
///
/// `encode(into:)` writes the bytes that `Codable` would have written. `init(from:)` reads what `encode(into:)` writes,
/// keys in the same order and no others; whatever else it meets it may give up with any error: the decoder then goes the
/// way of `Codable`, which decides what is read and words what is wrong. So both ways accept and refuse the same. It reads
/// bytes that were not validated as a whole, by a reader that checks what it reads; so no such type may be within itself, or
/// nest deeper than 16.
///
///     func encode(into writer: inout CBORWriter) {
///         var map = writer.openMap()
///         writer.required("id", id, &map)
///         writer.optional("note", note, &map)
///         writer.close(map)
///     }
///
///     init(from reader: inout CBORReader) throws(CBORError) {
///         var map = try reader.openMap()
///         id = try reader.required("id", &map)
///         note = try reader.optional("note", &map)
///         try reader.close(map)
///     }
public protocol CBORShortcut: CBORDirect, Codable {}

extension CBORShortcut {
    /// Reads the one item that fills `bytes`.
    public init(decoding bytes: [UInt8], profile: CBORProfile = .wire, maximumDepth: Int = 32) throws(CBORError) {
        self = try CBORDecoder(profile: profile, maximumDepth: maximumDepth).decode(Self.self, from: bytes)
    }
}

extension CBORWriter {
    /// A map that is being written: its head is one byte until it is closed.
    public struct OpenMap {
        @usableFromInline let start: Int
        @usableFromInline var count = 0

        @inlinable
        init(start: Int) { self.start = start }
    }

    /// Begins a map whose pairs are counted.
    @inlinable
    public mutating func openMap() -> OpenMap {
        let start = end
        append(0xa0)
        return OpenMap(start: start)
    }

    /// Writes a pair.
    @inlinable
    public mutating func required<T: CBORDirect>(_ key: StaticString, _ value: T, _ map: inout OpenMap) {
        map.count += 1
        text(key)
        value.encode(into: &self)
    }

    /// Writes a pair, or nothing for nil.
    @inlinable
    public mutating func optional<T: CBORDirect>(_ key: StaticString, _ value: T?, _ map: inout OpenMap) {
        guard let value else { return }
        required(key, value, &map)
    }

    /// Writes the count. Moves the pairs where there are more than 23.
    @inlinable
    public mutating func close(_ map: OpenMap) { setHead(at: map.start, 5, map.count) }
}

extension CBORReader {
    /// A map that is being read.
    public struct OpenMap {
        /// Pairs that were not read yet.
        @usableFromInline var left: Int

        @inlinable
        init(left: Int) { self.left = left }

        /// A pair was read without asking the map for it.
        @inlinable
        public mutating func passed() { left -= 1 }
    }

    @inlinable
    public mutating func openMap() throws(CBORError) -> OpenMap { OpenMap(left: try mapHead()) }

    /// Reads the next pair, whose key has to be this.
    @inlinable
    public mutating func required<T: CBORDirect>(
        _ key: StaticString,
        _ map: inout OpenMap
    ) throws(CBORError) -> T {
        guard map.left > 0, try takes(key) else { throw .missingKey(path: "\(key)") }
        map.left -= 1
        return try T(from: &self)
    }

    /// Reads the next pair if its key is this; nil also for null.
    @inlinable
    public mutating func optional<T: CBORDirect>(
        _ key: StaticString,
        _ map: inout OpenMap
    ) throws(CBORError) -> T? {
        guard map.left > 0, try takes(key) else { return nil }
        map.left -= 1
        return try T?(from: &self)
    }

    /// Ends the map, of which nothing may be left.
    @inlinable
    public mutating func close(_ map: OpenMap) throws(CBORError) {
        guard map.left == 0 else { throw .unsupported("keys in another order, or unknown ones") }
    }

    /// Gives up the shorter way: the decoder goes the way of `Codable`.
    @inlinable
    public func givingUp() -> CBORError { .unsupported("what this way does not read") }
}

extension Dictionary: CBORDirect where Key == String, Value: CBORDirect {
    /// The keys sorted by their bytes.
    @inlinable
    public func encode(into writer: inout CBORWriter) {
        writer.mapHead(count)
        if count == 1, let (key, value) = first {
            writer.text(key)
            return value.encode(into: &writer)
        }
        for (key, value) in sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            writer.text(key)
            value.encode(into: &writer)
        }
    }

    /// - Throws: `.duplicateKey` also for two keys that differ in bytes but are one key to Swift, such as é in its
    ///   composed and decomposed form.
    public init(from reader: inout CBORReader) throws(CBORError) {
        self = [:]
        for _ in 0..<(try reader.mapHead()) {
            let key = try reader.text()
            do throws(CBORError) {
                guard updateValue(try Value(from: &reader), forKey: key) == nil else { throw .duplicateKey(key) }
            } catch {
                throw error.under(key: key)
            }
        }
    }
}
