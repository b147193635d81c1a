import Client
import Messages
import Support
import Testing

/// Pages and their order.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ListTests {
    @Test func pagesShowEachRecordOnceWhileOthersWrite() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            var original: Set<Identifier> = []
            for number in 0..<119 { original.insert(try await client.send(Put(Order.of(nil, Int64(number)))).value.id) }
            var seen: [Identifier] = []
            var cursor: [UInt8]?
            var pages = 0
            // One that sorts before all others, and is entered when its page is past.
            var first = try Order.of(nil, 1)
            first.id = Identifier(high: 0x7000, low: 0x8000_0000_0000_0000)
            var deleted: Set<Identifier> = []
            repeat {
                let page = try await client.send(List<Order>(after: cursor, limit: 13)).value
                seen += page.rows.map(\.id)
                cursor = page.next
                pages += 1
                if pages == 3 {
                    _ = try await client.send(Put(first))
                    deleted = [seen[5]]
                    _ = try await client.send(Delete<Order>(id: seen[5]))
                }
                try #require(pages <= 10, "the end is never told")
            } while cursor != nil
            #expect(Set(seen).count == seen.count)
            #expect(Set(seen) == original)
            let listed = try await client.all(Order.self).map(\.id)
            #expect(listed.first == first.id)
            #expect(Set(listed) == original.union([first.id]).subtracting(deleted))
        }
    }

    @Test(arguments: [0, -1, 1_000_000_000])
    func refusesAPageSizeOutsideItsRange(_ limit: Int) async throws {
        try await withDaybook(.orders) { daybook in
            let refusal = try await daybook.client.refusal(of: List<Order>(limit: limit))
            #expect(refusal.status == .invalid && refusal.body.field == "limit")
            #expect(refusal.body.message.contains("10000"))
        }
    }

    @Test(arguments: ["C", "sv_SE.UTF-8", "de_DE.UTF-8"])
    func namesAreSortedAlikeInEveryLocale(_ locale: String) async throws {
        try await withDaybook { daybook in
            for service in [ServiceName.catalog, .orders, .reporting] {
                try await daybook.launch(service, ["LANG": locale, "LC_ALL": locale]).ready()
            }
            let client = daybook.client
            let sorted = [
                "9", "10", "ada", "Äda", "Åke", "Bob", "Eva", "éva", "Zoe",
            ]
            var positions: Positions = [:]
            for name in sorted.reversed() {
                let customer = try await client.send(Put(Customer(name: name)))
                let order = try await client.send(Put(Order.of(customer.value, 100, made: true)))
                positions = customer.positions.merging(order.positions) { $1 }
            }
            // Digits sort as characters, not as numbers: 10 before 9.
            let expected = ["10", "9"] + sorted.dropFirst(2)
            #expect(try await client.all(Customer.self).map(\.name) == expected)
            #expect(try await client.all(Order.self).map(\.customerName) == expected)
            let unpaid = try await client.send(UnpaidReport(), after: positions).value
            #expect(unpaid.orders.map(\.customerName) == expected)
            let totals = try await client.send(TotalsReport(by: .customer), after: positions).value
            #expect(totals.groups.map(\.label) == expected)
        }
    }

    @Test func searchFindsEveryWayToWriteAName() async throws {
        try await withDaybook(.catalog) { daybook in
            let client = daybook.client
            let names = [
                "Bj\u{F6}rn", "BJ\u{D6}RN", "Bjo\u{308}rn", "Бьёрн", "李", "🐕 Rex", "👩‍🍳 Mia", "שלום", "مريم",
                "e" + String(repeating: "\u{301}", count: 8),
            ]
            for name in names { _ = try await client.send(Put(Customer(name: name))) }
            func found(_ text: String) async throws -> [[UInt8]] {
                try await client.all(Customer.self, filter: .contains("name", text)).map { Array($0.name.utf8) }
            }
            // Normalised on entry: the decomposed form comes back composed, all others as they were.
            #expect(
                try await Set(found("björn"))
                    == Set(["Bj\u{F6}rn", "BJ\u{D6}RN"].map { Array($0.utf8) })
            )
            #expect(try await found("bjo\u{308}rn").count == 3)
            #expect(try await found("бьёрн") == [Array("Бьёрн".utf8)])
            for name in ["李", "🐕 Rex", "👩‍🍳 Mia", "שלום", "مريم"] {
                #expect(try await found(name) == [Array(name.utf8)])
            }
        }
    }
}
