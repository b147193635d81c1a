import CBOR
import Messages
import Support

extension FuzzTarget {
    /// A message of a stranger at the ROUTER of each service, with its store behind it: it is answered, what is refused leaves
    /// no trace, a repeat has the first answer, and no fault is met.
    static let requests = FuzzTarget(name: "requests", seeds: seeds) {
        let services = try ServicesUnderTest()
        return { (bytes) throws(Finding) in
            let frames = Frames.split(bytes)
            if !frames.isEmpty { try services.take(frames) }
        }
    }

    /// Each golden request behind its header, its key without a time, which never gets too old.
    private static let seeds = Golden.messages.flatMap { message -> [[UInt8]] in
        guard message.rule.hasSuffix("-request"), let body = try? message.encode() else { return [] }
        let key = Identifier(high: 0x018E_95C2_4F00_4000, low: 0x8000_0000_0000_00AA)
        let header = RequestHeader(id: 7, operation: String(message.rule.dropLast("-request".count)), key: key)
        guard let encoded = try? CBOREncoder().encode(header) else { return [] }
        return [Frames.joined([[0, 1, 2, 3, 4], encoded, body])]
    }
}
