import Client
import Glibc
import Messages
import Support
import Testing
import ZeroMQ

/// Commands that are kept while a service is away: `--queue` and `daybook sync`.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct QueueTests {
    @Test func whatIsQueuedWhileAServiceIsDownIsDoneOnce() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            try await daybook.kill(.catalog)
            let variables = ["DAYBOOK_QUEUE": "1", "DAYBOOK_TIMEOUT": "0.5"]
            let customer = try await daybook.run("customers", "add", "Ada Lind", "--quiet", variables: variables)
            #expect(customer.code == 5 && customer.error.contains("Queued as 1: '"))
            let id = try #require(customer.lines.first)
            // Its service answers, but it names what is queued.
            let order = try await daybook.run(
                "orders",
                "add",
                "--customer",
                id,
                "--row",
                "=12.50",
                "--quiet",
                variables: variables
            )
            #expect(order.code == 5 && order.error.contains("Queued as 2"))
            let walk = try await daybook.run("walks", "add", "Frieda", variables: variables)
            #expect(walk.code == 0)
            let edit = try await daybook.run("customers", "edit", id, "--phone", "1", variables: variables)
            #expect(edit.code == 3 && edit.error.contains("It was not queued"))

            let early = try await daybook.run("sync", variables: variables)
            #expect(early.code == 3 && early.text.contains("2 held back by 1"))
            let status = try await daybook.run("status", "orders")
            #expect(status.code == 0 && status.error.contains("2 commands are queued"))
            let listed = try await daybook.run("queue", "list", "--quiet")
            #expect(listed.lines == [id, try #require(order.lines.first)])

            try await daybook.start(.catalog)
            let dry = try await daybook.run("sync", "--dry-run")
            #expect(dry.code == 0 && dry.text.contains("1 would be sent: daybook customers add 'Ada Lind'"))
            let late = try await daybook.run("sync")
            #expect(late.code == 0 && late.lines.count == 2)
            #expect(try await daybook.run("sync").text == "Nothing is queued.\n")
            let orders = try await daybook.client.all(Order.self)
            #expect(orders.map(\.id.description) == order.lines)
            #expect(orders.map(\.customerName) == ["Ada Lind"])
        }
    }

    @Test func paymentsAndWalksAreEnteredWhileTheirServicesAreDown() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            let order = try await daybook.run("orders", "add", "--row", "=12.50", "--made", "--quiet")
            #expect(order.code == 0)
            _ = try await daybook.run("walks", "start", "Rex", "--at", "2024-03-31 10:00")
            try await daybook.kill(.orders)
            try await daybook.kill(.walks)
            func run(_ line: String) async throws -> Daybook.Output {
                try await daybook.shell("daybook \(line) --queue --timeout 0.3")
            }
            #expect(try await run("orders pay 1 5.00 --on 2024-04-01 --note cash").code == 5)
            #expect(try await run("orders pay \(order.lines[0]) 7.5").code == 5)
            let rest = try await run("orders pay 1")
            #expect(rest.code == 3 && rest.error.contains("give the amount"), "\(rest.error)")
            let name = try await run("orders pay O-1 5.00")
            #expect(name.code == 3 && name.error.contains("nothing was queued"), "\(name.error)")
            #expect(try await run("walks stop rex --at '2024-03-31 10:45'").code == 5)
            let numbered = try await run("walks stop 1")
            #expect(numbered.code == 3 && numbered.error.contains("name a dog"), "\(numbered.error)")
            // One that is started and stopped in the queue, while another would be meant there.
            #expect(try await run("walks start Frieda --at '2024-04-01 08:00'").code == 5)
            #expect(try await run("walks stop --at '2024-04-01 08:20' --note rain").code == 5)
            for line in ["orders set 1 --made", "orders clone 1", "orders delete 1", "orders pay 1 --delete 1"] {
                let refused = try await run(line)
                #expect(refused.code == 2 && refused.error.contains("can't"), "\(refused.error)")
            }
            try await daybook.start(.orders)
            try await daybook.start(.walks)
            let sync = try await daybook.run("sync")
            #expect(sync.code == 0 && sync.lines.count == 5, "\(sync.text)\(sync.error)")
            let stored = try #require(try await daybook.client.all(Order.self).first)
            #expect(stored.payments?.map(\.amount) == [500, 750] && stored.paid && stored.payments?[0].note == "cash")
            let walks = try await daybook.client.all(Walk.self)
            #expect(walks.map(\.running) == [nil, nil] && walks.map { $0.seconds } == [2700, 1200])
            #expect(walks[1].note == "rain")
        }
    }

    /// A payment is never taken for an order in another currency, and one that can't be done stays.
    @Test func aPaymentOfAnotherCurrencyIsRefusedWhenItIsDelivered() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            #expect(try await daybook.run("orders", "add", "--row", "=12.50", "--currency", "USD").code == 0)
            try await daybook.kill(.orders)
            for number in ["1", "7"] {
                let output = try await daybook.run("orders", "pay", number, "5.00", "--queue", "--timeout", "0.3")
                #expect(output.code == 5)
            }
            try await daybook.start(.orders)
            let sync = try await daybook.run("sync")
            #expect(
                sync.code == 1 && sync.text.contains("is in USD") && sync.text.contains("there is no order 7"),
                "\(sync.text)"
            )
            #expect(try await daybook.client.all(Order.self).first?.payments == nil)
        }
    }

    @Test func whatWasDoneThoughItsReplyWasLostIsNotDoneAgain() async throws {
        try await withDaybook(.walks) { daybook in
            let relay = try relay(daybook)
            let walk = try await daybook.run(
                "walks",
                "add",
                "Frieda",
                "--queue",
                "--quiet",
                "--timeout",
                "1",
                variables: through(relay)
            )
            #expect(walk.code == 5 && relay.dropped > 0)
            #expect(try await daybook.client.all(Walk.self).map(\.id.description) == walk.lines)
            await relay.stop()
            #expect(try await daybook.run("sync").code == 0)
            #expect(try await daybook.client.all(Walk.self).map(\.id.description) == walk.lines)
        }
    }

    @Test func aKillBetweenDeliveryAndItsNotingDoesNothingTwice() async throws {
        try await withDaybook(.walks) { daybook in
            try await daybook.kill(.walks)
            var walks: [String] = []
            for name in ["Frieda", "Rex"] {
                let walk = try await daybook.run("walks", "add", name, "--queue", "--quiet", "--timeout", "0.2")
                #expect(walk.code == 5)
                walks += walk.lines
            }
            try await daybook.start(.walks)
            let relay = try relay(daybook)
            let sync = try await daybook.start(
                program: "\(Environment.programs)/daybook",
                ["sync", "--timeout", "60"],
                through(relay)
            )
            await relay.firstLoss()
            // One at a time.
            let second = try await daybook.run("sync")
            #expect(second.code == 1 && second.error.contains("process \(sync.process)"))
            sync.signal(SIGKILL)
            _ = await sync.ended()
            await relay.stop()
            #expect(try await daybook.client.all(Walk.self).map(\.id.description) == [walks[0]])
            #expect(try await daybook.run("sync").lines.count == 2)
            #expect(try await daybook.client.all(Walk.self).map(\.id.description) == walks)
        }
    }

    @Test func whatIsRefusedHoldsBackItsDependantsAndIsListed() async throws {
        try await withDaybook(.walks) { daybook in
            _ = try await daybook.client.send(Put(Dog(name: "Rex")))
            try await daybook.kill(.walks)
            func queued(_ arguments: [String]) async throws -> String {
                let words = (arguments + ["--queue", "--quiet", "--timeout", "0.2"]).joined(separator: " ")
                let output = try await daybook.shell("daybook \(words)")
                #expect(output.code == 5)
                return try #require(output.lines.first)
            }
            let dog = try await queued(["dogs", "add", "Rex"])
            _ = try await queued(["walks", "add", dog])
            let free = try await queued(["walks", "add", "Frieda"])
            try await daybook.start(.walks)

            let sync = try await daybook.run("sync")
            #expect(sync.code == 1)
            #expect(sync.text.contains("1 refused: daybook dogs add Rex"))
            #expect(sync.text.contains("2 held back by 1: ") && sync.text.contains("3 delivered: "))
            #expect(try await daybook.client.all(Walk.self).map(\.id.description) == [free])
            let list = try await daybook.run("queue", "list", "--fields", "number,state", "--format", "csv")
            #expect(list.lines.dropFirst().map { $0.filter { $0 != "\r" } } == ["1,refused", "2,held back by 1"])

            // With its cause gone it goes through, and what depends on it.
            let rex = try #require(try await daybook.client.all(Dog.self).first { $0.name == "Rex" })
            _ = try await daybook.client.send(Delete<Dog>(id: rex.id))
            #expect(try await daybook.run("queue", "drop", "1").code == 2)
            #expect(try await daybook.run("queue", "retry", "1").code == 0)
            #expect(try await daybook.run("sync").code == 0)
            #expect(try await daybook.client.all(Walk.self).count == 2)
        }
    }

    /// One that loses every reply.
    private func relay(_ daybook: Daybook) throws -> Relay {
        let service = daybook.endpoints(.walks).requests
        return try Relay(at: .ipc(path: "\(daybook.folder)/relay.requests"), before: service, dropping: 1_000_000)
    }

    private func through(_ relay: Relay) -> [String: String] { ["DAYBOOK_WALKS_ENDPOINT": "\(relay.endpoint)"] }
}
