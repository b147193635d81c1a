/// A type that writes and reads its own item, without the containers of `Codable`.
///
/// The encoder and decoder use these wherever they meet such a type: on top, in containers, arrays and optionals.
/// Arrays and optionals of such types are such types; `[UInt8]` is a byte string.
public protocol CBORDirect {
    /// Writes exactly one item.
    func encode(into writer: inout CBORWriter)

    /// Reads exactly one item, accepting keys in any order and passing over unknown ones.
    ///
    /// The reader stands on validated bytes. After an error its position does not matter.
    init(from reader: inout CBORReader) throws(CBORError)
}

extension CBORDirect {
    /// The bytes of the item.
    public func encoded() -> [UInt8] {
        var writer = CBORWriter()
        encode(into: &writer)
        return writer.bytes
    }

    /// Reads the one item that fills `bytes`.
    public init(
        decoding bytes: [UInt8],
        profile: CBORProfile = .wire,
        maximumDepth: Int = 32
    ) throws(CBORError) {
        self = try CBORReader.withBytes(bytes, profile: profile, maximumDepth: maximumDepth) {
            (reader) throws(CBORError) in try Self(from: &reader)
        }
    }

    // The two ways in for generic code that holds a `T` and knows only the metatype. The caller has made sure that `T`
    // is `Self`; a cast through `any CBORDirect` would put larger values on the heap.

    static func write<T>(_ value: T, into writer: inout CBORWriter) {
        unsafeBitCast(value, to: Self.self).encode(into: &writer)
    }

    static func read<T>(_ type: T.Type, from reader: inout CBORReader) throws(CBORError) -> T {
        unsafeBitCast(try Self(from: &reader), to: T.self)
    }
}

extension CBORDirect {
    /// Whether what its `init(from:)` refuses may still be read by `Codable`: a ``CBORShortcut``, or made of one.
    static var hasAnotherWay: Bool {
        self is any CBORShortcut.Type || (self is any DecodableContainer.Type && self != [UInt8].self)
    }
}

extension CBORDirect where Self: FixedWidthInteger {
    @inlinable
    public func encode(into writer: inout CBORWriter) {
        // Any integer of up to 64 bits fits one of the two.
        if self >= 0 {
            writer.unsigned(UInt64(truncatingIfNeeded: self))
        } else {
            writer.int(Int64(truncatingIfNeeded: self))
        }
    }

    @inlinable
    public init(from reader: inout CBORReader) throws(CBORError) { self = try reader.integer(as: Self.self) }
}

extension Int: CBORDirect {}
extension Int8: CBORDirect {}
extension Int16: CBORDirect {}
extension Int32: CBORDirect {}
extension Int64: CBORDirect {}
extension UInt: CBORDirect {}
extension UInt8: CBORDirect {}
extension UInt16: CBORDirect {}
extension UInt32: CBORDirect {}
extension UInt64: CBORDirect {}

extension Bool: CBORDirect {
    @inlinable
    public func encode(into writer: inout CBORWriter) { writer.bool(self) }
    @inlinable
    public init(from reader: inout CBORReader) throws(CBORError) { self = try reader.bool() }
}

extension String: CBORDirect {
    @inlinable
    public func encode(into writer: inout CBORWriter) { writer.text(self) }
    @inlinable
    public init(from reader: inout CBORReader) throws(CBORError) { self = try reader.text() }
}

extension Double: CBORDirect {
    public func encode(into writer: inout CBORWriter) { writer.double(self) }
    public init(from reader: inout CBORReader) throws(CBORError) { self = try reader.double() }
}

extension Float: CBORDirect {
    public func encode(into writer: inout CBORWriter) { writer.double(Double(self)) }

    /// - Throws: `.outOfRange` for a value that only a `Double` keeps.
    public init(from reader: inout CBORReader) throws(CBORError) {
        let value = try reader.double()
        let single = Float(value)
        guard Double(single) == value || value.isNaN else {
            throw .outOfRange(path: "", value: "\(value)", type: "Float")
        }
        self = single
    }
}

extension Optional: CBORDirect where Wrapped: CBORDirect {
    @inlinable
    public func encode(into writer: inout CBORWriter) {
        if let self { self.encode(into: &writer) } else { writer.null() }
    }

    @inlinable
    public init(from reader: inout CBORReader) throws(CBORError) {
        if reader.isNull {
            try reader.null()
            self = nil
        } else {
            self = try Wrapped(from: &reader)
        }
    }
}

extension Array: CBORDirect where Element: CBORDirect {
    @inlinable
    public func encode(into writer: inout CBORWriter) {
        if Element.self == UInt8.self {
            writer.byteString(unsafeBitCast(self, to: [UInt8].self))
        } else {
            writer.arrayHead(count)
            for element in self { element.encode(into: &writer) }
        }
    }

    @inlinable
    public init(from reader: inout CBORReader) throws(CBORError) {
        if Element.self == UInt8.self {
            self = unsafeBitCast(try reader.byteString(), to: Self.self)
            return
        }
        let count = try reader.arrayHead()
        self = []
        // The count is true, but elements may be larger in memory than on the wire: no more than a page's worth at once.
        reserveCapacity(Swift.min(count, 64))
        for index in 0..<count {
            do {
                append(try Element(from: &reader))
            } catch {
                throw error.under(index: index)
            }
        }
    }
}
