/// Where a live list is: told on its topic to each new subscription, and each second.
///
/// Its keys are a batch's too; what has a `base` is a batch.
public struct ListState: Codable, Hashable, Sendable {
    public var list: Identifier
    public var number: Int64
    /// See ``ListDigest``.
    public var digest: UInt64

    public init(list: Identifier, number: Int64, digest: UInt64) {
        self.list = list
        self.number = number
        self.digest = digest
    }
}

extension Topic {
    /// A live list's: `=orders/0123456789abcdef`, by FNV-1a-64 of the encoded query after the kind byte `Q`.
    ///
    /// - Parameter query: the encoding of a normalised ``ListQuery``.
    public static func list(_ service: ServiceName, query: [UInt8]) -> String {
        let digits = String(ListDigest.hash(kind: UInt8(ascii: "Q"), query), radix: 16)
        return "=\(service)/" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
