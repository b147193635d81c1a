/// Decodes `Decodable` values from bytes, without a tree in between.
///
/// The input is validated as a whole first, so what no type asks for is held to the same rules. Keys may come in any
/// order, unknown ones are ignored; keys in the order they are asked for in are found at once.
///
/// A coder's `codingPath` is always empty; errors carry the path instead. A decoder that a type keeps beyond its
/// `init(from:)` reads nothing any more.
public struct CBORDecoder: Sendable {
    /// What the input is held to.
    public let profile: CBORProfile
    /// Arrays, maps and tags that may stand inside each other, 1 … 512.
    public let maximumDepth: Int
    /// Handed to each `init(from:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// Off for comparing the two ways that a ``CBORShortcut`` is read.
    package var takesShortcuts = true

    /// - Parameter maximumDepth: Taken as 1 … 512, since validating and decoding recurse as deep.
    public init(profile: CBORProfile = .wire, maximumDepth: Int = 32) {
        self.profile = profile
        self.maximumDepth = maximumDepth
    }

    /// Reads the one item that fills `bytes`.
    ///
    /// - Throws: What the profile refuses; `.typeMismatch`, `.missingKey`, `.outOfRange` where type and item differ;
    ///   `.invalidValue` for what an `init(from:)` threw.
    public func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws(CBORError) -> T {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CBORError) in
            try decode(type, from: UnsafeRawBufferPointer(buffer))
        }
    }

    /// Reads the one item that fills `bytes`, which are borrowed for the time of the call.
    public func decode<T: Decodable>(_ type: T.Type, from bytes: UnsafeRawBufferPointer) throws(CBORError) -> T {
        if takesShortcuts, profile == .wire, maximumDepth >= 2 * CBORReader.uncheckedDepth,
            let shortcut = type as? any CBORShortcut.Type
        {
            var reader = CBORReader(checking: ItemBytes(bytes))
            if let value = try? shortcut.read(type, from: &reader), reader.offset == bytes.count { return value }
        }
        return try CBORReader.withBytes(bytes, profile: profile, maximumDepth: maximumDepth) {
            (reader) throws(CBORError) in try decode(type, from: &reader)
        }
    }

    /// Reads the next item of a reader: for a direct type with a part that is only `Codable`.
    public func decode<T: Decodable>(_ type: T.Type, from reader: inout CBORReader) throws(CBORError) -> T {
        let start = reader.offset
        if let direct = type as? any CBORDirect.Type, takesShortcuts || !direct.hasAnotherWay {
            do {
                return try direct.read(type, from: &reader)
            } catch {
                guard direct.hasAnotherWay, reader.isValidated else { throw error }
                reader.offset = start
            }
        }
        guard reader.isValidated else { throw reader.givingUp() }
        let state = DecodingState(bytes: reader.bytes, userInfo: userInfo, takesShortcuts: takesShortcuts)
        defer { state.bytes = ItemBytes(UnsafeRawBufferPointer(start: nil, count: 0)) }
        do {
            let value = try state.decode(type, at: start, depth: 0)
            reader.offset = try state.end(of: start)
            return value
        } catch {
            throw CBORError(error)
        }
    }
}

/// What all containers of one decoding share: the bytes, and where each open map was read last.
final class DecodingState {
    /// Where the search for the next key of a map begins.
    struct Cursor {
        /// The position of the map; tells whether the cursor is this map's.
        var map = -1
        var count = 0
        var firstKey = 0
        /// The key that is looked at next, and which one of `count` it is.
        var key = 0
        var index = 0
    }

    @exclusivity(unchecked) var bytes: ItemBytes
    @exclusivity(unchecked) var cursors: [Cursor] = []
    /// An item whose end is known, because it was read to its end.
    @exclusivity(unchecked) var ended = (start: -1, end: -1)
    let userInfo: [CodingUserInfoKey: any Sendable]
    private let takesShortcuts: Bool

    init(bytes: ItemBytes, userInfo: [CodingUserInfoKey: any Sendable], takesShortcuts: Bool) {
        self.bytes = bytes
        self.userInfo = userInfo
        self.takesShortcuts = takesShortcuts
    }

