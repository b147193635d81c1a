internal import CBOR
internal import Messages

/// Follows another service's log: decides what to ask for and what to apply. Does no I/O.
///
/// The rule: a new run, or anything that does not continue the cursor, is answered by reading events from the cursor;
/// what is not above the cursor is ignored; another epoch or a cursor beyond the log's head starts anew.
///
/// Where the events behind the cursor are no longer kept, the projection is made from snapshots: pages first, then the
/// events from the first page's position. It counts as live once the highest page's position is reached and the log's
/// head is. What interrupts that starts it again.
struct Follower {
    enum Action: Equatable {
        /// Ask for the events behind the cursor; the answer comes to `received(_:run:answering:now:)`.
        case read(ReadEvents, id: UInt64)
        /// Ask for a page of a snapshot; the answer comes to `copied(_:run:answering:now:)`.
        case readPage(ReadSnapshot, id: UInt64)
        /// Write these events' effects, and the cursor behind them, in one transaction.
        case apply([EncodedCBOR], Cursor)
        /// Write these rows' effects. The projection is not whole.
        case copy(CopiedRows)
        /// Write the effects of those events that the copy doesn't hold. At its target the projection is whole, and
        /// the cursor stored.
        case catchUp([EncodedCBOR], Cursor, SnapshotCopy)
        /// Empty the projection: the log has no past in common with it. For `compacted` mark it as not whole.
        case reset(ResyncReason)
        /// The source's log was read to its head, by a read begun after these were asked for; or it can't be reached.
        case settled(through: UInt64, reached: Bool)
    }

    /// A read that is not answered within this many milliseconds is sent again.
    static let patience: Int64 = 500
    /// Without an answer or a heartbeat for this long, in milliseconds, the source counts as unreachable.
    static let silence: Int64 = 2500

    private(set) var cursor: Cursor?
    private(set) var state = SourceStatus.State.catchingUp
    private(set) var reason: String?
    /// The source's last event, as far as it told.
    private(set) var head: Int64 = 0
    private let entities: [String]
    private let pageRows: Int?
    /// What the projection is made from, while it is; nil where the log alone is followed.
    private var copy: SnapshotCopy?
    private var run: Identifier?
    private var reading: (id: UInt64, since: Int64)?
    /// Where the last read goes on from: what was published may have come further.
    private var asked: Cursor?
    private var nextID: UInt64 = 1
    private var lastHeard: Int64 = .min / 2
    /// Tickets of those who wait for the head.
    private var lastTicket: UInt64 = 0
    private var ticketsOfRead: UInt64 = 0
    private var settledTicket: UInt64 = 0
    private var waitingSince: Int64?

    /// - Parameters:
    ///   - entities: what a copy from snapshots consists of.
    ///   - pageRows: the most rows, and events, that are asked for at a time.
    init(cursor: Cursor?, entities: [String], pageRows: Int? = nil) {
        self.cursor = cursor
        self.entities = entities
        self.pageRows = pageRows
    }

    mutating func start(now: Int64) -> [Action] {
        // The source has its time to answer before it is called unreachable.
        lastHeard = now
        return read(now: now)
    }

    /// Someone needs all that is in the source's log now: settled when a read that starts from now reaches the head.
    mutating func awaitHead(now: Int64) -> (ticket: UInt64, actions: [Action]) {
        lastTicket += 1
        if waitingSince == nil { waitingSince = now }
        // A read that is under way may have passed what matters: the next one counts.
        return (lastTicket, reading == nil ? read(now: now) : [])
    }

    /// The answer to a read. One that comes late, when the read was repeated already, is used as far as it continues
    /// the cursor.
    mutating func received(_ page: EventPage, run: Identifier?, answering id: UInt64, now: Int64) -> [Action] {
        // A page that no log has is no answer: the read is repeated.
        guard state != .stopped, id < nextID, let start = page.start else { return [] }
        let isCurrent = reading?.id == id
        lastHeard = now
        head = page.head
        reason = nil
        // Between pages events mean nothing.
        guard copy?.next == nil else { return [] }
        if let resync = page.resync {
            guard isCurrent else { return [] }
            return asked == cursor ? startOver(resync, epoch: page.epoch, now: now) : read(now: now)
        }
        if isCurrent { reading = nil }
        self.run = run
        var actions: [Action] = []
        let known = cursor?.sequence ?? 0
        let continues = start <= known && page.through >= known && isSamePast(page, startingAt: start)
        let reached = Cursor(epoch: page.epoch, sequence: page.through, chain: page.chain)
        if continues, cursor != reached {
            actions.append(advance(Array(page.events.dropFirst(Int(known - start))), to: reached))
        }
        guard isCurrent else { return actions }
        guard start <= known else {
            // It neither continues the cursor nor says why not: asked again, but not at once.
            postpone(cursor: cursor, now: now)
            return actions
        }
        guard continues, page.through >= page.head else {
            state = .catchingUp
            return actions + read(now: now)
        }
        // A head below what pages were read at: the log went back meanwhile.
        guard copy == nil else { return actions + startOver(.diverged, epoch: page.epoch, now: now) }
        state = .live
        if ticketsOfRead > settledTicket {
            settledTicket = ticketsOfRead
            actions.append(.settled(through: settledTicket, reached: true))
        }
        waitingSince = lastTicket > settledTicket ? now : nil
        return lastTicket > settledTicket ? actions + read(now: now) : actions
    }

