import CBOR
import Messages
import Support

@testable import Client
@testable import Service

extension FuzzTarget {
    /// What comes from another's log: published runs, heartbeats and answers to reads, in any order, at the subscriber in the
    /// client and at the follower in a service. What is given out continues what was given out before.
    static let events = FuzzTarget(name: "events", seeds: seeds) { (bytes) throws(Finding) in
        var subscriber = SubscriberUnderTest()
        var follower = FollowerUnderTest()
        var now: Int64 = 0
        try subscriber.start()
        follower.start()
        for frame in Frames.split(bytes).prefix(64) {
            now += 100
            guard let kind = frame.first else { continue }
            let body = Array(frame.dropFirst())
            switch kind % 6 {
            case 0:
                guard let run = try? CBORDecoder().decode(PublishedRun.self, from: body) else { continue }
                try subscriber.published(run, now)
                try follower.published(run, now)
            case 1:
                guard let heartbeat = try? CBORDecoder().decode(Heartbeat.self, from: body) else { continue }
                try subscriber.heard(heartbeat, now)
                try follower.heard(heartbeat, now)
            case 2:
                guard let page = try? CBORDecoder().decode(EventPage.self, from: body) else { continue }
                try subscriber.received(page, now)
                try follower.received(page, now)
            case 3:
                guard let page = try? CBORDecoder().decode(ReadSnapshot.Reply.self, from: body) else { continue }
                try follower.copied(page, now)
            case 4:
                now += Int64(body.first ?? 0) * 50
                try subscriber.tick(now)
                try follower.tick(now)
            default:
                try subscriber.awaitHead(now)
                try follower.awaitHead(now)
            }
        }
    }

    /// The two frames of a published run as one item.
    private struct PublishedRun: Codable {
        var header: EventsHeader
        var events: [EncodedCBOR]
    }

    // MARK: The client's side

    private struct SubscriberUnderTest {
        var log = LogFollower(restart: .head)
        var assembly = EventAssembly(of: .catalog)
        var given = EventPosition.start
        var reading: UInt64 = 1

        mutating func start() throws(Finding) { try take(log.start(now: 0)) }
        mutating func published(_ run: PublishedRun, _ now: Int64) throws(Finding) {
            try take(log.published(run.header, run.events, now: now))
        }
        mutating func heard(_ heartbeat: Heartbeat, _ now: Int64) throws(Finding) {
            try take(log.heard(heartbeat, now: now))
        }
        mutating func received(_ page: EventPage, _ now: Int64) throws(Finding) {
            try take(log.received(page, run: FuzzTarget.run, answering: reading, now: now))
        }
        mutating func tick(_ now: Int64) throws(Finding) { try take(log.tick(now: now)) }
        mutating func awaitHead(_ now: Int64) throws(Finding) { try take(log.awaitHead(now: now).actions) }

        private mutating func take(_ actions: [LogFollower.Action]) throws(Finding) {
            for action in actions {
                switch action {
                case .read(_, let id): reading = id
                case .apply(let events, let chains, let end):
                    try require(
                        given.epoch == nil || given.epoch == end.epoch,
                        "events of another epoch without a resync"
                    )
                    try require(
                        end.sequence - given.sequence == Int64(events.count),
                        "\(events.count) events lead from \(given) to \(end)"
                    )
                    given = end
                    _ = try? assembly.add(events, chains: chains, reaching: end)
                case .resync(_, let position):
                    assembly.reset()
                    given = position
                case .settled: continue
                }
            }
            try require(log.position == given, "the position is \(log.position), given out was \(given)")
        }
    }

    // MARK: The service's side

    private struct FollowerUnderTest {
        var follower = Follower(cursor: nil, entities: ["dog", "walk"])
        var applied: Cursor?
        var isCopying = false
        var reading: UInt64 = 1

        mutating func start() { _ = follower.start(now: 0) }
        mutating func published(_ run: PublishedRun, _ now: Int64) throws(Finding) {
            try take(follower.published(run.header, run.events, now: now))
        }
        mutating func heard(_ heartbeat: Heartbeat, _ now: Int64) throws(Finding) {
            try take(follower.heard(heartbeat, now: now))
        }
        mutating func received(_ page: EventPage, _ now: Int64) throws(Finding) {
            try take(follower.received(page, run: FuzzTarget.run, answering: reading, now: now))
        }
        mutating func copied(_ page: ReadSnapshot.Reply, _ now: Int64) throws(Finding) {
            try take(follower.copied(page, run: FuzzTarget.run, answering: reading, now: now))
        }
        mutating func tick(_ now: Int64) throws(Finding) { try take(follower.tick(now: now)) }
        mutating func awaitHead(_ now: Int64) throws(Finding) { try take(follower.awaitHead(now: now).actions) }

