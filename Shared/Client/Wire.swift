import CBOR
import Messages
import ZeroMQ

/// Requests and replies as frames.
enum Wire {
    /// The header and the body of an attempt; the header tells the service what is left of the budget.
    ///
    /// - Throws: `requestTooLarge`, `invalidRequest`.
    static func frames(_ attempt: RequestTable.Attempt) throws(ClientError) -> [Frame] {
        let request = attempt.request
        let header = RequestHeader(
            id: attempt.id,
            operation: request.operation,
            key: request.key,
            timeout: max(1, attempt.budget.wholeMilliseconds),
            after: request.after.isEmpty ? nil : request.after,
            traceparent: request.traceparent
        )
        let bytes = try encode(header, for: request.service, limit: RequestHeader.maximumBytes)
        return [Frame(bytes), request.body]
    }

    /// The one item of a value.
    ///
    /// - Throws: `requestTooLarge`, `invalidRequest`.
    static func encode(
        _ value: some Encodable,
        for service: ServiceName,
        limit: Int
    ) throws(ClientError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try CBOREncoder().encode(value)
        } catch {
            throw .invalidRequest(service, error.description)
        }
        guard bytes.count <= limit else { throw .requestTooLarge(service, bytes: bytes.count, limit: limit) }
        return bytes
    }

    /// What arrived: a reply, or what is wrong with it and the id as far as it can be read.
    enum Arrival {
        case answer(Answer)
        case malformed(id: UInt64?, String)
    }

    /// Reads the header of a reply; the body is left to who asked.
    static func read(_ message: Multipart) -> Arrival {
        guard let first = message.frames.first else { return .malformed(id: nil, "it has no frame.") }
        let header: ReplyHeader
        do {
            header = try first.withUnsafeBytes { (bytes) throws(CBORError) in
                try CBORDecoder(profile: .wire).decode(ReplyHeader.self, from: bytes)
            }
        } catch {
            return .malformed(id: id(of: first), "in the header: \(error)")
        }
        let bodies = message.frames.count - 1 + message.droppedFrames
        guard (1...ReplyHeader.maximumBodyFrames).contains(bodies) else {
            return .malformed(id: header.id, "it has \(bodies) body frames.")
        }
        return .answer(Answer(header: header, body: Array(message.frames.dropFirst())))
    }

    /// The value of a body: of one frame, or of several where the reply is a `FramedReply`.
    ///
    /// - Throws: `malformedReply`.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: [Frame],
        of service: ServiceName
    ) throws(ClientError) -> Value {
        guard let first = body.first else { throw .malformedReply(service, "it has no body frame.") }
        let value = try decode(type, from: first, of: service)
        guard body.count > 1 else { return value }
        guard var framed = value as? any FramedReply else {
            throw .malformedReply(service, "its body has \(body.count) frames where one is expected.")
        }
        for frame in body.dropFirst() { try append(frame, to: &framed, of: service) }
        guard let whole = framed as? Value else {
            throw .malformedReply(service, "its frames do not belong together.")
        }
        return whole
    }

    private static func append(
        _ frame: Frame,
        to reply: inout any FramedReply,
        of service: ServiceName
    ) throws(ClientError) {
        func appended<Reply: FramedReply>(_ reply: Reply) throws(ClientError) -> any FramedReply {
            var reply = reply
            reply.append(try decode(Reply.self, from: frame, of: service))
            return reply
        }
        reply = try appended(reply)
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        from frame: Frame,
        of service: ServiceName
    ) throws(ClientError) -> Value {
        do {
            return try frame.withUnsafeBytes { (bytes) throws(CBORError) in
                try CBORDecoder(profile: .wire).decode(type, from: bytes)
            }
        } catch {
            throw .malformedReply(service, "in the body: \(error)")
        }
    }

    /// The id of a header that is otherwise refused, such as one with a status that this version doesn't know.
    private static func id(of frame: Frame) -> UInt64? {
        struct Header: Decodable {
            var id: UInt64
        }
        return frame.withUnsafeBytes { bytes in
            try? CBORDecoder(profile: .wire).decode(Header.self, from: bytes).id
        }
    }
}
