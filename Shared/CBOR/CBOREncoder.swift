/// Encodes `Encodable` values straight into bytes, without a tree in between.
///
/// Structs become maps of text keys in the order they are encoded in, dictionaries with `CodingKeyRepresentable` keys
/// maps sorted by the bytes of their keys, `[UInt8]` a byte string, enums what the compiler makes of them. An optional
/// that is encoded by `encodeIfPresent` is left out, any other nil is null. A type that encodes nothing is an empty map.
///
/// Two limits, since bytes are written as they come: containers of one encoder must be used one inside the other, not
/// in turns (`.unsupported`), and a type that encodes one key twice makes a map that every decoder refuses. A coder's
/// `codingPath` is always empty; errors carry the path instead.
public struct CBOREncoder: Sendable {
    /// Containers that may be open at once.
    public var maximumDepth = 32
    /// Handed to each `encode(to:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// Off for comparing the two ways that a ``CBORShortcut`` is written.
    package var takesShortcuts = true

    /// An encoder with the usual depth of 32.
    public init() {}

    /// The bytes of `value`.
    ///
    /// - Throws: `.tooDeep`, `.unsupported`, and `.invalidValue` for what an `encode(to:)` threw.
    public func encode<T: Encodable>(_ value: T) throws(CBORError) -> [UInt8] {
        var writer = CBORWriter()
        try encode(value, into: &writer)
        return writer.bytes
    }

    /// Appends the item of `value`; after an error the writer holds what it held before.
    public func encode<T: Encodable>(_ value: T, into writer: inout CBORWriter) throws(CBORError) {
        if let direct = T.self as? any CBORDirect.Type, takesShortcuts || !direct.hasAnotherWay {
            return direct.write(value, into: &writer)
        }
        let start = writer.count
        let state = EncodingState(maximumDepth: maximumDepth, userInfo: userInfo, takesShortcuts: takesShortcuts)
        swap(&state.writer, &writer)
        defer { swap(&state.writer, &writer) }
        do {
            try state.encode(value, level: 0)
            if let failure = state.failure { throw failure }
        } catch {
            state.writer.cut(to: start)
            throw CBORError(error)
        }
    }
}

/// What all containers of one encoding share: the bytes, and the containers that are open.
///
/// A map's count is known only when it ends, so its head is written as one byte and patched then; the bytes of a map or
/// array of more than 23 are moved up once to make room.
final class EncodingState {
    /// A container whose head is at `start`; `major` 0 is an array whose true head is written already.
    struct Frame {
        var start: Int
        var count: Int
        var major: UInt8
    }

    // Only ever touched from one thread, by calls that nest: the run-time check would be paid for each byte.
    @exclusivity(unchecked) var writer = CBORWriter(capacity: 0)
    @exclusivity(unchecked) var frames: [Frame] = []
    @exclusivity(unchecked) var failure: CBORError?
    let maximumDepth: Int
    let userInfo: [CodingUserInfoKey: any Sendable]

    private let takesShortcuts: Bool

    init(maximumDepth: Int, userInfo: [CodingUserInfoKey: any Sendable], takesShortcuts: Bool) {
        self.maximumDepth = maximumDepth
        self.userInfo = userInfo
        self.takesShortcuts = takesShortcuts
        frames.reserveCapacity(8)
    }

    /// Writes one value as an item of the container at `level` − 1.
    func encode<T: Encodable>(_ value: T, level: Int) throws {
        try encode(value, as: shape(of: T.self), level: level)
    }

    func shape<T>(of type: T.Type) -> Shape { Shape(type, takesShortcuts: takesShortcuts) }

    func encode<T: Encodable>(_ value: T, as shape: Shape, level: Int) throws {
        switch shape {
        case .direct(let type): type.write(value, into: &writer)
        case .container(let type): try type.encode(value, with: self, level: level)
        case .codable:
            let start = writer.count
            try value.encode(to: ItemEncoder(state: self, level: level, start: start))
            close(downTo: level)
            if writer.count == start { writer.mapHead(0) }
        }
    }

    /// How values of a type are written, found once for all elements of an array.
    enum Shape {
        case direct(any CBORDirect.Type)
        case container(any EncodableContainer.Type)
        case codable

        fileprivate init<T>(_ type: T.Type, takesShortcuts: Bool) {
            if let type = type as? any CBORDirect.Type, takesShortcuts || !type.hasAnotherWay {
                self = .direct(type)
            } else if let type = type as? any EncodableContainer.Type {
                self = .container(type)
            } else {
                self = .codable
            }
        }
    }

    /// Opens a container for the item that begins at `start`, or goes on with the one that stands there.
    ///
    /// A class and its superclass ask the same encoder for a container each, and share one map.
    func open(_ major: UInt8, level: Int, start: Int) {
        if level < frames.count, frames[level].start == start {
            close(downTo: level + 1)
            if frames[level].major == major { return }
            guard frames[level].count == 0 else {
                return fail(.unsupported("an item that is both a map and an array"))
            }
            frames[level].major = major
            writer.setHead(at: start, major, 0)
            return
        }
        guard frames.count == level, writer.count == start else {
            return fail(.unsupported("containers that are used in turns"))
        }
        guard level < maximumDepth else { return fail(.tooDeep(maximum: maximumDepth)) }
        frames.append(Frame(start: start, count: 0, major: major))
        writer.append(major << 5)
    }

    /// Opens an array whose count is known.
    func openArray(count: Int, level: Int) throws(CBORError) {
        guard level < maximumDepth else { throw .tooDeep(maximum: maximumDepth) }
        frames.append(Frame(start: writer.count, count: count, major: 0))
        writer.arrayHead(count)
    }

    func openMap(count: Int, level: Int) throws(CBORError) {
        guard level < maximumDepth else { throw .tooDeep(maximum: maximumDepth) }
        frames.append(Frame(start: writer.count, count: count, major: 0))
        writer.mapHead(count)
    }

    /// Counts one more item in the container at `level`, ending whatever was open inside it.
    func next(level: Int, start: Int) throws(CBORError) {
        if let failure { throw failure }
        guard level < frames.count, frames[level].start == start else {
            throw .unsupported("containers that are used in turns")
        }
        if frames.count > level + 1 { close(downTo: level + 1) }
        frames[level].count += 1
    }

    /// Makes way for a single value at `start`, where nothing or an empty container that was opened ahead may stand.
    func single(level: Int, start: Int) throws(CBORError) {
        if let failure { throw failure }
        if level < frames.count, frames[level].start == start, frames[level].count == 0 {
            frames.removeLast(frames.count - level)
            writer.cut(to: start)
        }
        guard frames.count == level, writer.count == start else {
            throw .unsupported("two values for one item")
        }
    }

    func fail(_ error: CBORError) {
        if failure == nil { failure = error }
    }

    func close(downTo level: Int) {
        while frames.count > level {
            let frame = frames.removeLast()
            guard frame.major != 0 else { continue }
            writer.setHead(at: frame.start, frame.major, frame.count)
        }
    }
}
