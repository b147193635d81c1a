package import LiveList
package import Messages

/// Follows a live list: when to open it, what to subscribe to, what to give out. A value without sockets and without a
/// clock.
///
/// The rule: open, subscribe, wait for the state that the topic answers with. If the snapshot isn't older than it, the
/// snapshot is given out, and then the batches behind its number; otherwise batches were missed, and the list is opened
/// once more, while those behind the state are kept. Batches chain by number. A hole, a reset, another list, a state that
/// is ahead or has another digest, a new run of the service, no state in time: open again. What was given out stays; only
/// when the new snapshot differs from it, a resync tells so.
///
/// Times are milliseconds of any clock that doesn't step back. Each call gives the actions in the order in which they are
/// to be done.
package struct ListFollower: Sendable {
    package enum Action: Equatable, Sendable {
        /// Send the query; the answer comes to `opened(_:run:answering:now:)` or `failed(_:now:)`.
        case open(id: UInt64)
        /// Subscribe to this topic, anew where it is subscribed to already, so that it is answered.
        case subscribe(String)
        case give(ListUpdate)
    }

    /// A subscription that isn't answered in this time is made again, in milliseconds.
    package static let patience: Int64 = 2000
    /// Without a state for this long the list is opened again.
    package static let silence: Int64 = 2500
    /// Between attempts that follow each other.
    package static let pause: Int64 = 250
    /// Batches that wait for a snapshot are held up to so many bytes.
    package static let waitingBytes = 1 << 20

    private enum Phase: Sendable {
        case resting(until: Int64)
        case opening(id: UInt64)
        /// The snapshot is there, the state of the topic isn't.
        case joining(OpenList.Reply, since: Int64)
        case live
        /// Nothing is taken in until `drain`.
        case full
    }

    /// From here on all batches were heard.
    private struct Anchor: Sendable {
        var list: Identifier
        var number: Int64
        var digest: UInt64?
    }

    private var phase = Phase.resting(until: 0)
    private var topic: String?
    private var anchor: Anchor?
    /// The batches behind the anchor, without a hole.
    private var waiting: [ListBatch] = []
    private var bytes = 0
    /// What was given out last.
    private var shown: ListState?
    private var reason: String?
    private var run: Identifier?
    private var lastHeard: Int64 = 0
    private var lastID: UInt64 = 0
    /// Openings since the list was last followed.
    private var attempts = 0

    package init() {}

    package mutating func start(now: Int64) -> [Action] { open(now: now) }

    /// When `tick(now:)` has something to do, at the earliest.
    package var deadline: Int64 {
        switch phase {
        case .resting(let time): time
        case .opening, .full: .max
        case .joining(_, let since): since + Self.patience
        case .live: lastHeard + Self.silence
        }
    }

    // MARK: What comes from the service

    /// The answer to an opening; one to another than the last is passed over.
    package mutating func opened(
        _ reply: OpenList.Reply,
        run: Identifier?,
        answering id: UInt64,
        now: Int64
    ) -> [Action] {
        guard case .opening(id) = phase else { return [] }
        self.run = run
        var actions: [Action] = []
        if topic != reply.topic || anchor?.list != reply.list {
            // The list may be another under the same topic: only a new subscription is answered at once.
            topic = reply.topic
            forget()
            actions.append(.subscribe(reply.topic))
        }
        phase = .joining(reply, since: now)
        return actions + join(now: now)
    }

    /// The opening had no answer, or one that passes.
    package mutating func failed(_ id: UInt64, now: Int64) -> [Action] {
        guard case .opening(id) = phase else { return [] }
        phase = .resting(until: now + Self.pause)
        return []
    }

    /// A state on the topic.
    package mutating func told(_ state: ListState, now: Int64) -> [Action] {
        lastHeard = now
        switch phase {
        case .full: return []
        case .live:
            guard let shown, state != shown else { return [] }
            if state.list == shown.list, state.number < shown.number { return [] }
            anchor(at: state)
            if state.list != shown.list { return reopen("another list", now: now) }
            return reopen(state.number == shown.number ? "digest" : "hole", now: now)
        case .resting, .opening, .joining:
            if anchor?.list != state.list || state.number > reach { anchor(at: state) }
            return join(now: now)
        }
    }

    /// A batch on the topic, and how long it is.
    package mutating func published(_ batch: ListBatch, bytes size: Int, now: Int64) -> [Action] {
        lastHeard = now
        switch phase {
        case .full: return []
        case .live:
            guard let shown else { return [] }
            if batch.list == shown.list, batch.number <= shown.number { return [] }
            guard batch.list == shown.list, batch.base == shown.number, batch.base == batch.number - 1,
                batch.reset != true
            else {
                keep(batch, size)
                return reopen(
                    batch.list != shown.list ? "another list" : batch.base == shown.number ? "reset" : "hole",
                    now: now
                )
            }
            return [give(batch)]
        case .resting, .opening, .joining:
            if anchor?.list != batch.list || batch.number > reach { keep(batch, size) }
            return join(now: now)
        }
    }

    /// A heartbeat of the service: a new run doesn't know the list.
    package mutating func heard(run: Identifier, now: Int64) -> [Action] {
        guard let known = self.run, known != run else { return [] }
        switch phase {
        case .live, .joining:
            forget()
            return reopen("restart", now: now)
        case .resting, .opening, .full: return []
        }
    }

    package mutating func tick(now: Int64) -> [Action] {
        guard now >= deadline else { return [] }
        switch phase {
        case .resting: return open(now: now)
        case .joining, .live:
            forget()
            return reopen("silence", now: now)
        case .opening, .full: return []
        }
    }

    // MARK: What comes from the caller

    /// The caller can take no more, and drops what it has not taken: until `drain` nothing is given out.
    package mutating func fill() {
        phase = .full
        if shown != nil { reason = "slow" }
        shown = nil
        forget()
    }

    /// The caller has room again.
    package mutating func drain(now: Int64) -> [Action] {
        guard case .full = phase else { return [] }
        return open(now: now)
    }

    // MARK: Steps

    /// The last number up to which batches were heard.
    private var reach: Int64 { (anchor?.number ?? 0) + Int64(waiting.count) }

    private mutating func forget() {
        anchor = nil
        (waiting, bytes) = ([], 0)
    }

    private mutating func anchor(at state: ListState) {
        forget()
        anchor = Anchor(list: state.list, number: state.number, digest: state.digest)
    }

    /// Puts a batch behind those that wait; where it doesn't follow them, or there are too many, it begins anew.
    private mutating func keep(_ batch: ListBatch, _ size: Int) {
        guard batch.number > 0, batch.base == batch.number - 1 else { return forget() }
        if batch.reset == true || bytes + size > Self.waitingBytes {
            forget()
            anchor = Anchor(list: batch.list, number: batch.number, digest: batch.digest)
            return
        }
        if anchor?.list != batch.list || batch.base != reach {
            forget()
            anchor = Anchor(list: batch.list, number: batch.base)
        }
        waiting.append(batch)
        bytes += size
    }

    /// Gives out the snapshot if all batches behind it were heard.
    private mutating func join(now: Int64) -> [Action] {
        guard case .joining(let reply, _) = phase, let anchor else { return [] }
        guard anchor.list == reply.list else { return reopen("another list", now: now) }
        guard anchor.number <= reply.number else { return reopen("hole", now: now) }
        if anchor.number == reply.number, let digest = anchor.digest, digest != reply.digest {
            forget()
            return reopen("digest", now: now)
        }
        var actions: [Action] = []
        let state = ListState(list: reply.list, number: reply.number, digest: reply.digest)
        if shown != state {
            if let reason { actions.append(.give(.resync(reason))) }
            actions.append(.give(.snapshot(reply)))
        }
        shown = state
        self.anchor = Anchor(list: state.list, number: state.number, digest: state.digest)
        reason = nil
        attempts = 0
        phase = .live
        lastHeard = now
        for batch in waiting where batch.number > reply.number { actions.append(give(batch)) }
        (waiting, bytes) = ([], 0)
        return actions
    }

    private mutating func give(_ batch: ListBatch) -> Action {
        shown = ListState(list: batch.list, number: batch.number, digest: batch.digest)
        // Where it has to be joined again, this is where it was heard up to.
        anchor = Anchor(list: batch.list, number: batch.number, digest: batch.digest)
        return .give(.batch(batch))
    }

    private mutating func reopen(_ reason: String, now: Int64) -> [Action] {
        // The first cause counts, and none before the first snapshot.
        if shown != nil, self.reason == nil { self.reason = reason }
        // A peer that contradicts itself is not asked without a rest.
        guard attempts < 2 else {
            phase = .resting(until: now + Self.pause)
            return []
        }
        return open(now: now)
    }

    private mutating func open(now: Int64) -> [Action] {
        attempts += 1
        lastID += 1
        phase = .opening(id: lastID)
        return [.open(id: lastID)]
    }
}
