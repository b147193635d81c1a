import Client
import Glibc
import Messages
import Support
import Testing

/// `daybook events`, and the subscriptions behind it, with the real services.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct EventsCommandTests {
    @Test func printsWhatIsKeptAsCloudEvents() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            let ada = try await daybook.client.send(Put(Customer(name: "Ada \"Å\" \u{1B}"))).value
            _ = try await daybook.client.send(Delete<Customer>(id: ada.id, force: true))
            let output = try await daybook.run("events", "--source", "catalog", "--format", "jsonl")
            #expect(output.code == 0)
            let position = try await daybook.client.head(of: .catalog)
            let epoch = try #require(position.epoch)
            #expect(output.lines.count == 2)
            let created = try #require(output.lines.first)
            #expect(
                created.hasPrefix(
                    #"{"specversion":"1.0","id":"\#(epoch):1","source":"daybook/catalog","type":"customer.created","#
                )
            )
            #expect(
                created.contains(
                    #""datacontenttype":"application/json","subject":"\#(ada.id)","position":"catalog:1","#
                )
            )
            #expect(created.contains(#""name":"Ada \"Å\" \u001b""#))
            #expect(output.lines[1].contains(#""data":{"record":null,"before":{"id":"\#(ada.id)""#))
        }
    }

    @Test func takesPositionsTypesAndSubjects() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            let ada = try await daybook.client.send(Put(Customer(name: "Ada"))).value
            let bob = try await daybook.client.send(Put(Customer(name: "Bob"))).value
            _ = try await daybook.client.send(Put(SoldService(name: "Bath")))
            func positions(_ arguments: String...) async throws -> [String] {
                let words = (["events", "--format", "jsonl"] + arguments).map { "'\($0)'" }.joined(separator: " ")
                let output = try await daybook.shell("daybook \(words)")
                #expect(output.code == 0, "\(output.error)")
                return output.lines.compactMap {
                    $0.split(separator: "\"position\":\"").last?.split(separator: "\"").first
                }
                .map(String.init)
            }
            #expect(try await positions() == ["catalog:1", "catalog:2", "catalog:3"])
            #expect(try await positions("--from", "catalog:1") == ["catalog:2", "catalog:3"])
            #expect(try await positions("--source", "catalog", "--from", "2") == ["catalog:3"])
            #expect(try await positions("--from", "now").isEmpty)
            #expect(try await positions("--type", "service") == ["catalog:3"])
            #expect(try await positions("--type", "customer.created") == ["catalog:1", "catalog:2"])
            #expect(try await positions("--subject", bob.id.description) == ["catalog:2"])
            #expect(
                try await positions("--from", "catalog:1,orders:0,walks:0", "--subject", ada.id.description).isEmpty
            )
            for refused in [
                "--from 3", "--from catalog", "--from catalog:-1", "--from catalog:1,catalog:2", "--type x",
                "--source shop", "--source orders --from catalog:1",
            ] {
                #expect(try await daybook.shell("daybook events \(refused)").code == 2, "\(refused)")
            }
        }
    }

    /// The situation: the connection comes back by itself, and nobody writes any more.
    @Test(arguments: [SIGTERM, SIGKILL]) func missesNothingWhileTheServiceRestarts(signal: Int32) async throws {
        try await withDaybook(.catalog) { daybook in
            let lines = try Lines("\(daybook.folder)/lines")
            _ = try await daybook.client.send(Put(Customer(name: "Ada")))
            _ = try await daybook.start(
                program: "/bin/sh",
                ["-c", "exec daybook events --follow --source catalog --from start --format jsonl > \(lines.path)"]
            )
            let before = try await lines.next()
            let service = try daybook.service(.catalog)
            service.signal(signal)
            _ = await service.ended()
            let start = ContinuousClock.now
            try await daybook.start(.catalog)
            let bob = try await daybook.client.send(Put(Customer(name: "Bob"))).value
            var changed = bob
            changed.phone = "123"
            changed = try await daybook.client.send(Put(changed)).value
            _ = try await daybook.client.send(Delete<Customer>(id: bob.id, force: true))
            let after = try await lines.next(3)
            #expect(ContinuousClock.now - start < .promised(seconds: 10))
            let epoch = try #require(try await daybook.client.head(of: .catalog).epoch)
            for (index, line) in (before + after).enumerated() {
                #expect(line.contains(#""id":"\#(epoch):\#(index + 1)""#))
            }
        }
    }

    @Test func aStorePutBackByHandIsShownAsAResync() async throws {
        try await withDaybook(.catalog) { daybook in
            let lines = try Lines("\(daybook.folder)/lines")
            _ = try await daybook.client.send(Put(Customer(name: "Ada")))
            try await daybook.stop(.catalog)
            _ = try await daybook.shell("cp -r \(daybook.home) \(daybook.folder)/copy")
            try await daybook.start(.catalog)
            _ = try await daybook.client.send(Put(Customer(name: "Bob")))
            _ = try await daybook.start(
                program: "/bin/sh",
                ["-c", "exec daybook events --follow --source catalog --from start --format jsonl > \(lines.path)"]
            )
            _ = try await lines.next(2)
            try await daybook.stop(.catalog)
            _ = try await daybook.shell("rm -r \(daybook.home) && mv \(daybook.folder)/copy \(daybook.home)")
            try await daybook.start(.catalog)
            // The same number in the same epoch, and another change.
            _ = try await daybook.client.send(Put(Customer(name: "Cid")))
            let line = try #require(try await lines.next().first)
            #expect(line.contains(#""type":"daybook.resync""#))
            #expect(line.contains(#""reason":"diverged""#) || line.contains(#""reason":"future""#))
        }
    }

    /// The situation: what is created as soon as the subscription stands is not seen.
    @Test func aHundredSubscribersGetWhatIsCreatedAtOnce() async throws {
        try await withDaybook(.catalog) { daybook in
            let other = try daybook.client(timeout: .seconds(5))
            for number in 1...100 {
                let head = try await daybook.client.head(of: .catalog)
                var iterator = daybook.client.events(from: head, of: .catalog).makeAsyncIterator()
                let customer = try await other.send(Put(Customer(name: "\(number)"))).value
                let update = try await iterator.next()
                guard case .transaction(let transaction)? = update else {
                    Issue.record("\(String(describing: update))")
                    return
                }
                #expect(transaction.events.map(\.subject) == [customer.id])
            }
        }
    }

    /// The situation: one reader stands still, and the service keeps for it what it doesn't take.
    @Test(.timeLimit(.minutes(10))) func aStoppedReaderCostsTheServiceNoMemoryAndMissesNothing() async throws {
        try await withDaybook(.catalog) { daybook in
            let lines = try Lines("\(daybook.folder)/lines")
            _ = try await daybook.client.send(Put(Customer(name: "Ada")))
            let reader = try await daybook.start(
                program: "/bin/sh",
                ["-c", "exec daybook events --follow --source catalog --from start --format jsonl > \(lines.path)"]
            )
            _ = try await lines.next()
            reader.signal(SIGSTOP)
            let before = try daybook.service(.catalog).residentBytes
            let count = Self.missed
            let info = String(repeating: "x", count: 2000)
            var sizes = [before]
            for half in 0..<2 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for lane in 0..<50 {
                        group.addTask {
                            for number in 0..<(count / 100) {
                                let name = "\(half)/\(lane)/\(number)"
                                _ = try await daybook.client.send(Put(Customer(name: name, info: info)))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                sizes.append(try daybook.service(.catalog).residentBytes)
            }
            print("stopped reader: \(count) events missed; the service had \(sizes) bytes before, halfway and after")
            // ZeroMQ keeps up to 1,000 messages of 64 KiB for it, and drops the others; SQLite keeps 16 MiB of pages.
            #expect(sizes[2] - before < 96 << 20, "\(sizes)")
            if count == 100_000 { #expect(sizes[2] - sizes[1] < 8 << 20, "\(sizes)") }
            reader.signal(SIGCONT)
            let rest = try await lines.next(count)
            for (index, line) in rest.enumerated() { #expect(line.contains(#":\#(index + 2)","source""#)) }
        }
    }

    /// How many events a stopped reader misses: with `Tests/run --long` 100,000.
    private static let missed = Environment["DAYBOOK_LONG"] == nil ? 10_000 : 100_000
}