    /// How values of a type are read, found once for all elements of an array.
    enum Shape {
        case direct(any CBORDirect.Type)
        case container(any DecodableContainer.Type)
        case codable

        fileprivate init<T>(_ type: T.Type, takesShortcuts: Bool) {
            if let type = type as? any CBORDirect.Type, takesShortcuts || !type.hasAnotherWay {
                self = .direct(type)
            } else if let type = type as? any DecodableContainer.Type {
                self = .container(type)
            } else {
                self = .codable
            }
        }
    }

    func shape<T>(of type: T.Type) -> Shape { Shape(type, takesShortcuts: takesShortcuts) }

    func decode<T: Decodable>(_ type: T.Type, at position: Int, depth: Int) throws -> T {
        try decode(type, as: shape(of: type), at: position, depth: depth)
    }

    func decode<T: Decodable>(_ type: T.Type, as shape: Shape, at position: Int, depth: Int) throws -> T {
        switch shape {
        case .direct(let direct):
            var reader = CBORReader(bytes: bytes, position: position)
            do {
                let value = try direct.read(type, from: &reader)
                ended = (position, reader.position)
                return value
            } catch {
                guard direct.hasAnotherWay else { throw error }
            }
            if let container = type as? any DecodableContainer.Type {
                return try decode(type, as: .container(container), at: position, depth: depth)
            }
            return try decode(type, as: .codable, at: position, depth: depth)
        case .container(let container):
            return try container.decode(type, item: ItemDecoder(state: self, position: position, depth: depth))
        case .codable:
            return try T(from: ItemDecoder(state: self, position: position, depth: depth))
        }
    }

    /// Where the item that begins at `position` ends.
    func end(of position: Int) throws(CBORError) -> Int {
        if ended.start == position { return ended.end }
        var end = position
        try bytes.skip(&end)
        return end
    }

    /// Enters the map at `position`.
    func openMap(at position: Int, depth: Int) throws(CBORError) {
        var reader = CBORReader(bytes: bytes, position: position)
        let count = try reader.mapHead()
        while cursors.count <= depth { cursors.append(Cursor()) }
        let first = reader.position
        cursors[depth] = Cursor(map: position, count: count, firstKey: first, key: first, index: 0)
        if count == 0 { ended = (position, first) }
    }

    /// The position of the value of `name` in the map at `map`, or nil.
    ///
    /// The search goes from the last found key around the map: at once for keys that come in order, the whole map for
    /// an absent one.
    func find(_ name: String, in map: Int, depth: Int) throws(CBORError) -> Int? {
        if cursors[depth].map != map { try openMap(at: map, depth: depth) }
        var cursor = cursors[depth]
        var name = name
        for _ in 0..<cursor.count {
            if cursor.index == cursor.count { (cursor.index, cursor.key) = (0, cursor.firstKey) }
            var position = cursor.key
            if try bytes.takes(&name, at: &position) {
                cursors[depth] = cursor
                return position
            }
            cursor.key = try end(of: position)
            cursor.index += 1
        }
        return nil
    }

    /// Moves the cursor of the map past the pair whose value at `value` was read.
    func advance(past value: Int, in map: Int, depth: Int) throws(CBORError) {
        guard cursors[depth].map == map else { return }
        let end = try end(of: value)
        cursors[depth].key = end
        cursors[depth].index += 1
        if cursors[depth].index == cursors[depth].count { ended = (map, end) }
    }
}

extension ItemBytes {
    /// Passes over the key at `position`, and tells whether it is `name`.
    func takes(_ name: inout String, at position: inout Int) throws(CBORError) -> Bool {
        skipBreaks(&position)
        let start = position
        let head = try head(at: &position)
        guard head.major == 3, !head.isIndefinite else {
            position = start
            var reader = CBORReader(bytes: self, position: start)
            try skip(&position)
            return head.major == 3 ? try reader.text() == name : false
        }
        let range = try string(head, at: &position)
        return name.withUTF8 { utf8 in
            guard utf8.count == range.count else { return false }
            guard let start = utf8.baseAddress else { return true }
            return equals(UnsafeRawPointer(start), at: range.lowerBound, length: range.count)
        }
    }
}
