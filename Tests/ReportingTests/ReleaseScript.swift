import Messages
import Support

@testable import Catalog
@testable import Orders
@testable import Service
@testable import Walks

/// A synthetic history by the services of this release: 1,000 events, with all that happens to every kind of record.
///
/// What is done is the same for a seed; keys, times and the logs' epochs are those of the moment.
final class ReleaseScript {
    static let length = 1000

    let catalog: Bench
    let orders: Bench
    let walks: Bench
    private var random = SeededGenerator(seed: 20_240_331)
    private var made: UInt64 = 0
    private var dogChanges = 0
    private var customers: [Customer] = []
    private var services: [SoldService] = []
    private var types: [RecipeType] = []
    private var recipes: [Identifier] = []
    private var written: [Identifier] = []
    private var logged: [Identifier] = []

    private static let names = [
        "Ada Lind", "Björn Åkesson", "Zoë Lefèvre", "李小雨", "Ольга Новикова", "Nguyễn Thị Hòa", "Kim Berg",
        "O'Brien \"Bob\"", "José\tda Silva", "Ελένη Παππά", "🐕 Hundesalon", "Straße & Söhne",
    ]
    private static let dogs = ["Rex", "Frieda", "Жучка", "Ål", "小白", "Chloé"]

    init() throws {
        catalog = try Bench(Catalog.definition)
        orders = try Bench(Orders.definition)
        walks = try Bench(Walks.definition)
    }

    /// How many events there are.
    var count: Int { [catalog, orders, walks].map { Int($0.engine.log.sequence) }.reduce(0, +) }

    func run() throws {
        while walks.engine.log.sequence < 200 { try stepWalks() }
        while count < Self.length - 60 { try step() }
        let gone = try put(customer: Customer(id: id(), name: name(), phone: "555-0199"))
        try catalog.send(Delete<Customer>(id: gone.id, force: true))
        try catalog.send(Erase<Customer>(id: gone.id))
        try follow()
        while count < Self.length { try addOrder() }
    }

