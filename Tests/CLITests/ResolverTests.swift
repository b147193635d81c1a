import Client
import Messages
import Synchronization
import Testing
import Text

@testable import CLI

/// Answers lists from records in memory, by the filters that the resolver uses.
private final class Books: RequestSender {
    let customers: [Customer]
    let orders: [Order]

    init(customers: [Customer] = [], orders: [Order] = []) {
        self.customers = customers
        self.orders = orders
    }

    func send<R: Request>(_ request: R, to service: ServiceName?, key: Identifier?) async throws(CLIError) -> R.Reply {
        let reply: Any? =
            switch request {
            case let list as List<Customer>:
                page(customers, list) {
                    $0.name
                } reference: {
                    $0.reference
                } number: { _ in
                    nil
                }
            case let list as List<Order>:
                page(orders, list) { _ in
                    ""
                } reference: {
                    $0.reference
                } number: {
                    $0.number
                }
            case let get as Get<Customer>: customers.first { $0.id == get.id }
            default: nil
            }
        guard let reply = reply as? R.Reply else {
            throw .client(.refused(.catalog, .notFound, ErrorBody(code: "not-found", message: "No such record.")))
        }
        return reply
    }

    private func page<R: Record>(
        _ records: [R],
        _ list: List<R>,
        name: (R) -> String,
        reference: (R) -> String?,
        number: (R) -> Int64?
    ) -> Page<R> {
        func fits(_ record: R, _ filter: Filter) -> Bool {
            switch filter {
            case .startsWith("name", let text):
                TextNormalizer.folded(name(record)).hasPrefix(TextNormalizer.folded(text))
            case .contains("name", let text):
                TextNormalizer.folded(name(record)).contains(TextNormalizer.folded(text))
            case .equal("reference", .text(let text)): reference(record) == text
            case .equal("number", .integer(let value)): number(record) == value
            case .equal("tail", .text(let digits)): record.id.hexadecimal.hasSuffix(digits)
            case .range("id", from: .id(let first), through: .id(let last)): (first...last).contains(record.id)
            case .or(let filters): filters.contains { fits(record, $0) }
            default: false
            }
        }
        let rows = records.filter { record in list.filter.map { fits(record, $0) } ?? true }
        return Page(rows: Array(rows.prefix(list.limit ?? 50)), next: nil)
    }
}

struct ResolverTests {
    private static func id(_ low: UInt64) -> Identifier { Identifier(high: 0x018e_95c2_4f00_7a31, low: low) }

    private let books = Books(
        customers: [
            Customer(id: id(0x1111_aaaa), name: "Björn Åkesson", reference: "AKES"),
            Customer(id: id(0x2222_bbbb), name: "Kim Berg", email: "kim@example.org"),
            Customer(id: id(0x3333_cccc), name: "Kim Berg", address: "Kiel"),
            Customer(id: id(0x4444_dddd), name: "Kim"),
            Customer(id: id(0x5555_beef), name: "Deadwood"),
            Customer(id: id(0x6666_dead), name: "Ann"),
            Customer(id: id(0x7777_0012), name: "AKES and Sons"),
        ],
        orders: [
            Order(id: id(0x8888_4321), number: 12, date: CalendarDay("2024-03-31")!, currency: .eur),
            Order(
                id: id(0x9999_0012),
                number: 4321,
                date: CalendarDay("2024-03-31")!,
                currency: .eur,
                reference: "N-1"
            ),
        ]
    )

    private func name(_ text: String) async throws(CLIError) -> String {
        try await Resolver(sender: books).record(Customer.self, text).name
    }

