import CBOR

extension FuzzTarget {
    /// Any bytes, in both profiles: what is read is written again as what reads the same.
    static let cbor = FuzzTarget(name: "cbor") { (bytes) throws(Finding) in
        for profile in [CBORProfile.wire, .rfc8949] {
            guard let value = try? CBORDecoder(profile: profile).decode(CBORValue.self, from: bytes) else { continue }
            let written = value.encoded()
            if profile == .wire { try require(written == bytes, "the strict profile has one form: \(value)") }
            guard let again = try? CBORDecoder(profile: .rfc8949).decode(CBORValue.self, from: written) else {
                throw Finding("what was written of \(value) can't be read")
            }
            try require(again.encoded() == written, "\(value) is written in another way the second time")
            try require(again.description == value.description, "\(value) is read as \(again)")
        }
        let whole = items(of: [bytes[...]])
        let split = items(of: [bytes.prefix(bytes.count / 3), bytes.dropFirst(bytes.count / 3)])
        try require(whole == split, "a stream gives other items when it comes in pieces")
    }

    /// The items of a stream that comes in pieces, and nil for what is no item.
    private static func items(of pieces: [some Collection<UInt8>]) -> [EncodedCBOR?] {
        var stream = CBORSequence(profile: .rfc8949)
        var items: [EncodedCBOR?] = []
        for piece in pieces {
            stream.add(piece)
            do {
                while let item = try stream.next() { items.append(item) }
            } catch {
                return items + [nil]
            }
        }
        return items
    }
}
