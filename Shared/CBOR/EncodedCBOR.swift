/// The bytes of one item, carried as they are.
///
/// Encoding splices them, decoding slices them out of validated input, so a record can pass through without being taken
/// apart. Equality is that of the bytes. Other coders than this module's see an array of bytes.
public struct EncodedCBOR: Hashable, Sendable {
    /// One item.
    public let bytes: [UInt8]

    /// Takes one item after validating it.
    ///
    /// - Throws: What the profile refuses.
    public init(_ bytes: [UInt8], profile: CBORProfile = .wire, maximumDepth: Int = 32) throws(CBORError) {
        try CBORReader.withBytes(bytes, profile: profile, maximumDepth: maximumDepth) {
            (reader) throws(CBORError) in try reader.skipItem()
        }
        self.bytes = bytes
    }

    /// Takes one item that our own writer made; the bytes are not looked at.
    public init(trusted bytes: [UInt8]) { self.bytes = bytes }

    /// Encodes `value`.
    public init(encoding value: some Encodable) throws(CBORError) { bytes = try CBOREncoder().encode(value) }

    /// Reads the item as a value of `type`.
    public func decode<T: Decodable>(
        _ type: T.Type,
        profile: CBORProfile = .wire,
        maximumDepth: Int = 32
    ) throws(CBORError) -> T {
        try CBORDecoder(profile: profile, maximumDepth: maximumDepth).decode(type, from: bytes)
    }
}

extension EncodedCBOR: CBORDirect {
    public func encode(into writer: inout CBORWriter) { writer.raw(bytes) }

    public init(from reader: inout CBORReader) throws(CBORError) { bytes = reader.copy(try reader.rawItem()) }
}

extension EncodedCBOR: Codable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }

    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode([UInt8].self), profile: .rfc8949)
    }
}

extension CBORValue: Codable {
    /// Lets a `Codable` type hold a tree; other coders than this module's see its bytes, as of `EncodedCBOR`.
    public func encode(to encoder: any Encoder) throws { try EncodedCBOR(trusted: encoded()).encode(to: encoder) }

    public init(from decoder: any Decoder) throws {
        try self.init(decoding: try EncodedCBOR(from: decoder).bytes, profile: .rfc8949)
    }
}
