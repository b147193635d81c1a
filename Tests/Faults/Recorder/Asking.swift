import CBOR
import Client
import JSON
import Messages

/// One client: asks, and records what it asked and what it was answered.
struct Asking: Sendable {
    /// Who it is in the history.
    let name: String
    let client: DaybookClient
    let history: History

    /// How a request ended.
    enum Ending<Reply: Sendable>: Sendable {
        case done(Response<Reply>)
        /// It had no effect.
        case refused(Status)
        /// Nobody knows whether it had its effect.
        case unknown
    }

    /// Asks once; the client repeats what is not answered until its time is over.
    func ask<R: Request>(
        _ request: R,
        key: Identifier = .make(),
        to service: ServiceName? = nil,
        after: Positions = [:]
    ) async throws -> Ending<R.Reply> {
        let number = history.next()
        let service = service ?? R.service ?? .catalog
        var asked: [JSONValue.Member] = [
            .integer("n", number), .text("operation", R.operation), .text("service", service.rawValue),
            try .encoded("body", request),
        ]
        if R.kind == .command { asked.append(.text("key", key.hexadecimal)) }
        if !after.isEmpty { asked.append(.positions("after", after)) }
        history.record(name, "ask", asked)
        do {
            let response = try await client.send(request, to: service, key: key, after: after)
            var answer: [JSONValue.Member] = [
                .integer("n", number), try .encoded("body", response.value),
                .positions("positions", response.positions),
            ]
            if response.replayed { answer.append(.init(key: "replayed", value: .boolean(true))) }
            if let run = response.run { answer.append(.text("run", run.hexadecimal)) }
            history.record(name, "ok", answer)
            return .done(response)
        } catch ClientError.refused(_, let status, let body) {
            let why: [JSONValue.Member] = [
                .integer("n", number), .text("status", status.rawValue), .text("message", body.message),
            ]
            // What may be sent again may have been done by an attempt before the last.
            history.record(name, status.isRetryable ? "unknown" : "refused", why)
            return status.isRetryable ? .unknown : .refused(status)
        } catch {
            history.record(name, "unknown", [.integer("n", number), .text("message", "\(error)")])
            return .unknown
        }
    }
}
