public import CBOR

/// On the wire a byte string of 16 bytes.
extension Identifier: CBORDirect {
    public func encode(into writer: inout CBORWriter) {
        withUnsafeBytes { writer.byteString($0) }
    }

    /// - Throws: `.invalidValue` for a byte string of another length.
    public init(from reader: inout CBORReader) throws(CBORError) {
        let value = try reader.withByteString { bytes in (Identifier(bytes: bytes), bytes.count) }
        guard let identifier = value.0 else {
            throw .invalidValue(path: "", reason: "an identifier has 16 bytes, found \(value.1)")
        }
        self = identifier
    }
}
