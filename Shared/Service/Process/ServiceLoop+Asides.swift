internal import CBOR
internal import Messages
internal import Store
internal import ZeroMQ

/// Commands that want something computed aside.
extension ServiceLoop {
    /// Has it computed; the command waits for that.
    func compute(_ work: AsideWork, for request: Incoming, _ envelope: Envelope) throws {
        let now = now
        var item = Waiting(
            envelope: envelope,
            request: request,
            deadline: request.deadline ?? deadline(request, now),
            cause: .aside(lastAside + 1)
        )
        // Sent again while it is at work, it waits for the same result.
        let first = waiting.first { $0.isAside && $0.request.isSameCommand(as: request) }
        if let first {
            item.cause = first.cause
            return try wait(item)
        }
        let (registry, epoch, principal) = (engine.definition.routes.registry, engine.log.epoch, request.principal)
        let isAccepted = asides.submit(work, ticket: lastAside + 1, deadline: item.deadline) { session in
            Reading(session: session, registry: registry, epoch: epoch, principal: principal)
        }
        guard isAccepted else {
            var refusal = Answer.failure(.unavailable, "too much is being computed already: try again later")
            refusal.retryAfter = 500
            return try answer(envelope, request.header.id, refusal)
        }
        lastAside += 1
        try wait(item)
    }

    /// Decides the commands again whose results are there; where nobody waits any more, a result is dropped.
    func finishAsides() throws {
        for done in asides.takeDone() {
            var ready: [Waiting] = []
            waiting.removeAll { item in
                guard case .aside(done.ticket) = item.cause else { return false }
                var item = item
                item.request.aside = done.result
                ready.append(item)
                return true
            }
            try decide(ready.map(\.request), ready.map(\.envelope))
        }
    }
}

extension ServiceLoop.Waiting {
    fileprivate var isAside: Bool {
        if case .aside = cause { true } else { false }
    }
}

extension Incoming {
    /// Whether both are attempts of one command.
    fileprivate func isSameCommand(as other: Incoming) -> Bool {
        header.key != nil && header.key == other.header.key && header.operation == other.header.operation
            && principal == other.principal && body == other.body
    }
}
