import CBOR
import LiveList
import Messages
import Testing

@testable import Client

/// Schedules by a seed: whatever is lost, repeated, reordered, restarted, dropped, or read slowly, a mirror that applies
/// what is given out never fails, and ends equal to the list.
struct ListScheduleTests {
    /// Applies what it is given, and accepts nothing but what the documentation promises.
    private struct Mirror {
        var results: FetchedResults<EncodedCBOR>?
        var isResyncing = false
        var snapshots = 0
        var resyncs = 0

        mutating func take(_ update: ListUpdate, seed: UInt64) throws {
            switch update {
            case .snapshot(let reply):
                #expect(results == nil || isResyncing, "seed \(seed): a snapshot without a resync")
                results = try FetchedResults(reply)
                isResyncing = false
                snapshots += 1
            case .batch(let batch):
                #expect(!isResyncing, "seed \(seed): a batch between resync and snapshot")
                let isNew = try results?.apply(batch)
                #expect(isNew == true, "seed \(seed): a batch without a snapshot, or twice")
            case .resync:
                #expect(results != nil && !isResyncing, "seed \(seed)")
                isResyncing = true
                resyncs += 1
            }
        }
    }

    private struct World {
        let seed: UInt64
        var random: Seeded
        var service = FakeList()
        var follower = ListFollower()
        var mirror = Mirror()
        /// Opened and not answered, answered and not arrived, published and not arrived.
        var openings: [UInt64] = []
        var answers: [(reply: OpenList.Reply, run: Identifier, id: UInt64)] = []
        var mail: [FakeList.Message] = []
        var isSubscribed = false
        var isFull = false
        var now: Int64 = 0
        var lost = 0

        init(seed: UInt64) throws {
            self.seed = seed
            random = Seeded(state: seed)
            try perform { $0.start(now: $1) }
        }

        mutating func perform(_ step: (inout ListFollower, Int64) -> [ListFollower.Action]) throws {
            for action in step(&follower, now) {
                switch action {
                case .open(let id): openings.append(id)
                case .subscribe(let topic):
                    #expect(topic == FakeList.topic)
                    isSubscribed = true
                    mail.append(.state(service.list.state))
                case .give(let update): try mirror.take(update, seed: seed)
                }
            }
        }

        mutating func publish(_ message: FakeList.Message) {
            if isSubscribed { mail.append(message) }
        }

        mutating func change(mayReset: Bool) {
            let value = Int.random(in: 0..<4, using: &random) == 0 ? nil : Int64.random(in: 0..<40, using: &random)
            guard let batch = service.change(.random(in: 0..<20, using: &random), value) else { return }
            let isReset = mayReset && Int.random(in: 0..<20, using: &random) == 0
            publish(.batch(isReset ? batch.asReset : batch))
        }

        mutating func deliver(_ message: FakeList.Message) throws {
            switch message {
            case .batch(let batch): try perform { $0.published(batch, bytes: 100, now: $1) }
            case .state(let state): try perform { $0.told(state, now: $1) }
            case .heartbeat(let run): try perform { $0.heard(run: run, now: $1) }
            }
        }

        mutating func step(isFaulty: Bool) throws {
            now += Int64.random(in: 0...(isFaulty ? 300 : 30), using: &random)
            switch Int.random(in: 0..<14, using: &random) {
            case 0..<3 where isFaulty: change(mayReset: true)
            case 3..<6 where !mail.isEmpty:
                let index =
                    isFaulty && Int.random(in: 0..<4, using: &random) == 0
                    ? mail.indices.randomElement(using: &random) ?? 0 : 0
                // Lost, repeated, or in another order.
                if isFaulty, Int.random(in: 0..<6, using: &random) == 0 { lost += 1 } else { try deliver(mail[index]) }
                if !isFaulty || Int.random(in: 0..<5, using: &random) > 0, mail.indices.contains(index) {
                    mail.remove(at: index)
                }
            case 6, 7:
                guard !openings.isEmpty else { break }
                let id = openings.removeFirst()
                if isFaulty, Int.random(in: 0..<4, using: &random) == 0 {
                    try perform { $0.failed(id, now: $1) }
                } else {
                    answers.append((service.reply, service.run, id))
                }
            case 8, 9:
                guard !answers.isEmpty else { break }
                let (reply, run, id) = answers.removeFirst()
                try perform { $0.opened(reply, run: run, answering: id, now: $1) }
            case 10 where isFaulty:
                switch Int.random(in: 0..<12, using: &random) {
                case 0: service.restart()
                case 1: service.rebuild()
                case 2..<5:
                    follower.fill()
                    isFull = true
                default:
                    isFull = false
                    try perform { $0.drain(now: $1) }
                }
            case 11: publish(.state(service.list.state))
            case 12: publish(.heartbeat(service.run))
            default: try perform { $0.tick(now: $1) }
            }
        }

        var isEqual: Bool {
            mirror.results.map { $0.isCurrent(service.list.state) } ?? false && !mirror.isResyncing
        }
    }

    @Test(arguments: 0..<400) func everyScheduleEndsEqual(seed: UInt64) throws {
        var world = try World(seed: seed)
        for _ in 0..<400 { try world.step(isFaulty: true) }
        try world.perform { $0.drain(now: $1) }
        for _ in 0..<5000 where !world.isEqual { try world.step(isFaulty: false) }
        #expect(world.isEqual, "seed \(seed)")
        let rows = world.mirror.results?.sections.map { ListSection(key: $0.key, rows: $0.rows) }
        #expect(rows == world.service.list.sections, "seed \(seed)")
        #expect(world.lost > 0, "seed \(seed): the schedule had no fault")
    }

    /// Without faults nothing is opened twice but for what the hand-over says, and every change is a batch.
    @Test(arguments: 0..<100) func withoutFaultsThereIsNoResync(seed: UInt64) throws {
        var world = try World(seed: seed)
        for index in 0..<600 {
            if index % 5 == 0 { world.change(mayReset: false) }
            try world.step(isFaulty: false)
        }
        for _ in 0..<5000 where !world.isEqual { try world.step(isFaulty: false) }
        #expect(world.isEqual, "seed \(seed)")
        #expect(world.mirror.snapshots == 1 && world.mirror.resyncs == 0, "seed \(seed)")
    }
}
