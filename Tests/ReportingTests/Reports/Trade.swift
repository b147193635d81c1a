import CBOR
import Messages
import Support

@testable import Catalog
@testable import Orders
@testable import Reporting
@testable import Service

/// A small trade: customers and services, orders, and the reports that follow both.
final class Trade {
    let catalog: Bench
    let orders: Bench
    let reporting: Bench
    private(set) var customers: [Customer] = []
    private(set) var services: [SoldService] = []
    private var written: [Identifier] = []
    private var count = 0

    init() throws {
        catalog = try Bench(Catalog.definition)
        orders = try Bench(Orders.definition)
        reporting = try Bench(Reporting.definition)
    }

    /// All orders that there are.
    func all() throws -> [Order] { try orders.send(List<Order>(limit: 10_000)).rows }

    func add(customer name: String, reference: String? = nil) throws -> Customer {
        let customer = try catalog.send(Put(Customer(name: name, reference: reference)))
        customers.append(customer)
        try follow()
        return customer
    }

    func addService(_ name: String) throws {
        services.append(try catalog.send(Put(SoldService(name: name))))
        try follow()
    }

    func rename(_ customer: Customer, to name: String) throws {
        var changed = try catalog.send(Get<Customer>(id: customer.id))
        changed.name = name
        try catalog.send(Put(changed))
        try follow()
    }

    func put(_ date: String, _ customer: Customer? = nil, _ rows: [OrderRow], made: Bool = true) throws -> Order {
        guard let day = CalendarDay(date) else { throw Unexpected("no day \(date)") }
        let order = try orders.send(
            Put(Order(date: day, customer: customer?.id, currency: .eur, rows: rows, made: made))
        )
        try follow()
        return order
    }

    func change(_ order: Order, _ change: (inout Order) -> Void) throws -> Order {
        var changed = try orders.send(Get<Order>(id: order.id))
        change(&changed)
        let stored = try orders.send(Put(changed))
        try follow()
        return stored
    }

    /// Orders and reporting read what there is, in pieces of no more than so many events.
    func follow(inPiecesOf size: Int = .max) throws {
        try follow(catalog, .catalog, by: orders, size)
        try follow(catalog, .catalog, by: reporting, size)
        try follow(orders, .orders, by: reporting, size)
    }

    private func follow(_ source: Bench, _ name: ServiceName, by bench: Bench, _ size: Int) throws {
        var events = try source.events(after: bench.engine.cursors[name]?.sequence ?? 0)[...]
        while !events.isEmpty {
            try bench.apply(events.prefix(size), of: name, epoch: source.engine.log.epoch)
            events = events.dropFirst(size)
        }
    }

    /// Empties what reports are made of, and makes it anew from the logs.
    func rebuild(inPiecesOf size: Int) throws {
        for source in [ServiceName.catalog, .orders] {
            try reporting.send(RebuildProjection(source: source))
            _ = reporting.engine.takeRebuilt()
        }
        try follow(inPiecesOf: size)
    }

    // MARK: At random

    /// Something that happens, told at once.
    func step(_ random: inout SeededGenerator) throws {
        count += 1
        switch Int.random(in: 0..<24, using: &random) {
        case 0, 1: _ = try add(customer: "Kim \(count % 7)", reference: Bool.random(using: &random) ? "c\(count)" : nil)
        case 2: services.append(try catalog.send(Put(SoldService(name: "Bath \(count)"))))
        case 3: if let customer = customers.randomElement(using: &random) { try rename(customer, to: "Lind \(count)") }
        case 4:
            guard let customer = customers.randomElement(using: &random), count % 3 == 0 else { return }
            customers.removeAll { $0.id == customer.id }
            try catalog.send(Delete<Customer>(id: customer.id, force: true))
        case 5:
            guard let id = written.randomElement(using: &random) else { return }
            written.removeAll { $0 == id }
            try orders.send(Delete<Order>(id: id))
        case 6...14: try write(&random)
        default: try edit(&random)
        }
        try follow()
    }

    private func write(_ random: inout SeededGenerator) throws {
        guard let start = CalendarDay("2023-11-20") else { return }
        let order = Order(
            date: try start.adding(days: Int.random(in: 0...120, using: &random)),
            customer: customers.randomElement(using: &random)?.id,
            currency: Int.random(in: 0..<4, using: &random) == 0 ? .usd : .eur,
            rows: (0..<Int.random(in: 0...4, using: &random)).map { _ in row(&random) },
            taxIncluded: Bool.random(using: &random),
            made: Bool.random(using: &random),
            paid: Bool.random(using: &random)
        )
        written.append(try orders.send(Put(order)).id)
    }

    private func edit(_ random: inout SeededGenerator) throws {
        guard let id = written.randomElement(using: &random) else { return }
        var order = try orders.send(Get<Order>(id: id))
        switch Int.random(in: 0..<9, using: &random) {
        case 0: order.rows.append(row(&random))
        case 1: _ = order.rows.popLast()
        case 2: order.customer = customers.randomElement(using: &random)?.id
        case 3:
            let payment = Payment(date: order.date, amount: Int64.random(in: 1...9000, using: &random))
            order.payments = (order.payments ?? []) + [payment]
        case 4: _ = order.payments?.popLast()
        case 5: order.cancelled = order.cancelled == true ? nil : true
        case 6: order.date = try order.date.adding(days: Int.random(in: -40...40, using: &random))
        case 7: order.currency = .eur
        default:
            order.made.toggle()
            if try !order.isCoveredByPayments() { order.paid.toggle() }
        }
        try orders.send(Put(order))
    }

    private func row(_ random: inout SeededGenerator) -> OrderRow {
        OrderRow(
            service: services.randomElement(using: &random)?.id,
            taxRate: [nil, 700, 1900, 1].randomElement(using: &random)?.flatMap(TaxRate.init(hundredths:)),
            sum: Int64.random(in: -500...20_000, using: &random)
        )
    }
}