    private func step() throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...2: customers.append(try put(customer: Customer(id: id(), name: name(), reference: "c\(made)")))
        case 3: services.append(try catalog.send(Put(service())))
        case 4: try changeCustomer()
        case 5: try changeService()
        case 6: try changeRecipes()
        case 7: try addRecipe()
        case 8...13: try addOrder()
        case 14...18: try changeOrder()
        default: try removeSomething()
        }
        try follow()
    }

    // MARK: Catalog

    private func put(customer: Customer) throws -> Customer { try catalog.send(Put(customer)) }

    private func changeCustomer() throws {
        guard let index = customers.indices.randomElement(using: &random) else { return }
        if Int.random(in: 0..<5, using: &random) == 0 {
            if let erased = try catalog.send(Erase<Customer>(id: customers[index].id)).record {
                customers[index] = erased
            }
            return
        }
        customers[index].name = name()
        customers[index].info = Bool.random(using: &random) ? nil : "calls \(made)\nlate"
        customers[index].email = "c\(made)@example.org"
        customers[index] = try put(customer: customers[index])
    }

    private func service() -> SoldService {
        let price = Money(amount: Int64.random(in: 0...50_000, using: &random), currency: .eur)
        return SoldService(id: id(), name: "Bäder \(made)", price: Bool.random(using: &random) ? price : nil)
    }

    private func changeService() throws {
        guard let index = services.indices.randomElement(using: &random) else { return }
        services[index].name = "Schur № \(Int.random(in: 0...99, using: &random))"
        services[index].price = nil
        services[index] = try catalog.send(Put(services[index]))
    }

    private func changeRecipes() throws {
        if types.count < 3 || Bool.random(using: &random) {
            made += 1
            types.append(try catalog.send(Put(RecipeType(id: id(), name: "Crème \(made)"))))
        } else if let index = types.indices.randomElement(using: &random) {
            types[index].name += " à point"
            types[index] = try catalog.send(Put(types[index]))
        }
        guard let recipe = recipes.randomElement(using: &random) else { return }
        var changed = try catalog.send(Get<Recipe>(id: recipe))
        changed.overview = "for \(Int.random(in: 2...8, using: &random))"
        changed.ingredients.append(Ingredient(id: id(), line: "½ l Süßrahm"))
        try catalog.send(Put(changed))
    }

    private func addRecipe() throws {
        let recipe = Recipe(
            id: id(),
            name: "Soupe à l'oignon \(made)",
            image: RecipeImage(name: "soupe.jpg"),
            prepTime: "1 hr 30 min",
            cookTime: "40 min",
            yield: "4 bols",
            type: types.randomElement(using: &random)?.id,
            ingredients: [
                Ingredient(id: id(), line: "Pour la soupe", isHeading: true), Ingredient(id: id(), line: "3 oignons"),
            ],
            steps: [RecipeStep(id: id(), text: "Slice."), RecipeStep(id: id(), text: "Fry.")]
        )
        recipes.append(try catalog.send(Put(recipe)).id)
    }

    private func removeSomething() throws {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: if let gone = take(&customers) { try catalog.send(Delete<Customer>(id: gone.id, force: true)) }
        case 1: if let gone = take(&services) { try catalog.send(Delete<SoldService>(id: gone.id, force: true)) }
        case 2: if let gone = take(&types) { try catalog.send(Delete<RecipeType>(id: gone.id)) }
        case 3: if let gone = take(&recipes) { try catalog.send(Delete<Recipe>(id: gone)) }
        default:
            if let gone = take(&written) {
                // One that is printed stays.
                if Bool.random(using: &random) { try orders.send(PrintOrder(id: gone)) }
                _ = try? orders.send(Delete<Order>(id: gone))
            }
        }
    }

    // MARK: Orders

    private func addOrder() throws {
        let date = try CalendarDay(parsing: "2024-02-29").adding(days: Int.random(in: 0...400, using: &random))
        let currency = Int.random(in: 0..<5, using: &random) == 0 ? Currency.usd : .eur
        let rows = (0..<Int.random(in: 0...4, using: &random)).map { _ in row() }
        let order = Order(
            id: id(),
            date: date,
            customer: customers.randomElement(using: &random)?.id,
            currency: currency,
            rows: rows,
            taxIncluded: Bool.random(using: &random),
            made: Bool.random(using: &random),
            paid: Bool.random(using: &random),
            reference: Bool.random(using: &random) ? "o\(made)" : nil
        )
        written.append(try orders.send(Put(order)).id)
    }

    private func changeOrder() throws {
        guard let chosen = written.randomElement(using: &random) else { return }
        var order = try orders.send(Get<Order>(id: chosen))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: order.rows.append(row())
        case 1: _ = order.rows.popLast()
        case 2: order.customer = customers.randomElement(using: &random)?.id
        case 3:
            let amount = Int64.random(in: 1...9000, using: &random)
            let note = Bool.random(using: &random) ? "per Überweisung" : nil
            order.payments = (order.payments ?? []) + [Payment(id: id(), date: order.date, amount: amount, note: note)]
        case 4: _ = order.payments?.popLast()
        case 5: order.cancelled = order.cancelled == true ? nil : true
        case 6: (order.due, order.note) = (try order.date.adding(days: 14), "à la porte \(made)")
        default:
            (order.made, order.madeOn) = (true, order.date)
            if try !order.isCoveredByPayments() { order.paid.toggle() }
        }
        try orders.send(Put(order))
    }

    private func row() -> OrderRow {
        var row = OrderRow(
            id: id(),
            service: services.randomElement(using: &random)?.id,
            sum: Int64.random(in: -500...20_000, using: &random)
        )
        if Bool.random(using: &random) { row.taxRate = TaxRate(hundredths: 1900) }
        if Bool.random(using: &random) {
            row.text = "für Rex \(made)"
            row.quantity = Quantity(millionths: Int64.random(in: 1...9, using: &random) * 250_000)
            row.unitPrice = Int64.random(in: 0...5000, using: &random)
        }
        return row
    }

    /// Orders reads what Catalog told, and reacts.
    private func follow() throws {
        let known = orders.engine.cursors[.catalog]?.sequence ?? 0
        try orders.apply(catalog.events(after: known), of: .catalog, epoch: catalog.engine.log.epoch)
    }

    // MARK: Walks

    private func stepWalks() throws {
        let time = Instant(microseconds: 1_711_900_800_000_000 + Int64.random(in: 0...1 << 45, using: &random))
        switch Int.random(in: 0..<16, using: &random) {
        case 0: try changeDog()
        case 1...3:
            guard let chosen = logged.randomElement(using: &random) else { return }
            guard var walk = try? walks.send(Get<Walk>(id: chosen)) else { return }
            walk.start = time
            walk.end = Bool.random(using: &random) ? time.advanced(by: .seconds(60 * made)) : nil
            try walks.send(Put(walk))
        case 4:
            guard let gone = take(&logged) else { return }
            _ = try? walks.send(Delete<Walk>(id: gone))
        default:
            let dogs = Array(Self.dogs.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
            logged.append(try walks.send(AddWalk(id: id(), dogs: dogs, start: time)).walk.id)
        }
    }

    /// Renames a dog; every third one goes with its walks.
    private func changeDog() throws {
        guard var dog = try walks.send(List<Dog>()).rows.randomElement(using: &random) else { return }
        dogChanges += 1
        if dogChanges.isMultiple(of: 3) {
            try walks.send(Delete<Dog>(id: dog.id))
        } else {
            made += 1
            dog.name += " \(made)"
            try walks.send(Put(dog))
        }
    }

    // MARK: Values

    private func take<Element>(_ list: inout [Element]) -> Element? {
        list.indices.randomElement(using: &random).map { list.remove(at: $0) }
    }

    private func name() -> String {
        "\(Self.names.randomElement(using: &random) ?? "Ada") \(made)"
    }

    /// A UUIDv7 of a moment of 2024, counted up.
    private func id() -> Identifier {
        made += 1
        return Identifier(
            high: (1_711_900_800_000 + made) << 16 | 7 << 12,
            low: 2 << 62 | random.next() >> 2
        )
    }
}
