import CZeroMQ

/// A long-term CURVE key pair (RFC 26), both halves as 40 characters of Z85 (RFC 32).
///
/// No description, interpolation, dump or mirror of it shows the secret half.
public struct CurveKeyPair: Hashable, Sendable {
    /// The half that peers are told.
    public let publicKey: String
    /// The half that stays here.
    public let secretKey: String

    /// The characters of a key in Z85.
    public static let keyCharacters = 40

    /// A pair that is stored somewhere.
    ///
    /// - Throws: `invalidKey` where a half is not Z85 of 32 bytes, or they do not belong together.
    public init(publicKey: String, secretKey: String) throws(ZeroMQError) {
        try self.init(secretKey: secretKey)
        guard self.publicKey == publicKey else { throw .invalidKey }
    }

    /// The pair of a secret key, its public half worked out.
    ///
    /// - Throws: `invalidKey`; `failed` with `ENOTSUP` where libzmq has no CURVE.
    public init(secretKey: String) throws(ZeroMQError) {
        guard Self.isKey(secretKey) else { throw .invalidKey }
        var text = Self.buffer
        guard unsafe zmq_curve_public(&text, secretKey) == 0 else { throw .last(.generateKeys) }
        self.init(checkedPublic: Self.string(text), checkedSecret: secretKey)
    }

    /// A new pair from the system's random numbers.
    ///
    /// - Throws: `failed` with `ENOTSUP` where libzmq has no CURVE.
    public static func generate() throws(ZeroMQError) -> CurveKeyPair {
        var (publicText, secretText) = (buffer, buffer)
        guard unsafe zmq_curve_keypair(&publicText, &secretText) == 0 else { throw .last(.generateKeys) }
        return CurveKeyPair(checkedPublic: string(publicText), checkedSecret: string(secretText))
    }

    /// The 32 bytes of the public half, as a ZAP handler is given them.
    public var publicKeyBytes: [UInt8] { Self.bytes(ofKey: publicKey) ?? [] }

    /// Whether a text is a key by its form: 40 characters of Z85 that stand for 32 bytes.
    public static func isKey(_ text: String) -> Bool { bytes(ofKey: text) != nil }

    /// The 32 bytes that a key in Z85 stands for, or nil where the text is no key.
    public static func bytes(ofKey text: String) -> [UInt8]? {
        guard text.utf8.count == keyCharacters, !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        return unsafe zmq_z85_decode(&bytes, text) == nil ? nil : bytes
    }

    /// A key of 32 bytes as Z85; nil for another number of bytes.
    static func key(ofBytes bytes: [UInt8]) -> String? {
        guard bytes.count == 32 else { return nil }
        var text = buffer
        return unsafe zmq_z85_encode(&text, bytes, bytes.count) == nil ? nil : string(text)
    }

    private init(checkedPublic: String, checkedSecret: String) {
        publicKey = checkedPublic
        secretKey = checkedSecret
    }

    private static var buffer: [CChar] { [CChar](repeating: 0, count: keyCharacters + 1) }

    private static func string(_ text: [CChar]) -> String {
        String(decoding: text.prefix(keyCharacters).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension CurveKeyPair: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The public half only.
    public var description: String { "CurveKeyPair(\(publicKey))" }

    /// The public half only.
    public var debugDescription: String { description }

    /// The public half only.
    public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}
