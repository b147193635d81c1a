/// Reads a CBOR sequence (RFC 8742), items one after the other, that arrives in pieces of any size.
///
///     var sequence = CBORSequence()
///     sequence.add(piece)
///     while let item = try sequence.next() { … }
///
/// It holds the bytes of the item that is not all there yet, and looks at them again with each piece.
public struct CBORSequence: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0
    private let profile: CBORProfile
    private let maximumDepth: Int

    public init(profile: CBORProfile = .wire, maximumDepth: Int = 32) {
        self.profile = profile
        self.maximumDepth = maximumDepth
    }

    /// Whether nothing is left that is no whole item.
    public var isAtEnd: Bool { start == buffer.count }

    /// Adds the next piece.
    public mutating func add(_ bytes: some Collection<UInt8>) {
        buffer.removeSubrange(..<start)
        start = 0
        buffer += bytes
    }

    /// The next item; nil where it is not all there yet.
    ///
    /// - Throws: What the profile refuses.
    public mutating func next() throws(CBORError) -> EncodedCBOR? {
        guard !isAtEnd else { return nil }
        do throws(CBORError) {
            let end = try buffer.withUnsafeBufferPointer { [start, profile, maximumDepth] buffer throws(CBORError) in
                let bytes = ItemBytes(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[start...]))
                var validator = Validator(bytes, profile: profile, maximumDepth: maximumDepth)
                return start + (try validator.firstItem())
            }
            defer { start = end }
            return EncodedCBOR(trusted: Array(buffer[start..<end]))
        } catch .truncated {
            return nil
        }
    }
}
