import Messages
import Support
import Testing

@testable import Service

/// Lists of orders as of a moment show the names of then.
struct PastListTests {
    private static let requests: [List<Order>] = [
        List(limit: 10_000), List(sort: [SortKey("customer.name"), SortKey("number", descending: true)], limit: 7),
        List(filter: .contains("customer.name", "lin"), sort: [SortKey("number")], limit: 3),
        List(filter: .search(nil, "bath"), sort: [SortKey("total", descending: true)], limit: 5),
        List(filter: .equal("paid", .boolean(false)), sort: [SortKey("open")], limit: 4),
    ]

    private func walk<R: Listed>(_ request: List<R>, _ asOf: AsOf?, _ trade: Trade) throws -> [R] {
        var (request, rows) = (request, [R]())
        request.asOf = asOf
        while true {
            let page = try trade.orders.send(request)
            rows += page.rows
            guard let next = page.next else { return rows }
            request.after = next
        }
    }

    private struct Seen: Equatable {
        var orders: [[Order]]
        var rows: [ListedPart<OrderRow>]
        var payments: [ListedPart<Payment>]
    }

    private func seen(_ trade: Trade, _ asOf: AsOf? = nil) throws -> Seen {
        Seen(
            orders: try Self.requests.map { try walk($0, asOf, trade) },
            rows: try walk(List(sort: [SortKey("service.name"), SortKey("sum")], limit: 20), asOf, trade),
            payments: try walk(List(limit: 5), asOf, trade)
        )
    }

    @Test(arguments: [5, 77] as [UInt64]) func areTheListsOfThenWithTheNamesOfThen(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let trade = try Trade()
        var moments: [(asOf: AsOf, seen: Seen)] = []
        for _ in 0..<60 {
            let before = trade.orders.engine.log.sequence
            try trade.step(&random)
            let now = Instant.now()
            let seen = try seen(trade)
            moments.append((AsOf(time: now), seen))
            // Names are those of the time of the event.
            let sequence = trade.orders.engine.log.sequence
            if sequence > before { moments.append((AsOf(sequence: sequence), seen)) }
            while Instant.now() <= now {}
            if let past = moments.randomElement(using: &random) {
                #expect(try self.seen(trade, past.asOf) == past.seen, "seed \(seed), \(past.asOf)")
            }
        }
        for past in moments.shuffled(using: &random).prefix(40) {
            #expect(try seen(trade, past.asOf) == past.seen, "seed \(seed), \(past.asOf)")
        }
        // Also where the names were made anew from Catalog's log.
        try trade.orders.send(RebuildProjection(source: .catalog))
        _ = trade.orders.engine.takeRebuilt()
        try trade.follow()
        for past in moments.suffix(20) {
            #expect(try seen(trade, past.asOf) == past.seen, "rebuilt, seed \(seed), \(past.asOf)")
        }
    }

    @Test func anErasedNameDoesNotComeBack() throws {
        let trade = try Trade()
        let customer = try trade.add(customer: "Qvistzon")
        var order = try trade.put("2024-03-31", customer, [OrderRow(sum: 1000)])
        let first = Instant.now()
        try trade.rename(customer, to: "Qvistzon-Berg")
        order = try trade.change(order) { $0.made = false }
        #expect(try walk(List<Order>(), AsOf(time: first), trade).map(\.customerName) == ["Qvistzon"])
        #expect(try trade.orders.rows("SELECT name FROM past_known_names") == ["Qvistzon"])
        try trade.catalog.send(Erase<Customer>(id: customer.id))
        try trade.follow()
        #expect(try trade.orders.rows("SELECT name FROM past_known_names").isEmpty)
        for sequence in 1...trade.orders.engine.log.sequence {
            let orders = try walk(List<Order>(), AsOf(sequence: sequence), trade)
            #expect(orders.map(\.customerName) == [Erased.name], "event \(sequence)")
        }
        #expect(try walk(List<Order>(), AsOf(time: first), trade).map(\.customerName) == [Erased.name])
        #expect(try walk(List<Order>(filter: .search(nil, "qvistzon")), AsOf(time: first), trade).isEmpty)
    }

    @Test func whatIsOlderThanACopyOfTheNamesIsRefused() throws {
        let trade = try Trade()
        let customer = try trade.add(customer: "Kim")
        _ = try trade.put("2024-03-31", customer, [OrderRow(sum: 1000)])
        let before = Instant.now()
        let engine = trade.orders.engine
        try engine.reset(.catalog, isOtherLog: false, isCopied: true).get()
        var copy = SnapshotCopy(epoch: trade.catalog.engine.log.epoch, entities: [Customer.entity])
        let page = try trade.catalog.send(ReadSnapshot(entity: Customer.entity))
        copy.add(page)
        try engine.copy(CopiedRows(entity: Customer.entity, rows: page.rows, sequence: page.sequence), of: .catalog)
            .get()
        let cursor = Cursor(epoch: page.epoch, sequence: page.sequence, chain: page.chain)
        _ = try engine.apply([], of: .catalog, reaching: cursor, catchingUp: copy).get()
        let error = #expect(throws: ServiceError.self) {
            try trade.orders.send(List<Order>(asOf: AsOf(time: before)))
        }
        #expect(error.map { "\($0)".contains("gone") && "\($0)".contains("known from") } == true)
        let then = Instant.now()
        try trade.rename(customer, to: "Lind")
        #expect(try trade.orders.send(List<Order>(asOf: AsOf(time: then))).rows.map(\.customerName) == ["Kim"])
        #expect(try trade.orders.send(List<Order>()).rows.map(\.customerName) == ["Lind"])
    }
}
