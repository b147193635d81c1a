import Client
import Messages
import Testing

/// What a service answered instead of doing what was asked.
struct Refusal {
    var status: Status
    var body: ErrorBody
}

extension DaybookClient {
    /// Sends a request that must be refused; the test fails where it is done.
    func refusal<R: Request>(
        of request: R,
        to service: ServiceName? = nil,
        key: Identifier? = nil,
        after: Positions = [:],
        timeout: Duration? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Refusal {
        do throws(ClientError) {
            _ = try await send(request, to: service, key: key, after: after, timeout: timeout)
        } catch {
            guard case .refused(_, let status, let body) = error else { throw error }
            return Refusal(status: status, body: body)
        }
        Issue.record("\(R.operation) was done", sourceLocation: sourceLocation)
        throw ExpectedRefusal()
    }

    /// All records of a kind, in its own order.
    func all<R: Record>(_ type: R.Type, after: Positions = [:], filter: Filter? = nil) async throws -> [R] {
        var records: [R] = []
        for try await record in self.records(type, filter: filter, after: after) { records.append(record) }
        return records
    }
}

struct ExpectedRefusal: Error {}

extension Order {
    /// An order in euros of 2024-03-31 with rows of these cents.
    static func of(
        _ customer: Customer? = nil,
        _ sums: Int64...,
        service: SoldService? = nil,
        made: Bool = false,
        paid: Bool = false
    ) throws -> Order {
        Order(
            date: try CalendarDay(year: 2024, month: 3, day: 31),
            customer: customer?.id,
            currency: .eur,
            rows: sums.map { OrderRow(service: service?.id, sum: $0) },
            made: made,
            paid: paid
        )
    }
}

/// The grand total of a report in euros.
func total(_ money: [Money]) -> String? {
    money.first { $0.currency == .eur }?.plain
}
