import Messages
import ZeroMQ

/// A request on its way: what stays the same in all its attempts, so that a command has its effect once.
struct Outgoing: Sendable {
    var service: ServiceName
    var endpoint: Endpoint
    var operation: String
    var kind: RequestKind
    var key: Identifier?
    var after: Positions
    var traceparent: String?
    var body: Frame
}

/// A reply as it arrived, its body not read yet.
struct Answer: Sendable {
    var header: ReplyHeader
    /// From 1 to `ReplyHeader.maximumBodyFrames`.
    var body: [Frame]

    /// The error of an answer that is none of `ok`.
    ///
    /// - Throws: `malformedReply` where its body is none of an error.
    func refusal(of service: ServiceName) throws(ClientError) -> ClientError {
        var error = try Wire.decode(ErrorBody.self, from: body, of: service)
        error.request = header.id
        return .refused(service, header.status, error)
    }
}

/// How a request ended, the service's refusals not yet told from its results.
typealias Outcome = Result<Answer, ClientError>
