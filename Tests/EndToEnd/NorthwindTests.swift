import Client
import FoundationEssentials
import Messages
import Support
import Testing

/// A real data set, imported by the command: everything equals `expected.json` to the cent.
@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: Environment.sharedData != nil, "the folder ../shared/data is absent")
)
struct NorthwindTests {
    private struct Expected: Decodable {
        var customers, services, orders, orderRows, unpaidOrders, ordersNotMade: Int
        var totalCents, unpaidCents: Int64
        var byYearCents, byMonthCents: [String: Int64]
        var top5CustomersCents: [Pair]
        var top5ServicesCents: [Pair]
    }

    /// `["QUICK", 11027732]`, or with a number in front.
    private struct Pair: Decodable {
        var reference: String
        var cents: Int64

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            if let text = try? container.decode(String.self) {
                reference = text
            } else {
                reference = String(try container.decode(Int.self))
            }
            cents = try container.decode(Int64.self)
        }
    }

    private struct Amount: Decodable {
        var amount: String
        var currency: String

        var cents: Int64? { try? Money(parsing: amount, currency: .usd).amount }
    }

    private struct Totals: Decodable {
        struct Group: Decodable {
            var label: String?
            var reference: String?
            var total: Amount
        }
        var groups: [Group]
        var orders: Int
        var totals: [Amount]
    }

    private struct Unpaid: Decodable {
        struct Line: Decodable { var total: Amount }
        var orders: [Line]
        var totals: [Amount]
    }

    private struct ListedOrder: Decodable {
        struct Row: Decodable { var sum: Amount }
        var total: Amount?
        var rows: [Row]
    }

    private struct Listed: Decodable { var id: String }

    @Test func everySumEqualsWhatIsExpected() async throws {
        let folder = try #require(Environment.sharedData) + "/northwind"
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let expected = try decoder.decode(Expected.self, from: Data(File.read("\(folder)/expected.json") ?? []))
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            let first = try await daybook.run(
                "import",
                "--orders-csv",
                folder,
                "--currency",
                "USD",
                limit: .seconds(40)
            )
            try #require(first.code == 0, "\(first.error)")
            try await Self.check(daybook, expected)

            let before = try await Self.sequences(daybook)
            let second = try await daybook.run(
                "import",
                "--orders-csv",
                folder,
                "--currency",
                "USD",
                limit: .seconds(40)
            )
            #expect(
                second.code == 0 && (second.text + second.error).contains("nothing changed"),
                "\(second.text)\(second.error)"
            )
            #expect(try await Self.sequences(daybook) == before)

            try await daybook.stop(.reporting, .orders, .catalog)
            try await daybook.start(.catalog, .orders, .reporting)
            try await Self.check(daybook, expected)
        }
    }

    private static func sequences(_ daybook: Daybook) async throws -> [Int64] {
        var sequences: [Int64] = []
        for service in [ServiceName.catalog, .orders] {
            sequences.append(try await daybook.client.send(StatusRequest(), to: service).value.sequence)
        }
        return sequences
    }

    private static func check(_ daybook: Daybook, _ expected: Expected) async throws {
        func json<Value: Decodable>(_ type: Value.Type, _ arguments: String) async throws -> Value {
            let output = try await daybook.shell("daybook \(arguments) --format json")
            try #require(output.code == 0, "\(arguments): \(output.error)")
            return try JSONDecoder().decode(type, from: Data(output.bytes))
        }
        #expect(try await json([Listed].self, "customers list").count == expected.customers)
        #expect(try await json([Listed].self, "services list").count == expected.services)
        let orders = try await json([ListedOrder].self, "orders list")
        #expect(orders.count == expected.orders)
        #expect(orders.map(\.rows.count).reduce(0, +) == expected.orderRows)
        #expect(orders.compactMap(\.total?.cents).reduce(0, +) == expected.totalCents)
        #expect(orders.flatMap(\.rows).compactMap(\.sum.cents).reduce(0, +) == expected.totalCents)

        let exported = try await json([ListedOrder].self, "export orders")
        #expect(exported.flatMap(\.rows).compactMap(\.sum.cents).reduce(0, +) == expected.totalCents)
        let csv = try await daybook.shell(
            """
            daybook export orders | python3 -c '
            import csv, decimal, sys
            lines = list(csv.DictReader(sys.stdin))
            print(len(lines), sum(decimal.Decimal(line["row_sum"]) for line in lines) * 100 // 1)
            '
            """
        )
        #expect(csv.text == "\(expected.orderRows) \(expected.totalCents)\n", "\(csv.error)")

        // What is not paid includes what is not made; the report of the unpaid does not.
        let notPaid = try await json(Totals.self, "report totals --by year --no-paid")
        #expect(notPaid.orders == expected.unpaidOrders)
        #expect(notPaid.totals.map(\.cents) == [expected.unpaidCents])
        let notMade = try await json(Totals.self, "report totals --by year --no-made")
        #expect(notMade.orders == expected.ordersNotMade)
        let unpaid = try await json(Unpaid.self, "report unpaid")
        #expect(unpaid.orders.count == expected.unpaidOrders - expected.ordersNotMade)
        let difference = try #require(notPaid.totals.first?.cents) - (notMade.totals.first?.cents ?? 0)
        #expect(unpaid.totals.map(\.cents) == [difference])

        for (grouping, sums) in [("month", expected.byMonthCents), ("year", expected.byYearCents)] {
            let report = try await json(Totals.self, "report totals --by \(grouping)")
            #expect(report.groups.map(\.label) == sums.keys.sorted())
            #expect(report.groups.map(\.total.cents) == sums.sorted { $0.key < $1.key }.map(\.value))
            #expect(report.totals.map(\.cents) == [expected.totalCents] && report.orders == expected.orders)
        }
        for (grouping, top) in [
            ("customer", expected.top5CustomersCents), ("service", expected.top5ServicesCents),
        ] {
            let report = try await json(Totals.self, "report totals --by \(grouping)")
            let greatest = report.groups.sorted { ($0.total.cents ?? 0) > ($1.total.cents ?? 0) }.prefix(5)
            #expect(greatest.map(\.reference) == top.map(\.reference))
            #expect(greatest.map(\.total.cents) == top.map(\.cents))
            #expect(report.totals.map(\.cents) == [expected.totalCents])
            let shown = try await json(Totals.self, "report top --by \(grouping) --limit 5")
            #expect(shown.groups.map(\.reference) == top.map(\.reference))
            #expect(shown.groups.map(\.total.cents) == top.map(\.cents))
            #expect(shown.totals.map(\.cents) == [expected.totalCents])
        }
        // Kept, added up, and as of the last event, they are the same to the cent.
        let head = try await sequences(daybook)[1]
        for grouping in TotalsReport.Grouping.allCases {
            let report = try await json(Totals.self, "report totals --by \(grouping)")
            let sum = report.groups.compactMap(\.total.cents).reduce(0, +)
            #expect(sum == expected.totalCents && report.orders == expected.orders, "\(grouping)")
            // Up to a day that is no month's last, behind the last order.
            for options in ["--from 1996-07-04 --to 2000-01-15", "--as-of \(head)"] {
                let other = try await json(Totals.self, "report totals --by \(grouping) \(options)")
                #expect(other.groups.map(\.label) == report.groups.map(\.label), "\(grouping) \(options)")
                #expect(other.groups.map(\.total.cents) == report.groups.map(\.total.cents), "\(grouping) \(options)")
            }
        }
    }
}
