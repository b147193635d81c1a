import CBOR
import Client
import Messages
import Support
import Synchronization

/// A person at work: one request after the other, chosen by chance from what people and programs do, also what is wrong.
struct Writer {
    let asking: Asking
    let ledger: Ledger
    var random: SeededGenerator
    /// Behind everything that this writer did or saw.
    private var seen: Positions = [:]
    /// The last command that was done: its key, and the record that was put.
    private var lastKey: Identifier?
    private var lastPut: (key: Identifier, customer: Customer)?
    private var lastOfOrders: Identifier?

    init(_ asking: Asking, _ ledger: Ledger, seed: UInt64) {
        self.asking = asking
        self.ledger = ledger
        random = SeededGenerator(seed: seed)
    }

    /// Works until told to stop, with a pause of up to `pause` behind each request.
    mutating func work(pause: Duration, until isOver: () -> Bool) async throws {
        while !isOver() {
            try await step()
            if pause > .zero { try await Task.sleep(for: pause / 100 * Int.random(in: 0...100, using: &random)) }
        }
    }

    private mutating func step() async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<10: try await addCustomer()
        case ..<20: try await editCustomer()
        case ..<23: try await deleteCustomer()
        case ..<28: try await putService()
        case ..<40: try await addOrder()
        case ..<56: try await editOrder()
        case ..<63: try await payOrder()
        case ..<66: try await setOrders()
        case ..<68: try await deleteOrder()
        case ..<74: try await walk()
        case ..<79: try await askWhatIsWrong()
        case ..<83: try await repeatTheLast()
        case ..<84: try await importCustomers()
        case ..<86: try await undo()
        default: try await read()
        }
    }

    // MARK: What was asked

    /// Asks for a command, and again with the same key where its outcome isn't known, a few times.
    private mutating func command<R: Request>(_ request: R, to service: ServiceName? = nil) async throws -> R.Reply? {
        let key = Identifier.make()
        var attempts = 0
        while true {
            attempts += 1
            switch try await asking.ask(request, key: key, to: service) {
            case .done(let response):
                see(response.positions)
                lastKey = key
                if service ?? R.service == .orders { lastOfOrders = key }
                if let put = request as? Put<Customer> { lastPut = (key, put.record) }
                return response.value
            case .refused: return nil
            case .unknown where attempts < 3: continue
            case .unknown: return nil
            }
        }
    }

    private mutating func see(_ positions: Positions) {
        for (service, position) in positions {
            // Of two numbers of one log the higher one; another log's counts as newer.
            if let known = seen[service], known.epoch == position.epoch, known.sequence > position.sequence { continue }
            seen[service] = position
        }
    }

    private mutating func name() -> String {
        String((0..<6).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "a" })
    }

    private mutating func chance(_ share: Int) -> Bool { Int.random(in: 0..<share, using: &random) == 0 }

    private mutating func day() throws -> CalendarDay {
        try CalendarDay(
            year: 2024,
            month: Int.random(in: 1...4, using: &random),
            day: Int.random(in: 1...28, using: &random)
        )
    }

    private func currency() throws -> Currency { try Currency(code: "EUR") }

    // MARK: Catalog

    private mutating func addCustomer() async throws {
        if let made = try await command(Put(Customer(name: name()))) { ledger.learn(\.customers, made) }
    }

    private mutating func editCustomer() async throws {
        guard var customer = ledger.any(\.customers, &random) else { return try await addCustomer() }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: customer.name = name()
        case 1: customer.info = name()
        default: customer.phone = name()
        }
        try await edited(customer, \.customers)
    }

    /// Puts an edit; where that is refused, reads the record anew.
    private mutating func edited<R: Record>(
        _ record: R,
        _ path: WritableKeyPath<Ledger.Books, [Identifier: R]>
    ) async throws {
        if let stored = try await command(Put(record)) { return ledger.learn(path, stored) }
        switch try await asking.ask(Get<R>(id: record.id)) {
        case .done(let response): ledger.learn(path, response.value)
        case .refused: ledger.forget(path, record.id)
        case .unknown: break
        }
    }

    private mutating func deleteCustomer() async throws {
        guard let customer = ledger.any(\.customers, &random) else { return }
        let isForced = chance(2)
        if try await command(Delete<Customer>(id: customer.id, force: isForced ? true : nil)) != nil {
            ledger.forget(\.customers, customer.id)
        }
    }

    private mutating func putService() async throws {
        if var service = ledger.any(\.services, &random), !chance(3) {
            if chance(2) { service.name = name() } else { service.info = name() }
            return try await edited(service, \.services)
        }
        if let made = try await command(Put(SoldService(name: name()))) { ledger.learn(\.services, made) }
    }

    private mutating func importCustomers() async throws {
        let batch = Identifier.make()
        let items = try (1...3).map { line in
            try EncodedCBOR(encoding: ImportItem(record: Customer(name: name()), line: line))
        }
        let stage = ImportStage(batch: batch, chunk: 0, entity: Customer.entity, items: items)
        guard try await command(stage, to: .catalog) != nil else { return }
        _ = try await command(ImportCommit(batch: batch, chunks: 1), to: .catalog)
    }

    // MARK: Orders

    private mutating func row() -> OrderRow {
        let sum = Int64.random(in: chance(10) ? -2000 ... -1 : 1...5000, using: &random)
        return OrderRow(service: chance(2) ? ledger.any(\.services, &random)?.id : nil, text: name(), sum: sum)
    }

    private mutating func addOrder() async throws {
        var order = Order(date: try day(), currency: try currency())
        if !chance(6) { order.customer = ledger.any(\.customers, &random)?.id }
        order.rows = (0...Int.random(in: 0...2, using: &random)).map { _ in row() }
        order.made = chance(2)
        if let made = try await command(Put(order)) { ledger.learn(\.orders, made) }
    }

    private mutating func editOrder() async throws {
        guard var order = ledger.any(\.orders, &random) else { return try await addOrder() }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: order.note = name()
        case 1 where order.rows.count > 1: order.rows.remove(at: Int.random(in: order.rows.indices, using: &random))
        case 2 where !order.rows.isEmpty:
            let index = Int.random(in: order.rows.indices, using: &random)
            order.rows[index].sum = Int64.random(in: 1...5000, using: &random)
        case 3: order.made.toggle()
        default: order.rows.append(row())
        }
        try await edited(order, \.orders)
    }

    private mutating func payOrder() async throws {
        guard let order = ledger.any(\.orders, &random) else { return }
        let payment = Payment(date: try day(), amount: Int64.random(in: 1...3000, using: &random))
        let request = PayOrder(order: order.id, currency: try currency(), payment: payment)
        if let paid = try await command(request) { ledger.learn(\.orders, paid) }
    }

    private mutating func setOrders() async throws {
        let some = (0..<3).compactMap { _ in ledger.any(\.orders, &random) }
        var targets: [SetOrders.Target] = []
        for order in some where !targets.contains(where: { $0.id == order.id }) {
            targets.append(SetOrders.Target(id: order.id, version: chance(4) ? order.version : nil))
        }
        let change = SetOrders.Change(made: chance(2), due: chance(2) ? try day() : nil)
        _ = try await command(SetOrders(orders: targets, change: change))
    }

    private mutating func deleteOrder() async throws {
        guard let order = ledger.any(\.orders, &random) else { return }
        if try await command(Delete<Order>(id: order.id)) != nil { ledger.forget(\.orders, order.id) }
    }

    // MARK: Walks

    private mutating func walk() async throws {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            if var walk = ledger.any(\.walks, &random) {
                walk.note = name()
                return try await edited(walk, \.walks)
            }
        case 1:
            let dog = Dog(name: name(), owner: ledger.any(\.customers, &random)?.id)
            if let made = try await command(Put(dog)) { ledger.learn(\.dogs, made) }
            return
        default: break
        }
        let start = Instant(
            microseconds: 1_711_900_000_000_000 + 60_000_000 * Int64.random(in: 0..<50_000, using: &random)
        )
        let end = Instant(microseconds: start.microseconds + 60_000_000 * Int64.random(in: 1...120, using: &random))
        let known = ledger.any(\.dogs, &random)?.name
        let dogs = chance(2) ? known.map { [$0] } ?? ["rex"] : ["rex", "fido"]
        if let reply = try await command(AddWalk(dogs: dogs, start: start, end: end)) {
            ledger.learn(\.walks, reply.walk)
        }
    }

    // MARK: What goes wrong, and comes twice

    private mutating func askWhatIsWrong() async throws {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: _ = try await command(Put(Customer(name: " ")))
        case 1: _ = try await command(Delete<Order>(id: .make()))
        case 2:
            guard var order = ledger.any(\.orders, &random) else { return }
            order.version += 1_000_000
            order.note = name()
            _ = try await command(Put(order))
        case 3:
            var order = Order(date: try day(), customer: .make(), currency: try currency())
            order.rows = [row()]
            _ = try await command(Put(order))
        default:
            guard let order = ledger.any(\.orders, &random) else { return }
            let payment = Payment(date: try day(), amount: 100)
            _ = try await command(PayOrder(order: order.id, currency: try Currency(code: "USD"), payment: payment))
        }
    }

    private mutating func repeatTheLast() async throws {
        guard let (key, customer) = lastPut else { return }
        var other = customer
        if chance(2) { other.name = name() }
        _ = try await asking.ask(Put(other), key: key)
    }

    private mutating func undo() async throws {
        if chance(2), let key = lastOfOrders {
            _ = try await command(UndoCommand(key: key), to: .orders)
        } else if let (key, _) = lastPut {
            _ = try await command(UndoCommand(key: key), to: .catalog)
        }
    }

    // MARK: Reading

    /// Asks for what must show all that this writer did and saw.
    private mutating func read() async throws {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: try await read(List<Customer>(sort: [SortKey("name")], limit: 10_000))
        case 1: try await read(List<Order>(sort: [SortKey("number")], limit: 10_000))
        case 2: try await read(TotalsReport(by: .customer))
        case 3: try await read(TotalsReport(by: chance(2) ? .month : .service))
        case 4: try await read(UnpaidReport())
        case 5:
            guard let customer = ledger.any(\.customers, &random) else { return }
            try await read(StatementReport(customer: customer.id))
        default:
            guard let order = ledger.any(\.orders, &random) else { return }
            try await read(Get<Order>(id: order.id))
        }
    }

    private mutating func read<R: Request>(_ request: R) async throws {
        if case .done(let response) = try await asking.ask(request, after: seen) { see(response.positions) }
    }
}
