/// The pattern that a socket follows (zmq_socket(3)).
public enum SocketType: Sendable, CaseIterable {
    case router, dealer, req, rep, pub, sub, xpub, xsub, pair, push, pull
}

/// What a socket can be told at its creation; libzmq applies these to connections made later only.
///
/// Durations are rounded up to milliseconds.
public struct SocketOptions: Sendable {
    /// How long `close()` leaves unsent messages to the I/O thread. 0: they are dropped, and nothing can hang at the end.
    public var linger = Duration.zero
    /// The largest frame that is accepted from a peer, in bytes; a larger one closes the connection. Nil: any.
    ///
    /// For each frame, not each message: `maximumFrames` bounds the other side. inproc is not checked by libzmq.
    public var maximumFrameBytes: Int? = 1 << 20
    /// The most frames of one message that `receive()` keeps: a routing id, a delimiter, a header, 64 of body, one spare.
    public var maximumFrames = 68
    /// Messages queued for one peer before a send would block (DEALER, ROUTER, …) or drops (PUB, XPUB). 0: no limit.
    ///
    /// On inproc both sides' marks add up.
    public var sendHighWaterMark = 1_000
    /// Messages queued from one peer before its connection is no longer read. 0: no limit.
    public var receiveHighWaterMark = 1_000
    /// Whether messages queue only for connections that are up. Nil: yes for DEALER and REQ, no otherwise.
    ///
    /// With false a command that was queued while a server was down arrives long after. With true, what has arrived and was
    /// not received yet is lost when the connection ends: a reply, too, of a server that stops right after it.
    public var immediate: Bool?
    /// The first and the longest pause before connecting again; it doubles in between.
    public var reconnectInterval = Duration.milliseconds(100)...Duration.seconds(5)
    /// How long an attempt to connect may go without an answer, before another is made. Names are resolved for each.
    public var connectTimeout = Duration.seconds(2)
    /// How long a peer may take for its handshake.
    public var handshakeInterval = Duration.seconds(5)
    /// CURVE keys; nil: no encryption.
    public var curve: Curve?
    /// The ZAP domain (RFC 27), which makes every handshake ask the handler at `inproc://zeromq.zap.01`. Nil: nobody is asked.
    ///
    /// Enforced: where there is no handler, nobody is let in. A refused client's socket never tries again: close it and make
    /// a new one. ipc peers are seen as `localhost:uid:gid:pid`.
    public var zapDomain: String?

    /// Which side of CURVE a socket is.
    public enum Curve: Hashable, Sendable {
        /// The side that has the known key; it needs a `zapDomain`.
        case server(CurveKeyPair)
        /// The side that knows the server's public key (Z85).
        case client(CurveKeyPair, serverKey: String)
    }

    /// The defaults.
    public init() {}
}
