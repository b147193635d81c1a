import Messages
import ZeroMQ

/// The requests that have no outcome yet: their budgets, when each is sent again, and on which link.
///
/// A link is one DEALER socket; each service has a current one, made at its first request. The table does no I/O and has
/// no clock: every event comes in with its time, and what is to be done comes out as actions, to be done in order.
///
/// - An attempt without an answer is sent again after 250 ms, 500 ms, 1 s, 2 s, 2 s, … (a scan after 2 s each), with the
///   same id, key and content.
/// - A link that was silent since such an attempt is replaced, as its peer may have vanished. The old one is still
///   listened to until the service has nothing pending, because a slow answer may come through it; and each silent link
///   is given twice the time of the one before it, so a long budget takes few of them.
/// - A retryable status rests for the service's `retryAfter`, or for the interval, and is sent again. It is the outcome
///   where the budget doesn't reach that far, and after three faults (`internal`); but `timed-out` after another one
///   leaves that as the outcome.
/// - The first answer counts, later ones find nobody.
struct RequestTable {
    typealias Instant = ContinuousClock.Instant

    /// What the owner of the sockets is to do.
    enum Action {
        /// Make a socket and connect it.
        case open(link: Int, ServiceName, Endpoint)
        case close(link: Int)
        /// Send, and tell the table where there was no room (`blocked`).
        case send(Attempt)
        /// Hand the outcome to whoever waits for it.
        case finish(UInt64, Outcome)
    }

    /// One sending of a request.
    struct Attempt {
        var id: UInt64
        var link: Int
        var request: Outgoing
        /// What is left of the request's time.
        var budget: Duration
    }

    /// A fault of the service (`internal`) is the outcome at this many answers.
    static let maximumFaults = 3
    /// A service that asks for less is given this much rest.
    static let shortestRest = Duration.milliseconds(10)
    /// Longer budgets are held to this.
    static let longestBudget = Duration.seconds(86_400)

    private var pending: [UInt64: Pending] = [:]
    private var links: [ServiceName: Links] = [:]
    private var lastLink = 0

    /// When `advance(to:)` has something to do, at the earliest; nil while nothing is pending.
    ///
    /// May be early, as an outcome doesn't move it: then `advance(to:)` finds nothing, and sets it anew.
    private(set) var wake: Instant?

    /// How many requests have no outcome yet.
    var count: Int { pending.count }
}

extension RequestTable {
    private struct Pending {
        let request: Outgoing
        let start: Instant
        let deadline: Instant
        var backoff: Backoff
        var faults = 0
        var state = State.waiting
        /// The last answer with a retryable status; `timed-out` only where there was no other.
        var refusal: Answer?

        /// When something is to be done about it without an event from outside.
        var due: Instant {
            switch state {
            case .waiting: deadline
            case .sent(_, _, let until), .resting(let until): min(until, deadline)
            }
        }
    }

    private enum State {
        /// The current link has no room, or no connection yet.
        case waiting
        /// An answer is expected until then.
        case sent(link: Int, at: Instant, until: Instant)
        /// The service asked for a pause.
        case resting(until: Instant)
    }

    /// The links to one service.
    private struct Links {
        var current: Int
        var opened: Instant
        /// When the current link last brought anything.
        var heard: Instant?
        /// How long the current link may be silent after it was opened.
        var patience: Duration
        /// Replaced, but still listened to.
        var retired: [Int] = []
        /// Why the current link does not come about.
        var problem: ClientError?
    }
}

// MARK: - What the caller does

extension RequestTable {
    /// Takes a request in, and sends it.
    mutating func submit(_ id: UInt64, _ request: Outgoing, timeout: Duration, at now: Instant) -> [Action] {
        let deadline = now + min(max(timeout, .zero), Self.longestBudget)
        let backoff = request.kind == .scan ? Backoff(shortest: .seconds(2)) : Backoff()
        pending[id] = Pending(request: request, start: now, deadline: deadline, backoff: backoff)
        var actions: [Action] = []
        transmit(id, at: now, &actions)
        return actions
    }

    /// Forgets a request that nobody waits for any more.
    mutating func cancel(_ id: UInt64) -> [Action] {
        guard let request = pending.removeValue(forKey: id)?.request else { return [] }
        var actions: [Action] = []
        closeRetired(request.service, &actions)
        return actions
    }

