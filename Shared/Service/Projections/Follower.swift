internal import CBOR
internal import Messages

/// Follows another service's log: decides what to ask for and what to apply. Does no I/O.
///
/// The rule: a new run, or anything that does not continue the cursor, is answered by reading events from the cursor;
/// what is not above the cursor is ignored; another epoch or a cursor beyond the log's head starts anew.
struct Follower {
    enum Action: Equatable {
        /// Ask for the events behind the cursor; the answer comes to `received(_:answering:)`.
        case read(ReadEvents, id: UInt64)
        /// Write these events' effects, and the cursor behind them, in one transaction.
        case apply([EncodedCBOR], Cursor)
        /// Empty the projection: the log has no past in common with it.
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
    private var run: Identifier?
    private var reading: (id: UInt64, since: Int64)?
    private var nextID: UInt64 = 1
    private var lastHeard: Int64 = .min / 2
    /// Tickets of those who wait for the head.
    private var lastTicket: UInt64 = 0
    private var ticketsOfRead: UInt64 = 0
    private var settledTicket: UInt64 = 0
    private var waitingSince: Int64?

    init(cursor: Cursor?) {
        self.cursor = cursor
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
        guard state != .stopped, id < nextID else { return [] }
        let isCurrent = reading?.id == id
        lastHeard = now
        reason = nil
        if let resync = page.resync {
            guard isCurrent else { return [] }
            // Start over; the cursor is dropped with what was built from it.
            cursor = nil
            state = .catchingUp
            return [.reset(resync)] + read(now: now)
        }
        if isCurrent { reading = nil }
        self.run = run
        var actions: [Action] = []
        let known = cursor?.sequence ?? 0
        let start = page.through - Int64(page.events.count)
        let continues = start <= known && page.through >= known && (cursor == nil || cursor?.epoch == page.epoch)
        let reached = Cursor(epoch: page.epoch, sequence: page.through, chain: page.chain)
        if continues, cursor != reached {
            actions.append(.apply(Array(page.events.dropFirst(Int(known - start))), reached))
            cursor = reached
        }
        guard isCurrent else { return actions }
        guard continues, page.through >= page.head else {
            state = .catchingUp
            return actions + read(now: now)
        }
        state = .live
        if ticketsOfRead > settledTicket {
            settledTicket = ticketsOfRead
            actions.append(.settled(through: settledTicket, reached: true))
        }
        waitingSince = lastTicket > settledTicket ? now : nil
        return lastTicket > settledTicket ? actions + read(now: now) : actions
    }

    /// A published run of events of one topic.
    mutating func published(_ header: EventsHeader, _ events: [EncodedCBOR], now: Int64) -> [Action] {
        guard state != .stopped else { return [] }
        lastHeard = now
        guard let cursor, header.run == run, header.epoch == cursor.epoch else { return readUnlessReading(now: now) }
        guard header.through > cursor.sequence else { return [] }
        guard header.first == cursor.sequence + 1, Int64(events.count) == header.through - header.first + 1,
            state == .live
        else { return readUnlessReading(now: now) }
        let reached = Cursor(epoch: cursor.epoch, sequence: header.through, chain: header.chain)
        self.cursor = reached
        return [.apply(events, reached)]
    }

    mutating func heard(_ heartbeat: Heartbeat, now: Int64) -> [Action] {
        guard state != .stopped else { return [] }
        lastHeard = now
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
        if let since = waitingSince, now - since >= Follower.silence {
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
        reading = nil
        settledTicket = lastTicket
        return [.settled(through: lastTicket, reached: false)]
    }

    /// What was told could not be written now: it is read again a little later.
    mutating func postpone(cursor: Cursor?, now: Int64) {
        self.cursor = cursor
        state = .catchingUp
        // Stands for a read without an answer, so that the next one waits.
        reading = (0, now)
    }

    private mutating func readUnlessReading(now: Int64) -> [Action] {
        reading == nil ? read(now: now) : []
    }

    private mutating func read(now: Int64) -> [Action] {
        let id = nextID
        nextID += 1
        reading = (id, now)
        ticketsOfRead = lastTicket
        let request = ReadEvents(epoch: cursor?.epoch, sequence: cursor?.sequence ?? 0, chain: cursor?.chain)
        return [.read(request, id: id)]
    }
}
