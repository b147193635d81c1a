internal import ZeroMQ

/// What peers have not taken yet of large replies, so that those who ask and don't read have a bound.
///
/// libzmq queues up to 1,000 replies for each connection, whatever they hold, and then takes no more for it.
struct ReplyBacklogs {
    /// Smaller replies are not counted: of a thousand of them that is a bound, too.
    static let leastBytes = 4 << 10
    /// The most for one connection, unless one reply alone has more: a reply is at most as large.
    static let mostOfPeer = 64 << 20
    /// The most for all together, unless one reply alone has more.
    static let most = 256 << 20

    private struct Peer: Hashable {
        var entrance: Int
        var routing: Frame
    }

    private let all = Backlog()
    private var peers: [Peer: Backlog] = [:]
    /// With so many, those who took everything are forgotten.
    private var limit = 16

    /// How many bytes there are for all.
    var bytes: Int { all.bytes }

    /// What counts a reply of so many bytes to this peer; nil where it has to take what it asked for before.
    mutating func room(for bytes: Int, to envelope: Envelope) -> Backlog? {
        guard let routing = envelope.address.first else { return nil }
        let peer = Peer(entrance: envelope.entrance, routing: routing)
        let backlog = peers[peer] ?? Backlog(partOf: all)
        guard backlog.bytes == 0 || backlog.bytes + bytes <= Self.mostOfPeer,
            all.bytes == 0 || all.bytes + bytes <= Self.most
        else { return nil }
        if peers.count >= limit {
            peers = peers.filter { $0.value.bytes > 0 }
            limit = 16 + 2 * peers.count
        }
        peers[peer] = backlog
        return backlog
    }
}
