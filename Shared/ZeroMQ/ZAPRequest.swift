import CZeroMQ

/// What libzmq asks of each handshake on a socket with a ZAP domain (RFC 27, ZAP 1.0), and the answer's frames.
///
/// The handler is a REP at `ZAPRequest.endpoint` that is bound before the first handshake. What it answers is told with
/// each message of the connection: see `Frame.metadata(_:)`.
public struct ZAPRequest: Sendable {
    /// Where libzmq asks; one for each `Context`.
    public static let endpoint = Endpoint.inproc(name: "zeromq.zap.01")

    /// Who wants to be let in.
    public enum Credentials: Hashable, Sendable {
        /// No mechanism: over ipc the peer's user, as the kernel knows it (`SO_PEERCRED`); nil over tcp.
        case null(user: UInt32?)
        /// The peer's public key (Z85), which it has proved to own.
        case curve(publicKey: String)
        /// A mechanism that isn't used here.
        case other
    }

    /// What the socket was given as its domain.
    public let domain: String
    /// The peer's address, as libzmq writes it.
    public let address: String
    /// What the peer shows of itself.
    public let credentials: Credentials
    private let request: Frame

    /// Reads a message that was received at the handler; nil where it is no request of ZAP 1.0.
    public init?(_ message: Multipart) {
        let frames = message.frames
        guard frames.count >= 6, message.droppedFrames == 0, frames[0].bytes == Self.version else { return nil }
        func text(_ index: Int) -> String { String(decoding: frames[index].bytes, as: UTF8.self) }
        request = frames[1]
        domain = text(2)
        address = text(3)
        switch text(5) {
        case "NULL":
            // localhost:uid:gid:pid
            let parts = address.split(separator: ":", omittingEmptySubsequences: false)
            credentials = .null(user: parts.count == 4 && parts[0] == "localhost" ? UInt32(parts[1]) : nil)
        case "CURVE":
            guard frames.count == 7, let key = CurveKeyPair.key(ofBytes: frames[6].bytes) else { return nil }
            credentials = .curve(publicKey: key)
        default:
            credentials = .other
        }
    }

    /// Lets the peer in.
    ///
    /// - Parameter user: the `User-Id` of its messages.
    public func admitted(as user: String) -> [Frame] { reply("200", "OK", user) }

    /// Turns the peer away, for good: its socket doesn't try again.
    public var refused: [Frame] { reply("400", "refused", "") }

    private func reply(_ status: String, _ text: String, _ user: String) -> [Frame] {
        [
            Frame(Self.version), request, Frame(Array(status.utf8)), Frame(Array(text.utf8)), Frame(Array(user.utf8)),
            Frame([]),
        ]
    }

    private static let version = Array("1.0".utf8)
}