        private mutating func take(_ actions: [Follower.Action]) throws(Finding) {
            for action in actions {
                switch action {
                case .read(_, let id), .readPage(_, let id): reading = id
                case .apply(let events, let cursor):
                    try continues(events, cursor)
                    applied = cursor
                case .catchUp(let events, let cursor, let copy):
                    try require(isCopying, "a copy is caught up with that isn't made")
                    if applied == nil { applied = copy.start }
                    try continues(events, cursor)
                    applied = cursor
                    isCopying = cursor.sequence < copy.target
                case .copy: try require(isCopying, "rows of a copy that isn't made")
                case .reset(let reason):
                    applied = nil
                    isCopying = reason == .compacted
                case .settled: continue
                }
            }
        }

        private func continues(_ events: [EncodedCBOR], _ cursor: Cursor) throws(Finding) {
            try require(applied.map { $0.epoch == cursor.epoch } ?? true, "events of another epoch without a reset")
            let known = applied?.sequence ?? 0
            try require(
                cursor.sequence - known == Int64(events.count),
                "\(events.count) events lead from \(known) to \(cursor.sequence)"
            )
        }
    }

    // MARK: Seeds

    private static let epoch = Identifier(high: 0x018E_95C2_4F00_7000, low: 0x8000_0000_0000_0002)
    private static let run = Identifier(high: 0x018E_95C2_4F00_7000, low: 0x8000_0000_0000_0003)

    private static func event(_ sequence: Int64) -> EncodedCBOR {
        let event = Event(
            sequence: sequence,
            previous: sequence - 1,
            transaction: sequence,
            last: true,
            type: "dog.created",
            subject: epoch,
            time: Instant(microseconds: 0),
            version: 1,
            data: EncodedCBOR(trusted: [0xA0]),
            before: nil,
            principal: nil,
            cause: nil,
            traceparent: nil
        )
        return EncodedCBOR(trusted: (try? CBOREncoder().encode(event)) ?? [])
    }

    private static func frame(_ kind: UInt8, _ value: some Encodable) -> [UInt8] {
        [kind] + ((try? CBOREncoder().encode(value)) ?? [])
    }

    private static func page(_ from: Int64, _ through: Int64, resync: ResyncReason? = nil) -> EventPage {
        let events = resync == nil ? (from..<through).map { event($0 + 1) } : []
        return EventPage(
            epoch: epoch,
            events: events,
            through: through,
            chain: UInt64(through),
            head: through,
            resync: resync,
            chains: events.indices.map { UInt64(from) + UInt64($0) + 1 }
        )
    }

    private static func published(_ sequence: Int64) -> PublishedRun {
        let header = EventsHeader(epoch: epoch, run: run, first: sequence, through: sequence, chain: UInt64(sequence))
        return PublishedRun(header: header, events: [event(sequence)])
    }

    private static func snapshot(_ next: Identifier?) -> ReadSnapshot.Reply {
        ReadSnapshot.Reply(rows: [EncodedCBOR(trusted: [0xA0])], next: next, epoch: epoch, sequence: 3, chain: 3)
    }

    private static let seeds = [
        Frames.joined([
            frame(2, page(0, 2)), frame(0, published(3)), frame(0, published(5)), frame(2, page(2, 5)),
            frame(1, Heartbeat(epoch: epoch, run: run, sequence: 6, entities: ["dog": 6])), [4, 60],
            frame(2, page(5, 6)), [5], frame(2, page(6, 6)),
        ]),
        Frames.joined([
            frame(2, page(0, 3, resync: .compacted)), frame(3, snapshot(epoch)), frame(3, snapshot(nil)),
            frame(3, snapshot(nil)), frame(2, page(3, 4)), frame(0, published(5)),
        ]),
        Frames.joined([frame(2, page(0, 2)), frame(2, page(0, 9, resync: .diverged)), frame(2, page(0, 1))]),
    ]
}
