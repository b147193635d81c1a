import CBOR
import Client
import Messages
import Support
import Testing

/// What is larger than a frame: refused before it is stored, or sent in several.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LargeTests {
    /// A follower whose source tells more than its socket takes would never hear of it again.
    @Test func theLargestEditIsToldAndALargerOneRefused() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            let family = "👨‍👩‍👧"
            let tooLong = Recipe(name: "Long", steps: [RecipeStep(text: String(repeating: family, count: 2_300))])
            let refusal = try await client.refusal(of: Put(tooLong))
            #expect(refusal.status == .invalid && refusal.body.field == "steps/text")
            // The event of an edit holds both texts: 18 bytes to a family.
            let steps = (0..<11).map { _ in RecipeStep(text: String(repeating: family, count: 2_000)) }
            var recipe = try await client.send(Put(Recipe(name: "Long", steps: steps))).value
            for index in steps.indices { recipe.steps[index].text += "!" }
            #expect(try await client.send(Put(recipe)).value.version == 2)

            let lind = try await client.send(Put(Customer(name: "Lind"))).value
            let order = try await client.send(Put(Order.of(lind, 100, made: true)))
            #expect(order.value.customerName == "Lind")
            let unpaid = try await client.send(UnpaidReport(), after: order.positions).value
            #expect(unpaid.orders.map(\.id) == [order.value.id])
            for service in [ServiceName.orders, .reporting] {
                let status = try await client.send(StatusRequest(), to: service).value
                #expect(status.sources.allSatisfy { $0.state != .stopped })
            }
        }
    }

    @Test func aReportLargerThanAFrameArrivesWhole() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            // A line of the report has about 900 bytes: 4.5 MB in all, where a frame holds 1 MiB.
            let name = String(repeating: "𝔏", count: 200)
            let customer = try await client.send(Put(Customer(name: name)))
            let (chunks, rows, batch) = (10, 500, Identifier.make())
            for chunk in 0..<chunks {
                let items = try (0..<rows).map { number in
                    let order = try Order.of(customer.value, Int64(number), made: true)
                    return try EncodedCBOR(encoding: ImportItem(record: order, line: chunk * rows + number + 2))
                }
                let stage = ImportStage(batch: batch, chunk: chunk, entity: Order.entity, items: items)
                _ = try await client.send(stage, to: .orders, timeout: .seconds(20))
            }
            let commit = ImportCommit(batch: batch, chunks: chunks)
            let stored = try await client.send(commit, to: .orders, after: customer.positions, timeout: .seconds(30))
            let after = customer.positions.merging(stored.positions) { $1 }
            let report = try await client.send(UnpaidReport(), after: after, timeout: .seconds(30)).value
            #expect(report.orders.count == chunks * rows)
            #expect(report.orders.allSatisfy { $0.customerName == name })
            #expect(total(report.totals) == "12475.00")
            #expect(Set(report.orders.map(\.id)).count == chunks * rows)
        }
    }

    /// Very many ids in one request: refused with a sentence, by the client where a frame does not hold them, else by the
    /// service; as many as may be are answered.
    @Test func veryManyAtOnceAreRefusedWithASentence() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = try daybook.client(timeout: .seconds(60))
            func fetching(_ ids: [Identifier]) -> List<Order> {
                List(filter: .or(ids.map { .equal("id", .id($0)) }))
            }
            func paying(_ ids: [Identifier]) -> SetOrders {
                SetOrders(orders: ids.map { SetOrders.Target(id: $0) }, change: SetOrders.Change(paid: true))
            }
            let ids = (0..<260_000).map { _ in Identifier.make() }
            func isTooLarge(_ error: any Error) -> Bool {
                if case ClientError.requestTooLarge? = error as? ClientError { true } else { false }
            }
            await #expect { _ = try await client.send(fetching(ids)) } throws: { isTooLarge($0) }
            await #expect { _ = try await client.send(paying(ids)) } throws: { isTooLarge($0) }
            let many = Array(ids.prefix(15_000))
            let fetch = try await client.refusal(of: fetching(many))
            #expect(fetch.status == .invalid && fetch.body.message.contains("2,000 values"), "\(fetch.body.message)")
            let pay = try await client.refusal(of: paying(many))
            #expect(pay.body.message.contains("at most 10000 orders"), "\(pay.body.message)")
            let order = try await client.send(Put(Order.of(nil, 100))).value
            let most = Array(ids.prefix(1999)) + [order.id]
            #expect(try await client.send(fetching(most)).value.rows == [order])
        }
    }

    /// An import is one long transaction: meanwhile whoever asks is told that the service lives, and the rest waits.
    @Test func theStatusIsToldInTheMiddleOfAnImport() async throws {
        try await withDaybook(.catalog) { daybook in
            let (batch, size, chunks) = (Identifier.make(), 1000, 5)
            for chunk in 0..<chunks {
                let items = try (0..<size).map { number in
                    let customer = Customer(name: "Customer \(chunk * size + number)")
                    return try EncodedCBOR(encoding: ImportItem(record: customer, line: chunk * size + number + 2))
                }
                let stage = ImportStage(batch: batch, chunk: chunk, entity: Customer.entity, items: items)
                _ = try await daybook.client.send(stage, to: .catalog)
            }
            let requests = daybook.endpoints(.catalog).requests
            let (told, sequences) = try await RawSocket.connected(to: requests) { socket in
                try socket.send(try RawSocket.frames(ImportCommit(batch: batch, chunks: chunks), id: 1))
                let meanwhile = Put(Customer(name: "Meanwhile"))
                try socket.send(try RawSocket.frames(meanwhile, id: 2, timeout: 60_000))
                var (told, sequences) = (0, Set<Int64>())
                while true {
                    try socket.send(try RawSocket.frames(StatusRequest(), id: 3))
                    let reply = try #require(try socket.reply(within: .seconds(60)))
                    guard reply.header.id == 3 else {
                        #expect(reply.header.id == 1 && reply.header.status == .ok)
                        return (told, sequences)
                    }
                    told += 1
                    sequences.insert(try CBORDecoder().decode(ServiceStatus.self, from: reply.body).sequence)
                }
            }
            // Of 50 steps; without them there is an answer before the commit, and perhaps one more.
            #expect(told > 10, "\(told) answers before the import's")
            #expect(sequences == [0], "nothing is told before it is stored")
            let all = try await daybook.client.all(Customer.self)
            #expect(all.count == chunks * size + 1)
        }
    }
}
