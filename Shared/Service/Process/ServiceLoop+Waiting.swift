internal import CBOR
internal import Client
internal import Glibc
internal import Messages
internal import Store
internal import ZeroMQ

extension ServiceLoop {
    /// A request that can only be decided later.
    struct Waiting {
        enum Cause {
            /// Others came before it.
            case turn
            /// The positions that its header asks for have to be reached.
            case positions
            /// This log has to be followed to its head.
            case log(ServiceName, ticket: UInt64)
            /// Something is computed for it.
            case aside(UInt64)

            /// What it is answered with at its deadline.
            var timeout: ServiceError {
                switch self {
                case .turn:
                    .refused(.timedOut, "too much was asked for before it, and its time is over: try again later")
                case .positions:
                    .refused(.timedOut, "the positions asked for were not reached in time: try again")
                case .log(let name, _): .refused(.timedOut, "\(name) could not be asked in time: try again")
                case .aside: Allowance.timedOut
                }
            }
        }

        var envelope: Envelope
        var request: Incoming
        /// By `now`.
        var deadline: Int64
        var cause: Cause
    }
}

/// Waits for other logs and for positions.
extension ServiceLoop {
    enum Reached {
        case yes
        case notYet
        case never(String)
    }

    func reached(_ wanted: Positions?) -> Reached {
        wanted == nil ? .yes : reached(wanted, at: engine.positions)
    }

    /// Whether what was read at these positions has what was asked for.
    func reached(_ wanted: Positions?, at current: Positions) -> Reached {
        guard let wanted else { return .yes }
        let own = engine.definition.name.rawValue
        // Whatever else is waited for, it would be in vain.
        if let position = wanted[own], position.epoch != current[own]?.epoch {
            return .never("the log of \(own) was made anew or restored since: start from what is there now")
        }
        for (name, position) in wanted {
            // A service that is not followed here can't change what is read.
            guard name == own || sources.contains(where: { $0.source.rawValue == name }) else { continue }
            guard let known = current[name], known.epoch == position.epoch, known.sequence >= position.sequence else {
                return .notYet
            }
        }
        return .yes
    }

    /// Answers a query, if what it found has reached what was asked for. What is known of another log may have been emptied
    /// since the query was let through: then it waits for it once more.
    func answer(_ request: Incoming, _ envelope: Envelope, found answer: Answer) throws {
        if answer.status == .ok, let positions = answer.positions, !isReached(request, at: positions) {
            return try waitForPositions(request, envelope)
        }
        try self.answer(envelope, request.header.id, answer)
    }

    /// The request is decided once the positions that it asks for are reached.
    func waitForPositions(_ request: Incoming, _ envelope: Envelope) throws {
        let deadline = request.deadline ?? deadline(request, now)
        try wait(Waiting(envelope: envelope, request: request, deadline: deadline, cause: .positions))
    }

    func isReached(_ request: Incoming, at positions: Positions) -> Bool {
        if case .yes = reached(request.header.after, at: positions) { true } else { false }
    }

    /// When a request that waits is answered at the latest: somewhat before its budget is over, so that the answer still
    /// finds the one who asked.
    func deadline(_ request: Incoming, _ now: Int64) -> Int64 {
        let budget = min(max(Int64(request.header.timeout ?? Int(ServiceLoop.defaultTimeout)), 0), 600_000)
        return now + budget - min(budget / 5, 250)
    }

    func wait(_ item: Waiting) throws {
        guard waiting.count < ServiceLoop.mostWaiting else {
            var refusal = Answer.failure(.unavailable, "too many requests wait already: try again later")
            refusal.retryAfter = 500
            try answer(item.envelope, item.request.header.id, refusal)
            return
        }
        var item = item
        item.request.deadline = item.deadline
        waiting.append(item)
    }

    func park(_ request: Incoming, _ envelope: Envelope, awaiting name: ServiceName) throws {
        let now = now
        guard let source = sources.first(where: { $0.source == name }) else {
            try answer(envelope, request.header.id, engine.failure(.awaiting(name)))
            return
        }
        let (ticket, actions) = source.follower.awaitHead(now: now)
        let item = Waiting(
            envelope: envelope,
            request: request,
            deadline: request.deadline ?? deadline(request, now),
            cause: .log(name, ticket: ticket)
        )
        try wait(item)
        try perform(actions, of: source)
    }

    /// Takes up what no longer waits, and answers what waited too long.
    func settleWaiting() throws {
        guard !waiting.isEmpty else { return }
        let now = now
        var still: [Waiting] = []
        var ready: [Waiting] = []
        for item in waiting {
            if case .positions = item.cause, case .yes = reached(item.request.header.after) {
                ready.append(item)
            } else if item.deadline <= now {
                try answer(item.envelope, item.request.header.id, engine.failure(item.cause.timeout))
            } else {
                still.append(item)
            }
        }
        waiting = still
        try decide(ready.map(\.request), ready.map(\.envelope))
    }

    /// Answers what waits for another service's log, or for a position in it.
    func refuse(waitingFor name: ServiceName, _ error: ServiceError) throws {
        var refused: [Waiting] = []
        waiting.removeAll { item in
            switch item.cause {
            case .log(name, _): break
            case .positions where item.request.header.after?[name.rawValue] != nil: break
            default: return false
            }
            refused.append(item)
            return true
        }
        for item in refused { try answer(item.envelope, item.request.header.id, engine.failure(error)) }
    }

    func settled(_ name: ServiceName, through ticket: UInt64, reached: Bool) throws {
        var ready: [Waiting] = []
        waiting.removeAll { item in
            guard case .log(name, let awaited) = item.cause, awaited <= ticket else { return false }
            var item = item
            item.request.followed[name] = reached
            ready.append(item)
            return true
        }
        try decide(ready.map(\.request), ready.map(\.envelope))
    }
}
