import Client
import Messages
import Service
import Store
import ZeroMQ

/// A service's process: started on its store, killed, and started again.
final class SimulatedService {
    let definition: ServiceDefinition
    let store: Store
    let endpoints: ServiceEndpoints
    let ledger: Ledger
    private let sources: [ServiceName: ServiceEndpoints]
    private let network: SimulatedNetwork
    private let clock: Clock
    private let retention: RetentionPolicy
    private(set) var host: Host?
    private(set) var readers: SimulatedReaders?
    private var loop: ServiceLoop?
    /// What its ledger found in a commit.
    private var found: (any Error)?
    private var committed = 0
    /// Until then it gets no turn.
    var stalledUntil: Int64 = 0

    var name: ServiceName { definition.name }
    var isRunning: Bool { loop != nil }

    /// Starts it for the first time.
    init(
        _ definition: ServiceDefinition,
        _ store: Store,
        endpoints: ServiceEndpoints,
        sources: [ServiceName: ServiceEndpoints],
        _ network: SimulatedNetwork,
        _ clock: Clock,
        _ retention: RetentionPolicy
    ) throws {
        self.definition = definition
        self.store = store
        self.endpoints = endpoints
        self.sources = sources
        self.network = network
        self.clock = clock
        self.retention = retention
        let engine = try Engine(definition, store, clock: clock)
        ledger = try Ledger(definition.name, try store.writer())
        try start(engine)
    }

    func start() throws {
        try start(try Engine(definition, store, clock: clock))
        try ledger.wasOpened()
    }

    private func start(_ engine: Engine) throws {
        let host = Host(network)
        let readers = SimulatedReaders(try store.writer())
        let loop = try ServiceLoop(
            engine,
            endpoints: endpoints,
            sources: sources,
            network: host,
            readers: readers,
            retention: retention,
            log: Log(service: name, isSilent: true)
        )
        (self.host, self.readers, self.loop) = (host, readers, loop)
        try store.writer().willCommit = { [unowned self] () throws(StoreError) in
            try host.countCommit()
            follow()
        }
        try loop.begin()
    }

    /// Takes in what a transaction is about to commit: the next may drop it from the log again.
    private func follow() {
        do { committed += try ledger.follow() } catch { found = found ?? error }
    }

    /// How many events were committed since the last call.
    ///
    /// - Throws: `Violation` where what was committed is no log.
    func takeCommitted() throws -> Int {
        if let found { throw found }
        defer { committed = 0 }
        return committed + (try ledger.follow())
    }

    /// When it has something to do, if it isn't stalled.
    func isDue(at time: Int64) -> Bool {
        guard let loop, let host else { return false }
        return network.hasArrived(at: host) || readers?.hasDone == true || loop.deadline <= time
    }

    var deadline: Int64 { loop?.deadline ?? .max }

    /// A turn of its loop.
    ///
    /// - Returns: false where it was killed in it.
    /// - Throws: what the loop ended by, if nobody killed it.
    func takeTurn() throws -> Bool {
        guard let loop, let host else { return true }
        do {
            try loop.takeTurn()
        } catch {
            guard host.isDead else { throw error }
        }
        guard host.isDead else { return true }
        kill()
        return false
    }

    /// The process ends as by SIGKILL.
    func kill() {
        guard let host else { return }
        host.isDead = true
        (try? store.writer())?.willCommit = nil
        network.kill(host)
        (self.host, readers, loop) = (nil, nil, nil)
    }

    /// It ends as by SIGTERM, if it isn't killed over that.
    func stop() throws {
        guard let loop, let host else { return }
        do {
            try loop.stop()
        } catch {
            guard host.isDead else { throw error }
        }
        kill()
    }
}
