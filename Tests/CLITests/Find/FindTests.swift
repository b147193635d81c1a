import ArgumentParser
import Client
import Messages
import Testing

@testable import CLI

struct FindTests {
    private static let ada = Customer(id: .test(0xaa), version: 1, name: "Ada Lind", info: "rings at the back door")

    private static func order(_ number: Int64, note: String? = nil) -> Order {
        var order = Sample.order(customer: "Lind")
        (order.id, order.number, order.note) = (.test(UInt64(number)), number, note)
        return order
    }

    /// Finds whatever is looked for in customers and orders.
    private func desk(_ orders: [Order], isWalksDown: Bool = false) -> Desk {
        Desk { (request) throws(CLIError) in
            switch request {
            case is StatusRequest:
                ServiceStatus(
                    service: .catalog,
                    version: "1",
                    epoch: .test(1),
                    run: .test(2),
                    sequence: 3,
                    storeBytes: 0,
                    uptime: 0,
                    process: 1,
                    sources: []
                )
            case is List<Customer>: Page(rows: [Self.ada], next: nil)
            case let list as List<Order>:
                if case .equal("number", .integer(let number)) = list.filter {
                    Page(rows: orders.filter { $0.number == number }, next: nil)
                } else {
                    Page(rows: Array(orders.prefix(list.limit ?? 50)), next: nil)
                }
            case is List<SoldService>: Page<SoldService>(rows: [], next: nil)
            case is List<Recipe>: Page<Recipe>(rows: [], next: nil)
            case is List<RecipeType>: Page<RecipeType>(rows: [], next: nil)
            case is List<Dog> where isWalksDown, is List<Walk> where isWalksDown:
                throw .unanswered("Nobody is there.")
            case is List<Dog>: Page<Dog>(rows: [], next: nil)
            case is List<Walk>: Page<Walk>(rows: [], next: nil)
            default: throw Desk.refusal(.unknownOperation)
            }
        }
    }

    private func find(_ arguments: [String], _ desk: Desk, _ presentation: Presentation) async throws {
        try await Find.parse(arguments).find(by: try Invocation(asking: desk, presentation))
    }

    @Test func showsEachKindUnderAHeadingWithWhereItWasFound() async throws {
        let capture = try Capture()
        let orders = [Self.order(12, note: "left\nat the BACK door"), Self.order(13, note: "back door")]
        try await find(["back", "door"], desk(orders), capture.presentation())
        #expect(
            try capture.text() == """
                Customers (1)
                  00aa  Ada Lind    info: rings at the back door
                Orders (2)
                  12  Lind  Jan 31, 2024  note: left at the BACK door
                  13  Lind  Jan 31, 2024  note: back door

                """
        )
    }

    @Test func recordsOfTwoKindsMayHaveOneID() async throws {
        let capture = try Capture()
        var order = Self.order(12)
        order.id = Self.ada.id
        try await find(["lind", "--kind", "customers", "--kind", "orders"], desk([order]), capture.presentation())
        #expect(try capture.text() == "Customers (1)\n  00aa  Ada Lind\nOrders (1)\n  12  Lind  Jan 31, 2024\n")
    }

    @Test func theTextGoesToTheServicesAsItIs() async throws {
        let desk = desk([])
        let text = "a\" OR b* AND %"
        try await find([text], desk, try Capture().presentation())
        #expect(desk.requests.compactMap { ($0 as? List<Customer>)?.filter } == [.search(nil, text)])
        #expect(desk.requests.compactMap { ($0 as? List<Walk>)?.filter } == [.search(nil, text)])
        #expect(desk.requests.compactMap { ($0 as? List<Dog>)?.filter } == [.search(nil, text)])
    }

    @Test func theOrderOfTheNumberComesFirst() async throws {
        let capture = try Capture()
        let orders = [Self.order(120), Self.order(121), Self.order(12)]
        try await find(
            ["12", "--kind", "orders", "--limit", "2"],
            desk(orders),
            capture.presentation(fields: ["number"])
        )
        #expect(try capture.text() == "No.\n 12\n120\n")
    }

    @Test func aServiceThatIsDownLeavesTheOthersAndIsNamed() async throws {
        let capture = try Capture()
        let error = await #expect(throws: CLIError.self) {
            try await find(["ada"], desk([], isWalksDown: true), capture.presentation(.csv, fields: ["kind", "name"]))
        }
        #expect(try capture.text() == "kind,name\ncustomers,Ada Lind\n")
        #expect(error?.processStatus == .unreachable)
        #expect(error?.description.hasPrefix("Not searched: dogs, walks. No answer from walks;") == true)
    }

    @Test func onlyTheKindsThatAreAskedForAreSearched() async throws {
        let desk = desk([Self.order(7)])
        let capture = try Capture()
        try await find(["x", "--kind", "orders", "--kind", "dogs"], desk, capture.presentation(isQuiet: true))
        #expect(try capture.text() == "\(Identifier.test(7))\n")
        #expect(desk.requests.contains { $0 is List<Dog> })
        #expect(!desk.requests.contains { $0 is List<Customer> })
    }

    @Test(arguments: ["", "%", "\" *", (0...32).map { "w\($0)" }.joined(separator: " ")])
    func whatCantBeLookedForIsRefusedBeforeAnybodyIsAsked(text: String) async throws {
        let desk = desk([])
        let error = await #expect(throws: CLIError.self) { try await find([text], desk, try Capture().presentation()) }
        #expect(error?.processStatus == .usage)
        #expect(desk.requests.isEmpty)
    }

    @Test(
        arguments: [
            ("one two", ["two"], "one two"), ("", ["x"], ""), (" a\n\tb ", ["b"], "a b"),
            (
                String(repeating: "word ", count: 30) + "found " + String(repeating: "more ", count: 30), ["found"],
                "… word word word word found more more more more more more more …"
            ),
            (String(repeating: "x", count: 100), ["xx"], String(repeating: "x", count: 60)),
            ("Käse und Brot", ["kase", "brot"], "Käse und Brot"), ("山田太郎", ["太"], "山田太郎"),
        ] as [(String, [String], String)]
    )
    func aTextIsCutAroundTheFirstWord(text: String, words: [String], excerpt: String) {
        #expect(FoundText.excerpt(text, words) == excerpt)
    }
}
