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
            // With the file beside it that says how far the log had come: only the chain can tell.
            _ = try await daybook.shell("rm '\(store)'* '\(daybook.home)/orders.head'")
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

    /// The store file alone, as people do it: its log gets a new epoch, so that no number of an epoch has two values.
    @Test func aStoreThatIsOlderThanItsLogWasGetsANewEpoch() async throws {
        try await withDaybook(.catalog) { daybook in
            let client = try daybook.client(timeout: .seconds(20))
            _ = try await client.send(Put(Customer(name: "Kim Berg")))
            try await daybook.stop(.catalog)
            let store = "\(daybook.home)/catalog.db"
            let copy = try #require(File.read(store))
            try await daybook.start(.catalog)
            let lost = try await client.send(Put(Customer(name: "Ada Lind")))
            let position = try await client.head(of: .catalog)
            // At once: how far it had come is noted before it is told.
            try await daybook.kill(.catalog)

            _ = try await daybook.shell("rm '\(store)'*")
            try File.write(copy, to: store)
            try await daybook.start(.catalog)
            let other = try await client.send(Put(Customer(name: "Eva Lund")))
            #expect(other.positions["catalog"]?.sequence == lost.positions["catalog"]?.sequence)
            #expect(other.positions["catalog"]?.epoch != lost.positions["catalog"]?.epoch)
            var updates = client.events(from: position, of: .catalog, follow: false).makeAsyncIterator()
            guard case .resync(.epoch, _)? = try await updates.next() else {
                Issue.record("the subscriber was not told that the log has another past")
                return
            }
            // Once: the next start finds the log that it left, also after a kill.
            try await daybook.kill(.catalog)
            try await daybook.start(.catalog)
            let epoch = try await client.send(StatusRequest(), to: .catalog).value.epoch
            #expect(epoch == other.positions["catalog"]?.epoch)
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
