import CBOR
import Client
import Messages
import Synchronization

@testable import CLI

extension FuzzTarget {
    /// What `--where` says, of every kind of record: it is refused with a sentence, or a filter that its service answers.
    static let queries = FuzzTarget(
        name: "queries",
        seeds: [
            "customer = Lind and date < 2024-02-01", "not paid and (due <= today or total >= 100)",
            "note ~ \"back door\"", "number <= 2024-17 or number != 3", "start >= yesterday 18:05", "dog = Rex",
            "ingredients ~ leek and prepTime < 1h15min", "total > 5 usd", "name != none or version >= 0",
            "date = 2024-W10..2024-03", "madeOn = last-month",
        ].map { Array($0.utf8) }
    ) {
        let services = try ServicesUnderTest()
        let daybook = Invocation(
            configuration: try Configuration.load(
                flags: ConfigurationFlags(),
                environment: [:],
                directory: "/",
                contents: { _ in nil },
                isFolder: { _ in false }
            ),
            presentation: Presentation(
                format: .table,
                isQuiet: true,
                output: Output(),
                cells: CellText(instant: \.description)
            ),
            sender: OneCustomer()
        )
        return { (bytes) throws(Finding) in
            let text = String(decoding: bytes, as: UTF8.self)
            try ask(Customer.self, text, daybook, services)
            try ask(SoldService.self, text, daybook, services)
            try ask(Recipe.self, text, daybook, services)
            try ask(Order.self, text, daybook, services)
            try ask(Dog.self, text, daybook, services)
            try ask(Walk.self, text, daybook, services)
        }
    }

    private static func ask<R: Queryable>(
        _ type: R.Type,
        _ text: String,
        _ daybook: Invocation,
        _ services: ServicesUnderTest
    ) throws(Finding) {
        let compiler = QueryCompiler<R>(daybook: daybook, today: CalendarDay(daysSince1970: 19_788) ?? .today())
        let compiled = Compiled()
        // Nothing in it waits, so that it is done when this returns.
        Task.immediate {
            do throws(CLIError) {
                let filter = try await compiler.filter(text)
                compiled.outcome.withLock { $0 = .success(filter) }
            } catch {
                compiled.outcome.withLock { $0 = .failure(error) }
            }
        }
        switch compiled.outcome.withLock({ $0 }) {
        case nil: throw Finding("a query of \(R.entity) waits for something")
        case .failure(let error): try require(!error.description.isEmpty, "nothing is said of \(text)")
        case .success(let filter):
            let header = RequestHeader(id: 7, operation: List<R>.operation)
            let list = List<R>(filter: filter, limit: 5)
            guard let header = try? CBOREncoder().encode(header), let body = try? CBOREncoder().encode(list) else {
                throw Finding("the list of \(R.entity) where \(text) can't be encoded")
            }
            try services.take([[0], header, body])
        }
    }

    private final class Compiled: Sendable {
        let outcome = Mutex<Result<Filter, CLIError>?>(nil)
    }

    /// A business with one record of each kind that a query can name.
    private struct OneCustomer: RequestSender {
        func send<R: Request>(
            _ request: R,
            to service: ServiceName?,
            key: Identifier?
        ) async throws(CLIError) -> R.Reply {
            let id = Identifier(high: 0x018E_95C2_4F00_7000, low: 0x8000_0000_0000_0006)
            let reply: any Sendable =
                switch request {
                case is List<Customer>: Page(rows: [Customer(id: id, version: 1, name: "Lind")], next: nil)
                case is List<Dog>: Page(rows: [Dog(id: id, version: 1, name: "Rex")], next: nil)
                case is List<SoldService>: Page<SoldService>(rows: [], next: nil)
                case is List<RecipeType>: Page<RecipeType>(rows: [], next: nil)
                case is List<Recipe>: Page<Recipe>(rows: [], next: nil)
                default: Empty()
                }
            guard let reply = reply as? R.Reply else { throw .failure("nothing is known of \(R.operation)") }
            return reply
        }
    }
}
