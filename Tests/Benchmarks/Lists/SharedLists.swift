import CBOR
import Messages
import Service
import Store
import Support

/// What a commit's live lists cost where several are open over the same entity: all lists show the changed row, or each
/// shows others and one of them shows this one.
enum SharedLists {
    static var benchmark: Benchmark {
        Benchmark(
            name: "shared-lists",
            title: "the lists' work for one commit that changes one of 10,000 rows; ratio to 1 list",
            rounds: 7,
            prepare: { scratch in
                let store = try CustomerStore("\(scratch.folder)/lists.db", rows: 10_000)
                var cases: [Case] = []
                for count in [1, 10, 100] {
                    let bench = try Bench(store, everyRow.prefix(count))
                    cases.append(Case(name: "\(count) lists show it", measure: bench.measure))
                }
                let bench = try Bench(store, (0..<100).map(ofOneGroup))
                cases.append(Case(name: "1 of 100 shows it", measure: bench.measure))
                return cases
            }
        )
    }

    /// Different orders of all rows.
    private static let everyRow: [ListQuery] = {
        let fields = ["name", "email", "phone", "address", "reference"]
        let keys = fields.flatMap { [SortKey($0), SortKey($0, descending: true)] }
        return keys.flatMap { first in
            (keys + [SortKey("id")]).map { ListQuery(.entity(Customer.entity), sort: [first, $0]) }
        }
    }()

    private static func ofOneGroup(_ number: Int) -> ListQuery {
        ListQuery(.entity(Customer.entity), filter: .equal("reference", .text("group \(number)")))
    }

    private static let changes = 200

    private final class Bench {
        private let store: CustomerStore
        private var hub: ListHub

        init(_ store: CustomerStore, _ queries: some Sequence<ListQuery>) throws {
            self.store = store
            hub = ListHub(store.routes.listSources)
            for query in queries {
                let plan = try hub.plan(query, service: .catalog)
                guard case .build = hub.open(plan, now: 0) else { throw HarnessError("\(query) is open already") }
                let list = try plan.build(store.session, positions: [:])
                _ = try hub.built(plan, list, positions: [:], store.session, now: 0)
            }
        }

        func measure() throws -> [Figure] {
            var times: [UInt64] = []
            var bytes = 0
            for _ in 0..<SharedLists.changes {
                let id = try store.change()
                times.append(
                    try timed {
                        let messages = try hub.apply(
                            [.entity(Customer.entity): [TouchedRow(id)]],
                            positions: [:],
                            store.session
                        )
                        bytes += messages.reduce(0) { $0 + $1.body.count }
                    }
                )
                guard bytes > 0 else { throw HarnessError("a change that no list shows") }
            }
            return Figure.times("work", times)
                + [Figure("told", Double(bytes) / Double(SharedLists.changes), "bytes")]
        }
    }
}

/// Customers as Catalog stores them, as far as lists read them.
private final class CustomerStore {
    let routes: Routes
    let session: Session
    private let store: Store
    private var customers: [Customer]
    private var random = SeededGenerator(seed: 9)

    init(_ path: String, rows: Int) throws {
        let entity = Entity<Customer>(
            table: "customers",
            columns: [
                .text("name") { $0.name }, .text("email") { $0.email }, .text("phone") { $0.phone },
                .text("address") { $0.address }, .text("reference") { $0.reference },
            ],
            sort: [SortKey("name")],
            prepare: { (_, _, _) throws(ServiceError) in }
        )
        var routes = Routes()
        routes.entity(entity)
        self.routes = routes
        let schema = """
            CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
            CREATE TABLE customers (id BLOB PRIMARY KEY NOT NULL, body BLOB NOT NULL) STRICT;
            """
        store = try Store(path: path, name: "benchmark", migrations: [Migration(schema)])
        session = try store.writer()
        customers = (0..<rows).map { number in
            Customer(
                id: Identifier(high: 0x7000, low: 0x8000_0000_0000_0000 | UInt64(number)),
                version: 1,
                name: "Customer \(number)",
                email: "c\(number)@example.org",
                phone: "+47 22 \(number)",
                address: "Street \(number % 97)",
                reference: "group \(number % 100)"
            )
        }
        try session.begin()
        for customer in customers { try write(customer) }
        try session.commit()
    }

    private func write(_ customer: Customer) throws {
        try session.execute(
            "INSERT INTO customers (id, body) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET body = excluded.body",
            .id(customer.id),
            .blob(try CBOREncoder().encode(customer))
        )
    }

    /// Gives a customer another name, and stores it; returns whose it was.
    func change() throws -> Identifier {
        let place = Int.random(in: 0..<customers.count, using: &random)
        customers[place].version += 1
        customers[place].name = "Customer \(UInt32.random(in: .min ... .max, using: &random))"
        try session.begin()
        try write(customers[place])
        try session.commit()
        return customers[place].id
    }
}
