import CBOR
import Client
import Messages
import Support
import Testing

/// Sums are exact or refused.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AmountTests {
    @Test func negativeAndZeroRowsCount() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            var positions: Positions = [:]
            var totals: [Int64] = []
            for order in [
                try Order.of(nil, 10_000, -2550, 0, made: true), try Order.of(nil, -1000, made: true),
                try Order.of(nil, made: true),
            ] {
                let response = try await client.send(Put(order))
                totals.append(response.value.total)
                positions = response.positions
            }
            #expect(totals == [7450, -1000, 0])
            let unpaid = try await client.send(UnpaidReport(), after: positions).value
            #expect(unpaid.orders.map(\.total.plain).sorted() == ["-10.00", "0.00", "74.50"])
            #expect(total(unpaid.totals) == "64.50")
        }
    }

    @Test func aSumBeyondAnAmountIsRefused() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let tooMuch = try await daybook.client.refusal(of: Put(Order.of(nil, .max, 1)))
            #expect(tooMuch.status == .invalid && tooMuch.body.field == "rows")
            let tooLittle = try await daybook.client.refusal(of: Put(Order.of(nil, .min, -1)))
            #expect(tooLittle.status == .invalid)
            // 92,233,720,368,547,758.08 has no place in 64 bits of cents.
            var frames = try RawSocket.frames(Put(Order.of(nil, .max)))
            let greatest: [UInt8] = [0x1B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
            let place = try #require(frames[1].indices.first { frames[1][$0...].starts(with: greatest) })
            frames[1].replaceSubrange(place..<place + 9, with: [0x1B, 0x80, 0, 0, 0, 0, 0, 0, 0])
            let sent = frames
            let reply = try await RawSocket.connected(to: daybook.endpoints(.orders).requests) { try $0.ask(sent) }
            #expect(reply?.header.status == .invalid)
            let status = try await daybook.client.send(StatusRequest(), to: .orders).value
            #expect(status.sequence == 0)
            #expect(try status.process == daybook.service(.orders).process)
        }
    }

    @Test func aReportThatOverflowsIsRefusedAndReportingGoesOn() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            _ = try await client.send(Put(Order.of(nil, .max, made: true)))
            let last = try await client.send(Put(Order.of(nil, .max, made: true)))
            let after = last.positions
            #expect(try await client.refusal(of: UnpaidReport(), after: after).status == .invalid)
            #expect(try await client.refusal(of: TotalsReport(by: .month), after: after).status == .invalid)
            let paid = try await client.send(Delete<Order>(id: last.value.id))
            let report = try await client.send(UnpaidReport(), after: paid.positions).value
            #expect(total(report.totals) == "92233720368547758.07")
        }
    }

    @Test func manySmallRowsAddUpExactly() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            let tenths = try await client.send(Put(Order.of(nil, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10))).value
            #expect(tenths.total == 100)
            #expect(try await client.send(Put(Order.of(nil, 435, 115, 820, -20))).value.total == 1350)
            var positions: Positions = [:]
            for _ in 0..<1000 {
                positions = try await client.send(Put(Order.of(nil, 1999))).positions
            }
            let report = try await client.send(TotalsReport(by: .year), after: positions).value
            #expect(total(report.totals) == "20004.50")
            #expect(report.orders == 1002)
        }
    }
}
