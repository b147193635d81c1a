package import Messages
package import ZeroMQ

/// A request on its way: what stays the same in all its attempts, so that a command has its effect once.
package struct Outgoing: Sendable {
    var service: ServiceName
    var endpoint: Endpoint
    var operation: String
    var kind: RequestKind
    var key: Identifier?
    var after: Positions
    var traceparent: String?
    var body: Frame

    package init(
        service: ServiceName,
        endpoint: Endpoint,
        operation: String,
        kind: RequestKind,
        key: Identifier?,
        after: Positions,
        traceparent: String? = nil,
        body: Frame
    ) {
        self.service = service
        self.endpoint = endpoint
        self.operation = operation
        self.kind = kind
        self.key = key
        self.after = after
        self.traceparent = traceparent
        self.body = body
    }
}

/// A reply as it arrived, its body not read yet.
package struct Answer: Sendable {
    package var header: ReplyHeader
    /// From 1 to `ReplyHeader.maximumBodyFrames`.
    package var body: [Frame]

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
package typealias Outcome = Result<Answer, ClientError>