    @Test(
        arguments: [
            ("018e95c2-4f00-7a31-0000-000011111aaaa", nil), ("018e95c2-4f00-7a31-0000-00001111aaaa", "Björn Åkesson"),
            ("018e95c24f007a31000000001111", "Björn Åkesson"), ("aaaa", "Björn Åkesson"), ("1111AAAA", "Björn Åkesson"),
            ("0000-00001111aaaa", "Björn Åkesson"),
            ("BJÖRN ÅKESSON", "Björn Åkesson"), ("bjor", "Björn Åkesson"), (" Ann ", "Ann"),
            // The whole name before longer ones, a reference before the beginning of a name.
            ("kim", "Kim"), ("AKES", "Björn Åkesson"), ("beef", "Deadwood"),
            ("akess", "Björn Åkesson"), ("berg", nil), ("kesson", nil),
        ] as [(String, String?)]
    )
    func findsACustomer(text: String, expected: String?) async throws {
        if let expected {
            #expect(try await name(text) == expected)
        } else {
            await #expect(throws: CLIError.self) { try await name(text) }
        }
    }

    @Test func listsCandidatesWithWhatTellsThemApart() async throws {
        let error = await #expect(throws: CLIError.self) { try await name("Kim Berg") }
        #expect(
            error?.description == """
                'Kim Berg' fits 2 customers:
                  bbbb  Kim Berg  kim@example.org
                  cccc  Kim Berg  Kiel
                Give more of the name, or the digits in front.
                """
        )
        #expect(error?.processStatus == .usage)
    }

    @Test func doesNotGuessBetweenAnIdAndAName() async throws {
        let error = await #expect(throws: CLIError.self) { try await name("dead") }
        guard case .ambiguous(_, _, let candidates, _) = error else { throw error! }
        #expect(Set(candidates.map(\.tail)) == ["dead", "beef"])
    }

    @Test func suggestsANameThatHoldsTheText() async throws {
        let error = await #expect(throws: CLIError.self) { try await name("dwoo") }
        #expect(error?.description == "No customer 'dwoo'; did you mean 'Deadwood'?")
    }

    @Test func suggestsANearName() async throws {
        let error = await #expect(throws: CLIError.self) { try await name("Deadwodo") }
        #expect(error?.description == "No customer 'Deadwodo'; did you mean 'Deadwood'?")
        #expect(error?.processStatus == .failure)
    }

    @Test(arguments: ["", " ", "zzz", "99ff"]) func saysWhatIsNotThere(text: String) async throws {
        let error = await #expect(throws: CLIError.self) { try await name(text) }
        #expect(error?.description.hasPrefix("No customer") == true)
    }

    @Test(arguments: [("12", 12), ("#12", 12), ("4321", 4321), ("N-1", 4321), ("88884321", 12), ("0012", 12)])
    func findsAnOrderByItsNumberFirst(text: String, number: Int64) async throws {
        #expect(try await Resolver(sender: books).record(Order.self, text).number == number)
    }
}

struct ListingTests {
    private final class Pages: RequestSender {
        let limits = Mutex<[Int]>([])

        func send<R: Request>(_ request: R, to: ServiceName?, key: Identifier?) async throws(CLIError) -> R.Reply {
            guard let list = request as? List<Customer>, let limit = list.limit else { throw .failure("") }
            limits.withLock { $0.append(limit) }
            let start = Int(list.after?.first ?? 0) * 100
            let rows = (start..<(start + limit)).map {
                Customer(id: Identifier(high: 1, low: UInt64($0)), name: "\($0)")
            }
            let page = Page(rows: rows, next: [UInt8(start / 100 + 1)])
            guard let reply = page as? R.Reply else { throw .failure("") }
            return reply
        }
    }

    @Test func asksForNoMoreThanTheLimit() async throws {
        let pages = Pages()
        let capture = try Capture()
        let daybook = Invocation(
            configuration: try .load(
                flags: ConfigurationFlags(),
                environment: [:],
                directory: "/",
                contents: { _ throws(CLIError) in nil },
                isFolder: { _ in false }
            ),
            presentation: capture.presentation(.csv, fields: ["name"]),
            sender: pages
        )
        try await daybook.list(.customer, limit: 103)
        #expect(pages.limits.withLock { $0 } == [100, 3])
        #expect(try capture.text().split(separator: "\n").count == 104)
    }
}
