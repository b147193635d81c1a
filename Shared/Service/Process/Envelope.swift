internal import CBOR
internal import Messages
internal import ZeroMQ

/// A multipart message at the ROUTER, taken apart.
struct Envelope: Sendable {
    /// Routing ids, and the delimiter where there is one: echoed before the reply.
    var address: [Frame]
    /// The number of the entrance that it came by: only there the routing ids mean anything.
    var entrance: Int
    /// What the request says of itself, for the log; nil where its header can't be read.
    var origin: Origin?

    struct Origin {
        var operation: String
        var traceparent: String?
        /// By ``ServiceMetrics/now``.
        var arrived: Double
    }

    enum Content {
        case request(RequestHeader, body: [UInt8])
        /// Not a request of this protocol: answered, if at all, with this.
        case refused(id: UInt64, Status, ErrorBody)
    }

    /// Takes a received message apart; nil where there is nobody to answer.
    static func open(_ message: Multipart, at entrance: Int) -> (Envelope, Content)? {
        let frames = message.frames
        guard let routing = frames.first else { return nil }
        // A delimiter stands behind the routing ids, before header and body; a plain DEALER sends none.
        let addressCount: Int
        if frames.count >= 4, message.droppedFrames == 0, frames[frames.count - 3].isEmpty {
            addressCount = frames.count - 2
        } else if frames.count >= 2, frames[1].isEmpty {
            addressCount = 2
        } else {
            addressCount = 1
        }
        let address = addressCount == 1 ? [routing] : Array(frames[..<addressCount])
        var envelope = Envelope(address: address, entrance: entrance)
        let parts = frames[addressCount...]
        guard parts.count == 2, message.droppedFrames == 0 else {
            let count = parts.count + message.droppedFrames
            return (envelope, malformed("a request has a header frame and a body frame; found \(count)"))
        }
        let content = content(header: parts[addressCount], body: parts[addressCount + 1])
        if case .request(let header, _) = content {
            envelope.origin = Origin(
                operation: header.operation,
                traceparent: header.traceparent,
                arrived: ServiceMetrics.now
            )
        }
        return (envelope, content)
    }

    private static func content(header: Frame, body: Frame) -> Content {
        guard header.count <= RequestHeader.maximumBytes else {
            let message = "a header has at most \(RequestHeader.maximumBytes) bytes; found \(header.count)"
            return .refused(id: 0, .tooLarge, ErrorBody(code: Status.tooLarge.rawValue, message: message))
        }
        let decoded: RequestHeader
        do throws(CBORError) {
            decoded = try CBORDecoder().decode(RequestHeader.self, from: header.bytes)
        } catch {
            return malformed("the header can't be read: \(error)")
        }
        guard decoded.version == RequestHeader.currentVersion else {
            let message =
                "protocol version \(decoded.version) is not spoken here; version \(RequestHeader.currentVersion) is"
            let body = ErrorBody(
                code: Status.unsupportedVersion.rawValue,
                message: message,
                field: "version",
                found: String(decoded.version)
            )
            return .refused(id: decoded.id, .unsupportedVersion, body)
        }
        guard body.count <= RequestHeader.maximumBodyBytes else {
            let message = "a body has at most \(RequestHeader.maximumBodyBytes) bytes; found \(body.count)"
            return .refused(id: decoded.id, .tooLarge, ErrorBody(code: Status.tooLarge.rawValue, message: message))
        }
        return .request(decoded, body: body.bytes)
    }

    private static func malformed(_ message: String) -> Content {
        .refused(id: 0, .invalid, ErrorBody(code: "malformed", message: message))
    }

    /// A body frame is at most this many bytes: what the other side's socket takes.
    static let mostFrameBytes = 1 << 20

    /// The frames of a reply. What does not fit into its frames is answered with `too-large`.
    ///
    /// - Parameter backlog: counts the body's, until the peer took them.
    func reply(id: UInt64, run: Identifier, _ answer: Answer, countedBy backlog: Backlog? = nil) -> [Frame] {
        let bodies = [answer.body] + answer.more
        guard bodies.count <= ReplyHeader.maximumBodyFrames, bodies.allSatisfy({ $0.count <= Self.mostFrameBytes })
        else {
            let message = "the answer is larger than a reply can be: ask for less, with a period, a filter or a limit"
            return reply(id: id, run: run, .failure(.tooLarge, message))
        }
        let header = ReplyHeader(
            id: id,
            status: answer.status,
            positions: answer.positions,
            run: run,
            replayed: answer.replayed,
            retryAfter: answer.retryAfter
        )
        // A reply header holds nothing that can't be encoded.
        let bytes = (try? CBOREncoder().encode(header)) ?? []
        let frames = bodies.map { body in backlog.map { Frame(body, countedBy: $0) } ?? Frame(body) }
        return address + [Frame(bytes)] + frames
    }
}
