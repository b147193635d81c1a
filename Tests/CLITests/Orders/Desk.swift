import Client
import Messages
import Synchronization

@testable import CLI

/// Answers requests as it is told, and remembers what was asked.
final class Desk: RequestSender {
    typealias Answer = @Sendable (any Request) throws(CLIError) -> any Sendable

    private let answer: Answer
    private let log = Mutex<[(request: any Request, service: ServiceName?, key: Identifier?)]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Everything that was sent, in that order.
    var requests: [any Request] { log.withLock { $0.map(\.request) } }
    var keys: [Identifier?] { log.withLock { $0.map(\.key) } }

    func send<R: Request>(_ request: R, to service: ServiceName?, key: Identifier?) async throws(CLIError) -> R.Reply {
        log.withLock { $0.append((request, service, key)) }
        guard let reply = try answer(request) as? R.Reply else {
            throw .failure("the desk knows no answer to \(R.operation)")
        }
        return reply
    }

    /// A refusal as services give it.
    static func refusal(_ status: Status, _ message: String = "no") -> CLIError {
        .client(.refused(.orders, status, ErrorBody(code: status.rawValue, message: message)))
    }
}

extension Invocation {
    /// One that asks `sender`, and prints into `presentation`.
    init(asking sender: any RequestSender, _ presentation: Presentation) throws {
        self.init(
            configuration: try Configuration.load(
                flags: ConfigurationFlags(),
                environment: [:],
                directory: "/",
                contents: { _ in nil },
                isFolder: { _ in false }
            ),
            presentation: presentation,
            sender: sender
        )
    }
}

extension Identifier {
    /// An id for tests, told by its end.
    static func test(_ number: UInt64) -> Identifier {
        Identifier(high: 0x018e_95c2_4f00_7a31, low: 0x9c2e_5b0d_8f1a_0000 | number)
    }
}

/// Orders as tests need them.
enum Sample {
    static let bath = SoldService(id: .test(0xb1), version: 1, name: "Bath")
    static let claws = SoldService(id: .test(0xc1), version: 1, name: "Claw trim")

    static func order(rows: [OrderRow] = [], customer: String? = nil) -> Order {
        Order(
            id: .test(0x0d),
            version: 3,
            number: 12,
            date: CalendarDay("2024-01-31")!,
            customer: customer.map { _ in .test(0xaa) },
            customerName: customer,
            currency: .eur,
            rows: rows,
            total: rows.reduce(0) { $0 + $1.sum }
        )
    }

    static func row(_ number: UInt64, _ service: SoldService?, _ sum: Int64) -> OrderRow {
        OrderRow(id: .test(number), service: service?.id, serviceName: service?.name, sum: sum)
    }
}
