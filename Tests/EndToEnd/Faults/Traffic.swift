import CBOR
import Client
import Messages
import Support
import Synchronization
import Testing

/// What writers did to the books while their services were dying, and what has to be there therefore.
///
/// Each command has one key and is repeated by the client until it is answered, so that in the end nothing is open: what
/// was answered `ok` is there once, what was refused is not.
final class Traffic: Sendable {
    private struct State {
        /// The names that customers have now, by id.
        var customers: [Identifier: String] = [:]
        /// How many commands changed each record.
        var changes: [Identifier: Int] = [:]
        var services: Set<Identifier> = []
        var deleted: Set<Identifier> = []
        var orders: Set<Identifier> = []
        /// What was answered that it is not done.
        var refused: Set<Identifier> = []
        var done = 0
    }

    private let daybook: Daybook
    private let client: DaybookClient
    private let hasOrders: Bool
    private let state = Mutex(State())

    /// - Parameter hasOrders: whether there is a service of orders to write to, too.
    init(_ daybook: Daybook, hasOrders: Bool = true) throws {
        self.daybook = daybook
        self.hasOrders = hasOrders
        // Long enough for any restart on a busy machine.
        client = try daybook.client(timeout: .seconds(100))
    }

    /// How many commands were answered.
    var done: Int { state.withLock { $0.done } }

    /// Writes with several clients at once until the closure is true, and each has finished what it began.
    func run(until isOver: @escaping @Sendable () -> Bool) async throws {
        try await withThrowingTaskGroup { group in
            for lane in 0..<4 {
                group.addTask { while !isOver() { try await self.changeCatalog(lane) } }
            }
            guard hasOrders else { return try await group.waitForAll() }
            for lane in 0..<4 {
                group.addTask { while !isOver() { try await self.order(lane) } }
            }
            try await group.waitForAll()
        }
    }

    /// Writes so many commands at least.
    func run(commands count: Int) async throws {
        let end = done + count
        try await run { self.done >= end }
    }

    private func changeCatalog(_ lane: Int) async throws {
        let number = done
        let name = "\(lane)/\(number)"
        let new = try await client.send(Put(Customer(name: name))).value
        note(new, name)
        switch number % 4 {
        case 0:
            var edited = new
            edited.name = "\(name) later"
            #expect(try await client.send(Put(edited)).value.version == 2)
            note(edited, edited.name)
        case 1:
            let service = try await client.send(Put(SoldService(name: name))).value
            state.withLock { state in
                state.services.insert(service.id)
                state.changes[service.id] = 1
                state.done += 1
            }
        case 2:
            _ = try await client.send(Delete<Customer>(id: new.id, force: true))
            state.withLock { state in
                state.deleted.insert(new.id)
                state.customers[new.id] = nil
                state.changes[new.id, default: 0] += 1
                state.done += 1
            }
        default:
            let wrong = Customer(name: " ")
            let refusal = try await client.refusal(of: Put(wrong))
            #expect(refusal.status == .invalid)
            state.withLock { _ = $0.refused.insert(wrong.id) }
        }
    }

    private func note(_ customer: Customer, _ name: String) {
        state.withLock { state in
            state.customers[customer.id] = name
            state.changes[customer.id, default: 0] += 1
            state.done += 1
        }
    }

    private func order(_ lane: Int) async throws {
        let customer = state.withLock { $0.customers.randomElement()?.key }
        var order = try Order.of(nil, 100, 250, made: true)
        order.customer = customer
        do throws(ClientError) {
            _ = try await client.send(Put(order))
            state.withLock { state in
                state.orders.insert(order.id)
                state.done += 1
            }
        } catch {
            // The customer was deleted meanwhile.
            guard case .refused(_, let status, _) = error, [.invalid, .gone, .notFound].contains(status) else {
                throw error
            }
            state.withLock { _ = $0.refused.insert(order.id) }
        }
    }

    // MARK: What has to be there

    /// Compares everything with what was answered: records, logs, and what the services keep of each other.
    ///
    /// - Parameter following: whose projections are made anew, too, to be compared.
    func check(
        _ following: [ServiceName: [ServiceName]] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let known = state.withLock { $0 }
        let catalog = try await client.send(List<Customer>()).positions
        let customers = try await client.all(Customer.self)
        let names = Dictionary(customers.map { ($0.id, $0.name) }) { $1 }
        #expect(names == known.customers && customers.count == names.count, sourceLocation: sourceLocation)
        let sold = try await client.all(SoldService.self).map(\.id)
        #expect(sold.count == known.services.count && Set(sold) == known.services, sourceLocation: sourceLocation)
        try await checkLog(.catalog, known, sourceLocation)
        var heads = catalog
        if hasOrders {
            let orders = try await client.all(Order.self, after: catalog)
            let ids = orders.map(\.id)
            #expect(ids.count == known.orders.count && Set(ids) == known.orders, sourceLocation: sourceLocation)
            for order in orders {
                #expect(order.customer.map { known.customers[$0] != nil } ?? true, sourceLocation: sourceLocation)
                #expect(
                    order.customer.flatMap { known.customers[$0] } == order.customerName,
                    sourceLocation: sourceLocation
                )
            }
            #expect(Set(orders.map(\.number)) == Set(1...Int64(max(1, ids.count))) || ids.isEmpty)
            try await checkLog(.orders, known, sourceLocation)
            heads.merge(try await client.send(List<Order>(), after: catalog).positions) { $1 }
        }
        for (service, sources) in following {
            for source in sources {
                let hash = HashProjection(source: source)
                let before = try await client.send(hash, to: service, after: heads).value
                let rebuilt = try await client.send(RebuildProjection(source: source), to: service).value
                let position = try #require(rebuilt.position, sourceLocation: sourceLocation)
                let after = try await client.send(hash, to: service, after: [source.rawValue: position]).value
                #expect(before == after, "\(service) of \(source)", sourceLocation: sourceLocation)
            }
        }
    }

    private func checkLog(_ service: ServiceName, _ known: State, _ sourceLocation: SourceLocation) async throws {
        let found = try await client.send(VerifyLog(), to: service).value
        #expect(found.differences == 0 && found.dangling ?? 0 == 0, "\(found.examples)", sourceLocation: sourceLocation)
        // The rest is for logs that are there from their beginning.
        guard found.floor == 0 else { return }
        var events: [Event] = []
        var place = ReadEvents()
        while true {
            let page = try await client.send(place, to: service).value
            events += try page.events.map { try $0.decode(Event.self) }
            if page.through == page.head { break }
            place = ReadEvents(epoch: page.epoch, sequence: page.through, chain: page.chain)
        }
        let numbers = events.map(\.sequence)
        #expect(numbers == (0..<Int64(events.count)).map { $0 + 1 }, sourceLocation: sourceLocation)
        // Nothing is told of what was refused, and each record's versions are told once each.
        var versions: [Identifier: Int] = [:]
        for event in events {
            #expect(!known.refused.contains(event.subject), sourceLocation: sourceLocation)
            versions[event.subject, default: 0] += 1
            #expect(event.version == versions[event.subject], "\(event.type)", sourceLocation: sourceLocation)
        }
        if service == .catalog { #expect(versions == known.changes, sourceLocation: sourceLocation) }
        if service == .orders { #expect(Set(versions.keys) == known.orders, sourceLocation: sourceLocation) }
    }
}