    /// Whether the page, whose events start behind `start`, has at the cursor what was applied: an answer from before
    /// the source was restored does not.
    private func isSamePast(_ page: EventPage, startingAt start: Int64) -> Bool {
        guard let cursor else { return true }
        guard cursor.epoch == page.epoch else { return false }
        let overlap = Int(cursor.sequence - start)
        guard overlap > 0, let chains = page.chains, chains.indices.contains(overlap - 1) else { return true }
        return chains[overlap - 1] == cursor.chain
    }

    /// The answer to a read of a page.
    mutating func copied(_ page: ReadSnapshot.Reply, run: Identifier?, answering id: UInt64, now: Int64) -> [Action] {
        guard state != .stopped, reading?.id == id, page.sequence >= 0, var copy, let request = copy.next else {
            return []
        }
        lastHeard = now
        reason = nil
        reading = nil
        self.run = run
        guard page.epoch == copy.epoch else { return startOver(.epoch, epoch: page.epoch, now: now) }
        copy.add(page)
        self.copy = copy
        var actions: [Action] = [
            .copy(CopiedRows(entity: request.entity, rows: page.rows, sequence: page.sequence))
        ]
        if copy.next == nil, let start = copy.start {
            cursor = start
            if start.sequence >= copy.target { actions.append(advance([], to: start)) }
        }
        return actions + read(now: now)
    }

    /// Whether the answer to this request is a page of a snapshot.
    func isPage(_ id: UInt64) -> Bool {
        copy?.next != nil && reading?.id == id
    }

    /// The source refused a read: it is asked again, and the reason told.
    mutating func refused(_ message: String, answering id: UInt64) {
        if reading?.id == id, state != .stopped { reason = message }
    }

    /// The projection was emptied to be made anew. A source that was stopped is followed again.
    mutating func rebuild(now: Int64) -> [Action] {
        cursor = nil
        copy = nil
        state = .catchingUp
        reason = nil
        return read(now: now)
    }

    /// A published run of events of one topic.
    mutating func published(_ header: EventsHeader, _ events: [EncodedCBOR], now: Int64) -> [Action] {
        guard state != .stopped else { return [] }
        lastHeard = now
        head = max(head, header.through)
        guard let cursor, header.run == run, header.epoch == cursor.epoch else { return readUnlessReading(now: now) }
        guard header.through > cursor.sequence else { return [] }
        guard state == .live, header.continues(cursor.sequence, with: events.count) else {
            return readUnlessReading(now: now)
        }
        let reached = Cursor(epoch: cursor.epoch, sequence: header.through, chain: header.chain)
        self.cursor = reached
        return [.apply(events, reached)]
    }

    mutating func heard(_ heartbeat: Heartbeat, now: Int64) -> [Action] {
        guard state != .stopped else { return [] }
        lastHeard = now
        head = max(0, heartbeat.sequence)
        let isCurrent =
            heartbeat.run == run && heartbeat.epoch == cursor?.epoch && heartbeat.sequence == cursor?.sequence
        return isCurrent ? [] : readUnlessReading(now: now)
    }

    /// Time passes: reads are repeated, and those who wait for an unreachable source are let go.
    mutating func tick(now: Int64) -> [Action] {
        guard state != .stopped else { return [] }
        var actions: [Action] = []
        if let reading, now - reading.since >= Follower.patience {
            actions += read(now: now)
        }
        if now - lastHeard >= Follower.silence {
            if state != .unreachable {
                state = .unreachable
                run = nil
            }
            if reading == nil { actions += read(now: now) }
        }
        // While it is heard of it is not unreachable, however long it takes: whoever waits has a deadline.
        if let since = waitingSince, now - max(since, lastHeard) >= Follower.silence {
            settledTicket = lastTicket
            waitingSince = nil
            actions.append(.settled(through: settledTicket, reached: false))
        }
        return actions
    }

    /// An event could not be applied: the source is followed no further, and nothing is skipped.
    mutating func stop(_ reason: String, cursor: Cursor?) -> [Action] {
        state = .stopped
        self.reason = reason
        self.cursor = cursor
        copy = nil
        reading = nil
        settledTicket = lastTicket
        return [.settled(through: lastTicket, reached: false)]
    }

    /// What was told could not be written now: it is read again a little later.
    mutating func postpone(cursor: Cursor?, now: Int64) {
        self.cursor = cursor
        state = .catchingUp
        // A copy is begun again: without a cursor the log says that its beginning is no longer there.
        copy = nil
        // Stands for a read without an answer, so that the next one waits.
        reading = (0, now)
    }

    private mutating func readUnlessReading(now: Int64) -> [Action] {
        reading == nil ? read(now: now) : []
    }

    /// Drops the cursor with what was made from it.
    private mutating func startOver(_ resync: ResyncReason, epoch: Identifier, now: Int64) -> [Action] {
        cursor = nil
        state = .catchingUp
        copy = resync == .compacted ? SnapshotCopy(epoch: epoch, entities: entities, pageRows: pageRows) : nil
        return [.reset(resync)] + read(now: now)
    }

    private mutating func advance(_ events: [EncodedCBOR], to reached: Cursor) -> Action {
        cursor = reached
        guard let copy else { return .apply(events, reached) }
        if reached.sequence >= copy.target { self.copy = nil }
        return .catchUp(events, reached, copy)
    }

    /// Asks for what comes next: events, or a page.
    private mutating func read(now: Int64) -> [Action] {
        let id = nextID
        nextID += 1
        reading = (id, now)
        if let request = copy?.next {
            return [.readPage(request, id: id)]
        }
        ticketsOfRead = lastTicket
        asked = cursor
        let request = ReadEvents(
            epoch: cursor?.epoch,
            sequence: cursor?.sequence ?? 0,
            chain: cursor?.chain,
            limit: pageRows
        )
        return [.read(request, id: id)]
    }
}
