import ZeroMQ

/// A connection of two sockets, with what is under way on it in each direction.
final class Wire {
    /// By which the router knows the peer; another one for each connection.
    let number: Int
    let connector: SimulatedSocket
    let listener: SimulatedSocket
    var toListener: [[Frame]] = []
    var toConnector: [[Frame]] = []
    /// The prefixes that the publisher knows of.
    var topics: [[UInt8]] = []
    /// Nothing comes through, and neither side knows.
    var isCut = false
    /// One side's process has ended, and the other doesn't know yet: what was sent may still arrive.
    var isHalf = false

    init(number: Int, connector: SimulatedSocket, listener: SimulatedSocket) {
        self.number = number
        self.connector = connector
        self.listener = listener
    }

    /// What a ROUTER calls the peer.
    var routingID: Frame { Frame(Self.routingID(number)) }

    static func routingID(_ number: Int) -> [UInt8] {
        [0, UInt8(number >> 24 & 255), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
    }

    static func number(_ routingID: Frame) -> Int? {
        let bytes = routingID.bytes
        guard bytes.count == 5 else { return nil }
        return bytes.dropFirst().reduce(0) { $0 << 8 | Int($1) }
    }
}
