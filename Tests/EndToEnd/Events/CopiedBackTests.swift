import Client
import Messages
import Support
import Testing

/// A store file that was copied back by hand: the log goes on with the same epoch and the same numbers, but another past.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CopiedBackTests {
    @Test func everySubscriberAndProjectionNotices() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = try daybook.client(timeout: .seconds(20))
            let kim = try await client.send(Put(Customer(name: "Kim Berg"))).value
            _ = try await client.send(Put(Order.of(kim, 100, made: true)))
            try await daybook.stop(.orders)
            let store = "\(daybook.home)/orders.db"
            // A clean stop leaves all in the one file.
            let copy = try #require(File.read(store))
            try await daybook.start(.orders)
            let lost = try await client.send(Put(Order.of(kim, 200, made: true)))
            let before = try await client.send(UnpaidReport(), after: lost.positions).value
            #expect(total(before.totals) == "3.00")
            let position = try await client.head(of: .orders)

            try await daybook.stop(.orders)
            for suffix in ["-wal", "-shm"] { _ = try await daybook.shell("rm -f '\(store)\(suffix)'") }
            try File.write(copy, to: store)
            try await daybook.start(.orders)
            let other = try await client.send(Put(Order.of(kim, 5000, made: true)))
            #expect(other.positions["orders"]?.sequence == lost.positions["orders"]?.sequence)
            #expect(other.positions["orders"]?.epoch == lost.positions["orders"]?.epoch)

            // Whoever has a position of the other past is told, not given events that don't follow from it.
            var updates = client.events(from: position, of: .orders, follow: false).makeAsyncIterator()
            guard case .resync(.diverged, _)? = try await updates.next() else {
                Issue.record("the subscriber was not told that the log has another past")
                return
            }
            // The projections are made anew: the report is of what is there now. The numbers alone could not tell.
            let catalog = try await client.send(List<Customer>()).positions
            for _ in 0..<200 {
                let report = try await client.send(UnpaidReport(), after: catalog).value
                if total(report.totals) == "51.00" { break }
                try await Task.sleep(for: .milliseconds(50))
            }
            let after = try await client.send(UnpaidReport(), after: other.positions).value
            #expect(total(after.totals) == "51.00" && after.orders.count == 2)
            // And the references: the customer is still in use by two orders.
            let refusal = try await client.refusal(of: Delete<Customer>(id: kim.id))
            #expect(refusal.status == .inUse && refusal.body.found == "2")
        }
    }

    /// Whoever puts a store back marks it: the log gets an epoch of its own, once.
    @Test func aStoreMarkedAsRestoredGetsANewEpoch() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = try daybook.client(timeout: .seconds(20))
            let kim = try await client.send(Put(Customer(name: "Kim Berg")))
            let position = try await client.head(of: .catalog)
            try await daybook.stop(.catalog)
            try File.write([], to: "\(daybook.home)/catalog.db.restored")
            try await daybook.start(.catalog)
            let epoch = try await client.send(StatusRequest(), to: .catalog).value.epoch
            #expect(epoch != position.epoch)
            var updates = client.events(from: position, of: .catalog, follow: false).makeAsyncIterator()
            guard case .resync(.epoch, _)? = try await updates.next() else {
                Issue.record("the subscriber was not told that the log was restored")
                return
            }
            let stale = try await client.refusal(of: List<Customer>(), after: kim.positions)
            #expect(stale.status == .resync)
            // What was stored is still there, and orders follow the restored log.
            #expect(try await client.all(Customer.self) == [kim.value])
            _ = try await client.send(Put(Order.of(kim.value, 100)))
            // The mark counts once.
            #expect(!File.exists("\(daybook.home)/catalog.db.restored"))
            try await daybook.stop(.catalog)
            try await daybook.start(.catalog)
            #expect(try await client.send(StatusRequest(), to: .catalog).value.epoch == epoch)
        }
    }
}