    /// Does what the time has come for: ends what is over its budget, and sends again what had no answer.
    mutating func advance(to now: Instant) -> [Action] {
        guard let wake, wake <= now else { return [] }
        var actions: [Action] = []
        for id in pending.filter({ $0.value.due <= now }).keys.sorted() {
            guard let request = pending[id] else { continue }
            if request.deadline <= now {
                expire(id, request, &actions)
                continue
            }
            if case .sent(let link, let sent, _) = request.state {
                replaceIfSilent(link, of: request.request, since: sent, at: now, &actions)
                pending[id]?.backoff.advance()
            }
            transmit(id, at: now, &actions)
        }
        self.wake = pending.values.lazy.map(\.due).min()
        return actions
    }

    private mutating func expire(_ id: UInt64, _ request: Pending, _ actions: inout [Action]) {
        if let refusal = request.refusal {
            finish(id, .success(refusal), &actions)
        } else {
            let (service, endpoint) = (request.request.service, request.request.endpoint)
            let silence = ClientError.unreachable(service, endpoint, after: request.deadline - request.start)
            finish(id, .failure(links[service]?.problem ?? silence), &actions)
        }
    }
}

// MARK: - What the sockets tell

extension RequestTable {
    /// There was no room for an attempt: it waits for `writable`.
    mutating func blocked(_ attempt: Attempt) {
        pending[attempt.id]?.state = .waiting
    }

    /// The link has room again, or its connection stands.
    mutating func writable(_ link: Int, at now: Instant) -> [Action] {
        guard let service = service(of: link), links[service]?.current == link else { return [] }
        var actions: [Action] = []
        transmitWaiting(service, at: now, &actions)
        return actions
    }

    /// A reply arrived.
    ///
    /// One with the id 0 answers a header that the service couldn't read; it is the outcome of all that was sent there.
    mutating func received(_ answer: Answer, from link: Int, at now: Instant) -> [Action] {
        guard let service = hear(link, at: now) else { return [] }
        var actions: [Action] = []
        let header = answer.header
        guard header.version == RequestHeader.currentVersion || header.status == .unsupportedVersion else {
            let reason = "it speaks version \(header.version), not \(RequestHeader.currentVersion)."
            return finishAll([header.id], service, .failure(.malformedReply(service, reason)))
        }
        guard header.id != 0 else { return finishAll(sent(on: link), service, .success(answer)) }
        guard let request = pending[header.id], request.request.service == service else { return [] }
        if header.status.isRetryable {
            refused(header.id, request, answer, at: now, &actions)
        } else {
            finish(header.id, .success(answer), &actions)
        }
        return actions
    }

    /// Something arrived that is no reply. Where its id can't be read it spoils all that was sent on the link.
    mutating func receivedMalformed(_ id: UInt64?, _ reason: String, from link: Int, at now: Instant) -> [Action] {
        guard let service = hear(link, at: now) else { return [] }
        let ids = id.map { [$0] } ?? sent(on: link)
        return finishAll(ids, service, .failure(.malformedReply(service, reason)))
    }

    /// The link can't be used any more; where it is the current one, the service's requests fail, and the next makes a new
    /// link.
    mutating func failed(_ link: Int, _ error: ClientError) -> [Action] {
        guard let service = service(of: link), var group = links[service] else { return [] }
        guard group.current == link else {
            group.retired.removeAll { $0 == link }
            links[service] = group
            return [.close(link: link)]
        }
        let ids = pending.filter { $0.value.request.service == service }.keys.sorted()
        links[service] = nil
        return finishAll(ids, service, .failure(error))
            + (group.retired + [link]).map { .close(link: $0) }
    }

    /// The link does not come about, as it seems, and goes on trying; this is why, where nothing better is known in the end.
    mutating func hindered(_ link: Int, _ problem: ClientError) {
        guard let service = service(of: link), links[service]?.current == link else { return }
        links[service]?.problem = problem
    }

    /// The link can't come about with what it was made with: another takes its place, and all that was sent goes there.
    mutating func renew(_ link: Int, at now: Instant) -> [Action] {
        guard let service = service(of: link), links[service]?.current == link,
            let request = pending.values.first(where: { $0.request.service == service })?.request
        else { return failed(link, .closed) }
        var actions: [Action] = []
        let retired = (links[service]?.retired ?? []) + [link]
        _ = open(request, patience: Backoff().interval, retired: retired, at: now, &actions)
        for id in sent(on: link) { transmit(id, at: now, &actions) }
        transmitWaiting(service, at: now, &actions)
        return actions
    }

    /// The request can't be sent at all.
    mutating func reject(_ id: UInt64, _ error: ClientError) -> [Action] {
        guard let request = pending[id]?.request else { return [] }
        return finishAll([id], request.service, .failure(error))
    }

