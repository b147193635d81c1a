package import CBOR
package import Messages

/// Follows a service's log: decides what to ask for, what to apply, and when to start anew. A value without sockets and
/// without a clock.
///
/// The rule, the whole of it: a new run is answered by reading from the position before anything is applied; another
/// epoch, another past, or a log that ends before the position is told as a resync; what is not above the position is
/// ignored; what continues it is applied; whatever else comes is answered by reading from the position.
///
/// Times are milliseconds of any clock that doesn't step back. Each call gives the actions in the order in which they are
/// to be done; at most one of them is a read.
package struct LogFollower: Sendable {
    package enum Action: Equatable, Sendable {
        /// Ask for the events behind the position; the answer comes to `received(_:run:answering:now:)`.
        case read(ReadEvents, id: UInt64)
        /// These events come next; with the chain at each where it was told, and the position behind the last.
        case apply([EncodedCBOR], chains: [UInt64]?, reaching: EventPosition)
        /// What was built has no past in common with the log; it goes on behind this position.
        case resync(ResyncReason, EventPosition)
        /// The log was read to its head by a read that began after these tickets were asked for; or it can't be reached.
        case settled(through: UInt64, reached: Bool)
    }

    /// Where to go on after a resync.
    package enum Restart: Sendable {
        /// With the log's first event: what was built is built anew from events alone.
        case first
        /// Behind the log's head: what was built is built anew from a snapshot.
        case head
    }

    /// Without an answer or a heartbeat for this long, in milliseconds, the source counts as unreachable.
    package static let silence: Int64 = 2500

    /// Behind the last event that was given out.
    package private(set) var position: EventPosition
    package private(set) var state = SourceStatus.State.catchingUp
    /// Why it was stopped.
    package private(set) var reason: String?

    private let restart: Restart
    private let patience: Int64
    private var run: Identifier?
    private var reading: (id: UInt64, since: Int64)?
    /// Where the last read goes on from: what was published may have come further.
    private var asked: EventPosition?
    private var nextID: UInt64 = 1
    private var lastHeard: Int64 = .min / 2
    private var isFull = false
    /// The read from which on the head is awaited: the last ticket.
    private var awaited: UInt64 = 0
    private var settled: UInt64 = 0
    private var waitingSince: Int64?

    /// - Parameters:
    ///   - position: what the caller has.
    ///   - patience: a read that is not answered within this many milliseconds is sent again.
    package init(from position: EventPosition = .start, restart: Restart, patience: Int64 = 500) {
        self.position = position
        self.restart = restart
        self.patience = patience
    }

    package mutating func start(now: Int64) -> [Action] {
        // The source has its time to answer before it is called unreachable.
        lastHeard = now
        return read(now: now)
    }

    /// When `tick(now:)` has something to do, at the earliest.
    package var deadline: Int64 {
        guard state != .stopped, !isFull else { return .max }
        let next = reading.map { $0.since + patience } ?? lastHeard + Self.silence
        return waitingSince.map { min(next, max($0, lastHeard) + Self.silence) } ?? next
    }

    // MARK: What comes from the source

    /// The answer to a read. One that comes late, when the read was repeated already, is used as far as it continues the
    /// position.
    package mutating func received(_ page: EventPage, run: Identifier?, answering id: UInt64, now: Int64) -> [Action] {
        // A page that no log has is no answer: the read is repeated.
        guard state != .stopped, id < nextID, let start = page.start else { return [] }
        let isCurrent = reading?.id == id
        lastHeard = now
        guard !isFull else { return [] }
        reason = nil
        if let resync = page.resync {
            guard isCurrent else { return [] }
            return asked == position ? resynced(resync, page, now: now) : read(now: now)
        }
        if isCurrent {
            reading = nil
            self.run = run
        }
        guard position.epoch == nil || position.epoch == page.epoch, start <= position.sequence,
            page.through >= position.sequence
        else {
            guard isCurrent else { return [] }
            state = .catchingUp
            // A page that was overtaken is asked for again; one that leaves a hole is outside the protocol: not in a hurry.
            if page.through < position.sequence { return read(now: now) }
            reading = (0, now)
            return []
        }
        let known = Int(position.sequence - start)
        let chains = page.chains.flatMap { $0.count == page.events.count ? $0 : nil }
        // Two answers may come from before and after a restore: where they overlap they must have the same past.
        let overlap = known == page.events.count ? page.chain : known > 0 ? chains?[known - 1] : nil
        if let overlap, let chain = position.chain, overlap != chain { return isCurrent ? read(now: now) : [] }
        var actions: [Action] = []
        let reached = EventPosition(epoch: page.epoch, sequence: page.through, chain: page.chain)
        if position != reached {
            let events = Array(page.events.dropFirst(known))
            actions.append(.apply(events, chains: chains.map { Array($0.dropFirst(known)) }, reaching: reached))
            position = reached
        }
        guard isCurrent else { return actions }
        guard page.through >= page.head else {
            state = .catchingUp
            return actions + read(now: now)
        }
        state = .live
        guard awaited > settled else { return actions }
        guard id >= awaited else { return actions + read(now: now) }
        settled = id
        waitingSince = nil
        return actions + [.settled(through: id, reached: true)]
    }

    private mutating func resynced(_ reason: ResyncReason, _ page: EventPage, now: Int64) -> [Action] {
        position =
            switch restart {
            case .first: .start
            case .head: EventPosition(epoch: page.epoch, sequence: page.head, chain: page.chain)
            }
        state = .catchingUp
        return [.resync(reason, position)] + read(now: now)
    }

    /// A published run of events.
    package mutating func published(_ header: EventsHeader, _ events: [EncodedCBOR], now: Int64) -> [Action] {
        guard state != .stopped else { return [] }
        lastHeard = now
        guard header.run == run, header.epoch == position.epoch else { return readUnlessReading(now: now) }
        guard header.through > position.sequence else { return [] }
        guard !isFull, header.continues(position.sequence, with: events.count) else {
            return readUnlessReading(now: now)
        }
        position = EventPosition(epoch: header.epoch, sequence: header.through, chain: header.chain)
        let chains = header.chains.flatMap { $0.count == events.count ? $0 : nil }
        return [.apply(events, chains: chains, reaching: position)]
    }

    package mutating func heard(_ heartbeat: Heartbeat, now: Int64) -> [Action] {
        guard state != .stopped else { return [] }
        lastHeard = now
        let isCurrent =
            heartbeat.run == run && heartbeat.epoch == position.epoch && heartbeat.sequence == position.sequence
        return isCurrent ? [] : readUnlessReading(now: now)
    }

    /// Time passes: reads are repeated, and those who wait for an unreachable source are let go.
    package mutating func tick(now: Int64) -> [Action] {
        guard state != .stopped, !isFull else { return [] }
        var actions: [Action] = []
        if now - lastHeard >= Self.silence {
            state = .unreachable
            actions += readUnlessReading(now: now)
        }
        if let reading, now - reading.since >= patience { actions += read(now: now) }
        if let since = waitingSince, now - max(since, lastHeard) >= Self.silence {
            settled = awaited
            waitingSince = nil
            actions.append(.settled(through: settled, reached: false))
        }
        return actions
    }

    // MARK: What comes from the caller

    /// Someone needs all that is in the log now: settled when a read that begins from now on reaches the head.
    package mutating func awaitHead(now: Int64) -> (ticket: UInt64, actions: [Action]) {
        // A read that is under way may have passed what matters: the next one counts.
        awaited = nextID
        if waitingSince == nil { waitingSince = now }
        return (awaited, readUnlessReading(now: now))
    }

    /// The caller can take no more: until `drain` nothing is given out and nothing asked for.
    package mutating func fill() {
        isFull = true
        reading = nil
    }

    /// The caller has room again: what it could not take is read.
    package mutating func drain(now: Int64) -> [Action] {
        guard isFull else { return [] }
        isFull = false
        lastHeard = now
        return state == .stopped ? [] : read(now: now)
    }

    /// An event could not be applied: the source is followed no further, and nothing is skipped.
    package mutating func stop(_ reason: String, at position: EventPosition) -> [Action] {
        state = .stopped
        self.reason = reason
        self.position = position
        reading = nil
        settled = awaited
        return [.settled(through: awaited, reached: false)]
    }

    /// What was given out could not be kept now: it is read again a little later.
    package mutating func postpone(at position: EventPosition, now: Int64) {
        self.position = position
        state = .catchingUp
        // Stands for a read without an answer, so that the next one waits.
        reading = (0, now)
    }

    private mutating func readUnlessReading(now: Int64) -> [Action] {
        reading == nil && !isFull ? read(now: now) : []
    }

    private mutating func read(now: Int64) -> [Action] {
        let id = nextID
        nextID += 1
        reading = (id, now)
        asked = position
        let request = ReadEvents(epoch: position.epoch, sequence: position.sequence, chain: position.chain)
        return [.read(request, id: id)]
    }
}
