import CBOR
import Client
import Glibc
import LiveList
import Messages
import Support
import Testing
import ZeroMQ

/// Live lists of the real services, and the mirrors that follow them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LiveListTests {
    private static let customers = ListQuery(.entity("customer"))

    /// The last row leaves its section, and comes back.
    @Test func aSectionGoesWithItsLastRow() async throws {
        try await withDaybook(.orders) { daybook in
            let client = daybook.client
            var orders: [Order] = []
            for day in [3, 2, 4, 1] {
                var order = try Order.of(nil, 100)
                order.date = try CalendarDay(year: 2024, month: 1, day: day)
                orders.append(try await client.send(Put(order)).value)
            }
            let query = ListQuery(.entity("order"), sort: [SortKey("number")], section: .init("date"))
            var watcher = try await Watcher<Order>(client, query, of: .orders)
            #expect(watcher.results.sections.count == 4)
            var moved = orders[3]
            moved.date = orders[1].date
            moved = try await client.send(Put(moved)).value
            let batch = try #require(try await watcher.next().first)
            #expect(batch.sections == .init(delete: [0], insert: nil))
            #expect(batch.move?.map(\.from) == [ListPath(0, 0)] && batch.move?.map(\.to) == [ListPath(0, 1)])
            #expect(batch.insert == nil && batch.delete == nil && batch.update == nil)
            #expect(watcher.results.sections.map { $0.rows.map(\.number) } == [[2, 4], [1], [3]])
            moved.date = orders[3].date
            _ = try await client.send(Put(moved))
            let back = try #require(try await watcher.next().first)
            #expect(back.sections?.insert?.map(\.at) == [0] && back.sections?.delete == nil)
            #expect(watcher.results.sections.map { $0.rows.map(\.number) } == [[4], [2], [1], [3]])
        }
    }

    /// Same place, new content; then the same content again.
    @Test func aRowThatKeepsItsPlaceIsUpdatedOnce() async throws {
        try await withDaybook(.catalog) { daybook in
            let client = daybook.client
            var ada = try await client.send(Put(Customer(name: "Ada"))).value
            _ = try await client.send(Put(Customer(name: "Bob")))
            var watcher = try await Watcher<Customer>(client, Self.customers, of: .catalog)
            ada.address = "Oslo"
            ada = try await client.send(Put(ada)).value
            _ = try await client.send(Put(ada))
            _ = try await client.send(Put(Customer(name: "Zoe")))
            let batches = try await watcher.next(2)
            #expect(batches[0].update?.map(\.from) == [ListPath(0, 0)])
            #expect(batches[0].update?.map(\.to) == [ListPath(0, 0)])
            #expect(batches[0].move == nil && batches[0].insert == nil && batches[0].delete == nil)
            #expect(batches[1].insert?.map(\.to) == [ListPath(0, 2)])
            #expect(try await client.all(Customer.self) == watcher.rows)
        }
    }

    /// Everything is deleted, imported, and imported with other values.
    @Test func importsAreOneBatchOfInsertsAndThenOfUpdates() async throws {
        try await withDaybook(.catalog) { daybook in
            let client = daybook.client
            var records: [Customer] = []
            for name in ["Ada", "Bob", "Cid"] { records.append(try await client.send(Put(Customer(name: name))).value) }
            var watcher = try await Watcher<Customer>(client, Self.customers, of: .catalog)
            for record in records { _ = try await client.send(Delete<Customer>(id: record.id, force: true)) }
            let deletes = try await watcher.next(3)
            #expect(deletes.allSatisfy { $0.delete?.count == 1 && $0.insert == nil && $0.move == nil })
            #expect(deletes.map { $0.sections?.delete } == [nil, nil, [0]])
            #expect(watcher.results.sections.isEmpty)

            func importAll(_ info: String) async throws {
                let batch = Identifier.make()
                let items = try ["x", "y", "z"].enumerated().map { number, name in
                    var customer = Customer(name: name)
                    customer.id = Identifier(high: 0x0000_0000_0000_8000, low: 0x8000_0000_0000_0000 | UInt64(number))
                    customer.reference = name
                    customer.info = info
                    return try EncodedCBOR(encoding: ImportItem(record: customer, line: number + 1))
                }
                let stage = ImportStage(batch: batch, chunk: 0, entity: Customer.entity, items: items)
                _ = try await client.send(stage, to: .catalog)
                _ = try await client.send(ImportCommit(batch: batch, chunks: 1), to: .catalog)
            }
            try await importAll("one")
            let inserts = try await watcher.next()
            #expect(inserts[0].insert?.count == 3 && inserts[0].sections?.insert?.count == 1)
            try await importAll("two")
            let updates = try await watcher.next()
            #expect(updates[0].update?.count == 3)
            #expect(updates[0].insert == nil && updates[0].delete == nil && updates[0].sections == nil)
            #expect(watcher.rows.map(\.info) == ["two", "two", "two"])
        }
    }

    /// What the filter leaves out makes no noise.
    @Test func changesBesideTheFilterAreNoBatches() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            let (ada, bob) = (
                try await client.send(Put(Customer(name: "Ada"))).value,
                try await client.send(Put(Customer(name: "Bob"))).value
            )
            let query = ListQuery(.entity("order"), filter: .equal("customer", .id(ada.id)))
            var watcher = try await Watcher<Order>(client, query, of: .orders)
            for number in 0..<100 { _ = try await client.send(Put(Order.of(bob, Int64(number)))) }
            let mine = try await client.send(Put(Order.of(ada, 5))).value
            let batches = try await watcher.next()
            #expect(batches.count == 1 && batches[0].number == batches[0].base + 1)
            #expect(watcher.rows == [mine])
            #expect(watcher.results.number == 1, "nothing was told before")
        }
    }

    /// The subscription is live once the snapshot is there.
    @Test func whoHasTheSnapshotGetsTheNextChange() async throws {
        try await withDaybook(.catalog) { daybook in
            let watching = try daybook.client(timeout: .seconds(5))
            for number in 0..<100 {
                let name = "Customer \(number)"
                // Half of them share a list with others before them, half have one of their own.
                let query =
                    number % 2 == 0
                    ? Self.customers : ListQuery(.entity("customer"), filter: .startsWith("name", name))
                var watcher = try await Watcher<Customer>(watching, query, of: .catalog)
                let customer = try await daybook.client.send(Put(Customer(name: name))).value
                let batch = try #require(try await watcher.next().first)
                #expect(try batch.insert?.map { try $0.row.decode(Customer.self).id } == [customer.id])
                #expect(watcher.resyncs.isEmpty)
            }
        }
    }

    /// A related record's change reaches the list like any other.
    @Test func aListOpensNoEarlierThanThePositionsAskedFor() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = try daybook.client(timeout: .seconds(10))
            let customer = try await client.send(Put(Customer(name: "Ann")))
            _ = try await client.send(Put(Order.of(customer.value, 100)))
            let open = OpenList(ListQuery(.entity(Order.entity)))
            let reply = try await client.send(open, to: .orders, after: customer.positions).value
            let known = try #require(reply.positions["catalog"])
            var wanted = try #require(customer.positions["catalog"])
            #expect(known.epoch == wanted.epoch && known.sequence >= wanted.sequence)
            wanted.sequence += 1000
            do throws(ClientError) {
                _ = try await client.send(open, to: .orders, after: ["catalog": wanted], timeout: .milliseconds(600))
                Issue.record("the list was opened before the position was reached")
            } catch {
                guard case .refused(_, .timedOut, _) = error else { throw error }
            }
        }
    }

    @Test func renamingACustomerMovesTheirOrders() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            var ada = try await client.send(Put(Customer(name: "Ada"))).value
            let bob = try await client.send(Put(Customer(name: "Bob"))).value
            for customer in [ada, bob, ada] { _ = try await client.send(Put(Order.of(customer, 100, made: true))) }
            let query = ListQuery(.entity("order"), sort: [SortKey("customer.name"), SortKey("number")])
            var orders = try await Watcher<Order>(client, query, of: .orders)
            #expect(orders.rows.map(\.number) == [1, 3, 2])
            var unpaid = try await Watcher<ReportedOrder>(client, ListQuery(.report("unpaid")), of: .reporting)
            try await unpaid.follow { $0.count == 3 }
            ada.name = "Zoe"
            _ = try await client.send(Put(ada))
            try await orders.follow { $0.map(\.number) == [2, 1, 3] }
            #expect(orders.rows.map(\.customerName) == ["Bob", "Zoe", "Zoe"])
            #expect(orders.resyncs.isEmpty)
            try await unpaid.follow { $0.map(\.customerName) == ["Bob", "Zoe", "Zoe"] }
            // Paid: it leaves the report.
            var order = orders.rows[0]
            order.paid = true
            _ = try await client.send(Put(order))
            try await unpaid.follow { $0.count == 2 }
            #expect(unpaid.resyncs.isEmpty)
        }
    }

    /// An order's rows, by the names of what another service has, which change there.
    @Test func renamingAServiceMovesTheRowsOfOrders() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            var bath = try await client.send(Put(SoldService(name: "Bath"))).value
            let clip = try await client.send(Put(SoldService(name: "Clip"))).value
            var order = try Order.of(nil, 100, service: bath)
            order.rows.append(OrderRow(service: clip.id, sum: 50))
            order = try await client.send(Put(order)).value
            _ = try await client.send(Put(try Order.of(nil, 100, service: bath)))
            let query = ListQuery(.entity("order-row"), filter: .equal("order", .id(order.id)))
            var rows = try await Watcher<ListedPart<OrderRow>>(client, query, of: .orders)
            #expect(rows.rows.map(\.part) == order.rows && rows.rows.map(\.position) == [0, 1])
            bath.name = "Wash"
            _ = try await client.send(Put(bath))
            var batch = try #require(try await rows.next().first)
            #expect(batch.move?.count == 1 && batch.update == nil)
            #expect(rows.rows.map(\.part.serviceName) == ["Clip", "Wash"])
            // Only the row that changed is named.
            order.rows[1].sum = 60
            order = try await client.send(Put(order)).value
            batch = try #require(try await rows.next().first)
            #expect(batch.update?.map(\.to) == [ListPath(0, 0)] && batch.move == nil)
            let page = try await client.send(List<ListedPart<OrderRow>>(filter: query.filter)).value
            #expect(page.rows == rows.rows)
        }
    }

    /// Each list of sums is the report, whatever is done: groups come with their first order and go with their last.
    @Test func theTotalsAreLiveLists() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            var random = SeededGenerator("totals")
            var reports = TotalsReport.Grouping.allCases.map { TotalsReport(by: $0) }
            let day = try #require(CalendarDay("2024-02-01"))
            reports += [TotalsReport(by: .service, from: day), TotalsReport(by: .customer, through: day, paid: false)]
            var watchers: [Watcher<TotalsGroup>] = []
            for report in reports {
                let query = ListQuery(.report("totals"), parameters: try EncodedCBOR(encoding: report))
                watchers.append(try await Watcher(client, query, of: .reporting))
            }
            var customers: [Customer] = []
            var services: [SoldService] = []
            for name in ["Ada", "Bob", "Cid"] {
                customers.append(try await client.send(Put(Customer(name: name))).value)
                services.append(try await client.send(Put(SoldService(name: name))).value)
            }
            var orders: [Order] = []
            for _ in 0..<60 {
                var done: Positions = [:]
                switch Int.random(in: 0..<8, using: &random) {
                case 0 where !orders.isEmpty:
                    let order = orders.remove(at: Int.random(in: 0..<orders.count, using: &random))
                    done = try await client.send(Delete<Order>(id: order.id)).positions
                case 1:
                    let index = Int.random(in: 0..<customers.count, using: &random)
                    customers[index].name = ["Zoe", "Åsa", "Ada"].randomElement(using: &random) ?? ""
                    let response = try await client.send(Put(customers[index]))
                    (customers[index], done) = (response.value, response.positions)
                case 2:
                    let index = Int.random(in: 0..<services.count, using: &random)
                    services[index].name = ["Wash", "Bath", "Clip"].randomElement(using: &random) ?? ""
                    let response = try await client.send(Put(services[index]))
                    (services[index], done) = (response.value, response.positions)
                default:
                    let isNew = orders.isEmpty || Bool.random(using: &random)
                    var order = isNew ? try Order.of(nil, 0) : orders.remove(at: 0)
                    order.customer = Bool.random(using: &random) ? customers.randomElement(using: &random)?.id : nil
                    order.date = try CalendarDay(year: 2024, month: Int.random(in: 1...3, using: &random), day: 5)
                    order.currency = Bool.random(using: &random) ? .eur : try Currency(code: "USD")
                    order.paid = Bool.random(using: &random)
                    order.rows = (0..<Int.random(in: 0..<4, using: &random)).map { number in
                        OrderRow(service: number == 0 ? nil : services[number - 1].id, sum: Int64(number * 100 + 1))
                    }
                    let response = try await client.send(Put(order))
                    orders.append(response.value)
                    done = response.positions
                }
                for (index, report) in reports.enumerated() {
                    let groups = try await client.send(report, after: done).value.groups
                    try await watchers[index].follow { $0 == groups }
                }
            }
            #expect(watchers.allSatisfy { $0.resyncs.isEmpty })
            var refused = ListQuery(.report("totals"))
            await #expect(throws: ClientError.self) {
                _ = try await Watcher<TotalsGroup>(client, refused, of: .reporting)
            }
            let then = UnpaidReport(asOf: AsOf(sequence: 1))
            refused = ListQuery(.report("unpaid"), parameters: try EncodedCBOR(encoding: then))
            await #expect(throws: ClientError.self) {
                _ = try await Watcher<ReportedOrder>(client, refused, of: .reporting)
            }
        }
    }

    /// Nothing was written while the service was away: its list is another one, with the same rows.
    @Test func aRestartIsToldWithItsReason() async throws {
        try await withDaybook(.catalog) { daybook in
            let ada = try await daybook.client.send(Put(Customer(name: "Ada"))).value
            var watcher = try await Watcher<Customer>(daybook.client, Self.customers, of: .catalog)
            try await daybook.kill(.catalog)
            try await daybook.start(.catalog)
            let bob = try await daybook.client.send(Put(Customer(name: "Bob"))).value
            try await watcher.follow { $0.count == 2 }
            #expect(watcher.rows == [ada, bob])
            #expect(watcher.resyncs.count == 1)
        }
    }

    /// Each watcher is a connection: more of them than a login's soft limit of open files.
    @Test func moreWatchersThanTheSoftLimitOfOpenFilesAreServed() async throws {
        try await withDaybook { daybook in
            try await daybook.launch(.catalog, through: ["/usr/bin/prlimit", "--nofile=100:4096"]).ready()
            _ = try await daybook.client.send(Put(Customer(name: "Ada")))
            let topic = try await daybook.client.send(OpenList(Self.customers), to: .catalog).value.topic
            let events = daybook.endpoints(.catalog).events
            let states = try await DedicatedThread.run {
                let context = Context()
                let sockets = try (0..<200).map { _ in
                    let socket = try Socket(context, .sub)
                    try socket.subscribe(topic.utf8)
                    try socket.connect(events)
                    return socket
                }
                return try sockets.filter { socket in
                    var poller = Poller()
                    _ = poller.add(socket, .receive)
                    return try poller.wait(timeout: .seconds(10)) > 0
                }.count
            }
            #expect(states == 200)
        }
    }

    @Test func aQueryThatMakesNoSenseEndsTheSequence() async throws {
        try await withDaybook(.catalog) { daybook in
            let query = ListQuery(.entity("customer"), sort: [SortKey("colour")])
            await #expect(throws: ClientError.self) {
                _ = try await Watcher<Customer>(daybook.client, query, of: .catalog)
            }
        }
    }

    /// A list of many frames, as long as a list can be; all of its rows are replaced by one import, which is too large to
    /// tell; one more row than a list can have is refused.
    @Test func aLargeListOpensWholeAndFollowsALargeImport() async throws {
        try await withDaybook(.catalog) { daybook in
            let many = 100_000
            let client = try daybook.client(timeout: .seconds(100))
            let types = ListQuery(.entity(RecipeType.entity))
            func importAll(_ numbers: Range<Int>, _ suffix: String) async throws {
                let (batch, size) = (Identifier.make(), 4000)
                let starts = Array(stride(from: numbers.lowerBound, to: numbers.upperBound, by: size))
                for (chunk, start) in starts.enumerated() {
                    let items = try (start..<min(start + size, numbers.upperBound)).map { number in
                        let id = Identifier(high: 0x8000, low: 0x8000_0000_0000_0000 | UInt64(number))
                        let type = RecipeType(id: id, name: "t\(1_000_000 + number)\(suffix)")
                        return try EncodedCBOR(encoding: ImportItem(record: type, line: number + 1))
                    }
                    let stage = ImportStage(batch: batch, chunk: chunk, entity: RecipeType.entity, items: items)
                    _ = try await client.send(stage, to: .catalog)
                }
                _ = try await client.send(ImportCommit(batch: batch, chunks: starts.count), to: .catalog)
            }
            try await importAll(0..<many, "a")
            var watcher = try await Watcher<RecipeType>(client, types, of: .catalog)
            #expect(watcher.rows.count == many)
            try await importAll(0..<many, "b")
            try await watcher.follow { $0.last?.name.last == "b" }
            // Where the service takes longer than its states may be missing, the watcher asks before it hears the reset.
            #expect(!watcher.resyncs.isEmpty && Set(watcher.resyncs).isSubset(of: ["reset", "silence"]))
            #expect(watcher.batches.isEmpty)
            #expect(watcher.rows.allSatisfy { $0.name.last == "b" })
            let isEqual = try await client.all(RecipeType.self) == watcher.rows
            #expect(isEqual)
            try await importAll(many..<many + 1, "a")
            var query = types
            query.filter = .startsWith("name", "t")
            do {
                _ = try await Watcher<RecipeType>(client, query, of: .catalog)
                Issue.record("it was opened")
            } catch ClientError.refused(_, let status, let body) {
                #expect(status == .tooLarge && body.message.contains("window"))
            }
            query.window = ListWindow(offset: 10, limit: 20)
            #expect(try await Watcher<RecipeType>(client, query, of: .catalog).rows.count == 20)
        }
    }
}