    private mutating func refused(
        _ id: UInt64,
        _ request: Pending,
        _ answer: Answer,
        at now: Instant,
        _ actions: inout [Action]
    ) {
        var request = request
        // That the rest of the budget was too short says less than why all of it was needed.
        if answer.header.status != .timedOut || request.refusal == nil { request.refusal = answer }
        // Of two answers to two attempts only the first asks for a rest.
        guard case .sent = request.state else {
            pending[id] = request
            return
        }
        let asked = answer.header.retryAfter.map { max(.milliseconds($0), Self.shortestRest) }
        let until = now + (asked ?? request.backoff.interval)
        if answer.header.status == .internal { request.faults += 1 }
        guard until < request.deadline, request.faults < Self.maximumFaults else {
            finish(id, .success(request.refusal ?? answer), &actions)
            return
        }
        request.backoff.advance()
        request.state = .resting(until: until)
        pending[id] = request
        wake(at: until)
    }
}

// MARK: - Steps

extension RequestTable {
    private mutating func transmit(_ id: UInt64, at now: Instant, _ actions: inout [Action]) {
        guard var request = pending[id] else { return }
        let link = currentLink(for: request.request, at: now, &actions)
        request.state = .sent(link: link, at: now, until: now + request.backoff.interval)
        pending[id] = request
        wake(at: request.due)
        let budget = request.deadline - now
        actions.append(.send(Attempt(id: id, link: link, request: request.request, budget: budget)))
    }

    private mutating func transmitWaiting(_ service: ServiceName, at now: Instant, _ actions: inout [Action]) {
        let ids = pending.filter {
            if case .waiting = $0.value.state { $0.value.request.service == service } else { false }
        }
        for id in ids.keys.sorted() { transmit(id, at: now, &actions) }
    }

    private mutating func finish(_ id: UInt64, _ outcome: Outcome, _ actions: inout [Action]) {
        guard let request = pending.removeValue(forKey: id)?.request else { return }
        actions.append(.finish(id, outcome))
        closeRetired(request.service, &actions)
    }

    private mutating func finishAll(_ ids: [UInt64], _ service: ServiceName, _ outcome: Outcome) -> [Action] {
        var actions: [Action] = []
        for id in ids where pending[id]?.request.service == service { finish(id, outcome, &actions) }
        return actions
    }

    private mutating func wake(at time: Instant) {
        wake = wake.map { min($0, time) } ?? time
    }

    private func sent(on link: Int) -> [UInt64] {
        pending.filter { if case .sent(link, _, _) = $0.value.state { true } else { false } }.keys.sorted()
    }

    // MARK: Links

    private mutating func currentLink(for request: Outgoing, at now: Instant, _ actions: inout [Action]) -> Int {
        if let link = links[request.service]?.current { return link }
        return open(request, patience: Backoff().interval, retired: [], at: now, &actions)
    }

    private mutating func replaceIfSilent(
        _ link: Int,
        of request: Outgoing,
        since sent: Instant,
        at now: Instant,
        _ actions: inout [Action]
    ) {
        guard let group = links[request.service], group.current == link, group.opened + group.patience <= now,
            group.heard.map({ $0 < sent }) ?? true
        else { return }
        let retired = group.retired + [link]
        _ = open(request, patience: group.patience * 2, retired: retired, at: now, &actions)
        transmitWaiting(request.service, at: now, &actions)
    }

    private mutating func open(
        _ request: Outgoing,
        patience: Duration,
        retired: [Int],
        at now: Instant,
        _ actions: inout [Action]
    ) -> Int {
        lastLink += 1
        links[request.service] = Links(current: lastLink, opened: now, patience: patience, retired: retired)
        actions.append(.open(link: lastLink, request.service, request.endpoint))
        return lastLink
    }

    private mutating func closeRetired(_ service: ServiceName, _ actions: inout [Action]) {
        guard let retired = links[service]?.retired, !retired.isEmpty,
            !pending.values.contains(where: { $0.request.service == service })
        else { return }
        links[service]?.retired = []
        for link in retired { actions.append(.close(link: link)) }
    }

    private func service(of link: Int) -> ServiceName? {
        links.first { $0.value.current == link || $0.value.retired.contains(link) }?.key
    }

    private mutating func hear(_ link: Int, at now: Instant) -> ServiceName? {
        guard let service = service(of: link) else { return nil }
        if links[service]?.current == link {
            links[service]?.heard = now
            links[service]?.problem = nil
            links[service]?.patience = Backoff().interval
        }
        return service
    }
}
