import CBOR
import Messages
import Testing

@testable import Client

/// Schedules by a seed: whatever is lost, repeated, reordered, restarted, restored, or read slowly, what a subscriber has
/// is the log, in order and without a hole, or it was told to start anew.
struct ScheduleTests {
    /// Follower and assembly together, as a subscription runs them, and a reader that keeps what it gets.
    private struct Subscriber {
        var follower: LogFollower
        var assembly = EventAssembly(of: .orders)
        var requests: [(request: ReadEvents, id: UInt64)] = []
        /// What it read, and the position behind it.
        var events: [Event] = []
        var position = EventPosition.start
        var resyncs = 0

        init(from position: EventPosition, restart: LogFollower.Restart) {
            follower = LogFollower(from: position, restart: restart)
        }

        mutating func perform(_ actions: [LogFollower.Action], seed: UInt64) throws {
            for action in actions {
                switch action {
                case .read(let request, let id): requests.append((request, id))
                case .apply(let encoded, let chains, let end):
                    for piece in try assembly.add(encoded, chains: chains, reaching: end) {
                        guard case .transaction(let transaction) = piece.update else { continue }
                        events += transaction.events
                        position = transaction.position
                        #expect(transaction.events.last?.sequence == position.sequence, "seed \(seed)")
                        #expect(transaction.events.last?.last == true, "seed \(seed)")
                        #expect(Int64(events.count) == position.sequence, "seed \(seed)")
                        #expect(position.chain != nil && position.epoch != nil, "seed \(seed)")
                    }
                case .resync(_, let start):
                    assembly.reset()
                    resyncs += 1
                    events = []
                    position = start
                case .settled: break
                }
            }
        }
    }

    private struct World {
        let seed: UInt64
        var random: Seeded
        var log = FakeLog()
        var subscriber = Subscriber(from: .start, restart: .first)
        var mail: [(header: EventsHeader, events: [EncodedCBOR])] = []
        var answers: [(page: EventPage, run: Identifier, id: UInt64)] = []
        var now: Int64 = 0
        var restores = 0

        init(seed: UInt64) throws {
            self.seed = seed
            random = Seeded(state: seed)
            try perform { $0.start(now: $1) }
        }

        mutating func perform(_ step: (inout LogFollower, Int64) -> [LogFollower.Action]) throws {
            let actions = step(&subscriber.follower, now)
            try subscriber.perform(actions, seed: seed)
        }

        mutating func commit() {
            let first = log.head + 1
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                log.append(
                    (0..<Int.random(in: 1...3, using: &random)).map { _ in Bool.random(using: &random) ? "order" : "dog"
                    }
                )
            }
            // In messages that end anywhere, also inside a transaction.
            var start = first
            while start <= log.head {
                let end = Int64.random(in: start...log.head, using: &random)
                mail.append(log.message(start, end))
                start = end + 1
            }
        }

        /// The subscriber dies, and goes on from the position that it stored with what it has.
        mutating func restartSubscriber() throws {
            var next = Subscriber(from: subscriber.position, restart: .first)
            next.events = subscriber.events
            next.position = subscriber.position
            next.resyncs = subscriber.resyncs
            subscriber = next
            answers = []
            try perform { $0.start(now: $1) }
        }

        mutating func step(isFaulty: Bool) throws {
            // In the end answers come in time.
            now += Int64.random(in: 0...(isFaulty ? 300 : 30), using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0 where isFaulty, 1 where isFaulty: commit()
            case 2 where !mail.isEmpty, 3 where !mail.isEmpty:
                let index = isFaulty ? Int.random(in: 0..<mail.count, using: &random) : 0
                let message = mail[index]
                // Lost, repeated, or in another order.
                if !isFaulty || Int.random(in: 0..<4, using: &random) > 0 {
                    try perform { $0.published(message.header, message.events, now: $1) }
                }
                if !isFaulty || Bool.random(using: &random) { mail.remove(at: index) }
            case 4, 5:
                guard !subscriber.requests.isEmpty else { break }
                let (request, id) = subscriber.requests.removeFirst()
                if isFaulty && Int.random(in: 0..<4, using: &random) == 0 { break }
                answers.append((log.page(request, limit: 3), log.run, id))
            case 6, 7:
                guard !answers.isEmpty else { break }
                let index = isFaulty ? Int.random(in: 0..<answers.count, using: &random) : 0
                let (page, run, id) = answers.remove(at: index)
                try perform { $0.received(page, run: run, answering: id, now: $1) }
            case 8 where isFaulty:
                switch Int.random(in: 0..<24, using: &random) {
                case 0..<6: log.run = .make()
                case 6: log = FakeLog()
                case 7 where log.head > 0:
                    log.restore(to: Int64.random(in: 0..<log.head, using: &random))
                    restores += 1
                case 8..<12: try restartSubscriber()
                case 12..<18: subscriber.follower.fill()
                default: try perform { $0.drain(now: $1) }
                }
            case 9:
                let heartbeat = log.heartbeat
                try perform { $0.heard(heartbeat, now: $1) }
            default: try perform { $0.tick(now: $1) }
            }
        }
    }

    @Test(arguments: 0..<400) func everyScheduleEndsEqual(seed: UInt64) throws {
        var world = try World(seed: seed)
        for _ in 0..<400 { try world.step(isFaulty: true) }
        world.mail = []
        try world.perform { $0.drain(now: $1) }
        for _ in 0..<3000
        where world.subscriber.follower.state != .live || world.subscriber.follower.position != world.log.position {
            try world.step(isFaulty: false)
        }
        let subscriber = world.subscriber
        let isEqual = subscriber.events == world.log.events
        #expect(isEqual, "seed \(seed): \(subscriber.events.count) of \(world.log.head), \(subscriber.follower.state)")
        #expect(subscriber.follower.position == world.log.position, "seed \(seed)")
    }
}
