import Client
import Messages
import Service
import Store
import ZeroMQ

/// Services, clients and watchers on one network and one clock. One seed decides everything that happens in it.
final class World {
    static let definitions = [Definitions.paints, Definitions.notes]
    /// What is still wrong so long after the last fault is never mended, in milliseconds.
    static let settling: Int64 = 20_000

    let plan: Plan
    var chance: Chance
    var trace: Trace
    var count = Counts()
    let pool: StorePool
    let network = SimulatedNetwork()
    let time: Time
    var services: [SimulatedService] = []
    var clients: [SimulatedClient] = []
    var lastClient = 0
    var eventWatchers: [EventWatcher] = []
    var listWatchers: [ListWatcher] = []
    /// Of each client, what has no outcome yet.
    var open: [[(id: UInt64, inquiry: Inquiry)]] = []
    /// Of each client, what it wrote.
    var written: [Positions] = []
    var copies: [[Copy]] = [[], []]
    var lastMark: Int64 = 0
    /// The cursor at which the projection was compared last.
    var checkedCursor: EventPosition?
    var hasFaults = true

    /// What happened, for the reader to see that something did.
    struct Counts {
        var steps = 0
        var commands = 0
        var acknowledged = 0
        var reads = 0
        var unknown = 0
        var kills = 0
        var putBacks = 0
        var resyncs = 0
        var batches = 0
    }

    /// The world's clock: nobody moves it but the schedule. Unchecked, as a world is on one thread.
    final class Time: @unchecked Sendable {
        var now: Int64 = 0
        let start = ContinuousClock.now
        var lastIdentifier: UInt64 = 0
        var identifiers = Chance(seed: 0)

        var instant: ContinuousClock.Instant { start + .milliseconds(now) }
        /// 2024-01-01, and on.
        var calendar: Instant { Instant(microseconds: 1_704_067_200_000_000 + now * 1000) }

        /// A version 7 identifier, greater than those before.
        func makeIdentifier() -> Identifier {
            lastIdentifier += 1
            let milliseconds = UInt64(calendar.milliseconds)
            return Identifier(
                high: milliseconds << 16 | 0x7000 | lastIdentifier & 0xfff,
                low: 0b10 << 62 | identifiers.next() >> 2
            )
        }
    }

    struct Copy {
        var store: Store
        var lineage: Lineage
        var sequence: Int64
        var floor: Int64
    }

    init(seed: UInt64, _ pool: StorePool, keepsTrace: Bool = false) throws {
        var chance = Chance(seed: seed)
        plan = Plan(&chance)
        trace = Trace(keepsLines: keepsTrace)
        self.pool = pool
        let time = Time()
        time.identifiers = Chance(seed: chance.next())
        self.time = time
        self.chance = chance
        network.highWaterMark = plan.highWaterMark
        let clock = Clock(
            now: { time.calendar },
            monotonic: { time.now },
            makeIdentifier: { time.makeIdentifier() }
        )
        let paints = endpoints(of: Paint.service)
        for definition in plan.followsPaints ? Self.definitions : [Self.definitions[0]] {
            services.append(
                try SimulatedService(
                    definition,
                    try pool.take(definition),
                    endpoints: endpoints(of: definition.name),
                    sources: definition.name == Note.service ? [Paint.service: paints] : [:],
                    network,
                    clock,
                    plan.retention
                )
            )
        }
        for _ in 0..<plan.clients { try addClient() }
        for index in 0..<plan.eventWatchers { watchEvents(of: services[index % services.count]) }
        for index in 0..<plan.listWatchers { try watchList(of: services[(index + 1) % services.count]) }
    }

    func endpoints(of name: ServiceName) -> ServiceEndpoints {
        guard plan.isRemote else { return .ipc(folder: "/simulated", name) }
        let port: UInt16 = name == Paint.service ? 1 : 3
        return ServiceEndpoints(
            requests: .tcp(host: "simulated", port: port),
            events: .tcp(host: "simulated", port: port + 1)
        )
    }

    func addClient() throws {
        let time = time
        lastClient += 1
        clients.append(try SimulatedClient(lastClient, network, start: time.start, now: { time.instant }))
        open.append([])
        written.append([:])
    }

    private func watchEvents(of service: SimulatedService) {
        let client = clients[chance.below(clients.count)]
        eventWatchers.append(EventWatcher(client, service.ledger, service.endpoints, fullBytes: plan.fullBytes))
    }

    private func watchList(of service: SimulatedService) throws {
        let client = clients[chance.below(clients.count)]
        let low = Int64(chance.below(4))
        let query = ListWatcher.Query(
            isBackwards: chance.once(in: 2),
            ranks: chance.once(in: 2) ? low...low + 3 : nil,
            isSectioned: chance.once(in: 2),
            window: chance.once(in: 3) ? ListWindow(offset: chance.below(3), limit: 1 + chance.below(5)) : nil
        )
        listWatchers.append(
            try ListWatcher(client, service.ledger, service.endpoints, query, fullBytes: plan.fullBytes)
        )
    }

    /// Gives the stores back.
    func end() {
        for client in clients { client.kill() }
        for service in services {
            service.kill()
            pool.giveBack(service.store, of: service.name)
        }
        for (index, copies) in copies.enumerated() {
            for copy in copies { pool.giveBack(copy.store, of: Self.definitions[index].name) }
        }
        network.end()
    }

    /// Does so many steps with faults, then lets everything settle.
    ///
    /// - Throws: `Violation`.
    func run(steps: Int) throws {
        for _ in 0..<steps { try step() }
        try settle()
        count.resyncs = eventWatchers.reduce(0) { $0 + $1.resyncs } + listWatchers.reduce(0) { $0 + $1.resyncs }
        count.batches = listWatchers.reduce(0) { $0 + $1.batches }
    }
}
