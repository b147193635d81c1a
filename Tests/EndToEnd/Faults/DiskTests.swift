import Client
import Glibc
import Messages
import Support
import Testing

/// Services on a disk that fails: power cuts that take what was not synced, errors, and no room.
///
/// `DAYBOOK_SEED` repeats a campaign; each fault's own seed stands in the log that a failed test shows, as the value of
/// `DAYBOOK_DISK` in its message.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct DiskTests {
    private static let isLong = Environment["DAYBOOK_LONG"] != nil

    private static func log(_ service: ServiceName, _ daybook: Daybook) -> String {
        File.text("\(daybook.folder)/\(service).log")
    }

    /// Everything that was acknowledged was synced, and is there; of the rest any part may have reached the disk.
    @Test(arguments: 0..<(isLong ? 20 : 1))
    func aPowerCutLosesNothingThatWasAcknowledged(_ campaign: Int) async throws {
        var random = SeededGenerator("power cuts, campaign \(campaign)")
        let cuts = (0..<(Self.isLong ? 25 : 8)).map { number in
            let seed = UInt32.random(in: 1 ... .max, using: &random)
            let change = Int.random(in: 1...120, using: &random)
            let service: ServiceName = number % 2 == 0 ? .orders : .catalog
            return (service, "seed=\(seed),cut=\(change)" + (number % 3 == 0 ? ",keep=none" : ""))
        }
        try await withDaybook(.catalog, .orders) { daybook in
            let traffic = try Traffic(daybook)
            for (service, plan) in cuts {
                try await daybook.stop(service)
                let child = try await daybook.launch(service, ["DAYBOOK_DISK": plan])
                async let working: Void = traffic.run { child.endedAt != nil }
                #expect(await child.ended() == .signalled(SIGKILL), "\(service) \(plan)")
                do {
                    try await daybook.start(service)
                } catch {
                    Issue.record("\(service) \(plan): \(error)")
                    throw error
                }
                try await working
                try await traffic.check([service: [service == .orders ? .catalog : .orders]])
            }
            // A campaign in which nothing gets lost would prove nothing.
            let lines = (Self.log(.orders, daybook) + Self.log(.catalog, daybook)).split(separator: "\n")
            let told = lines.filter { $0.hasPrefix("faulty disk: power cut") }
            #expect(told.count == cuts.count)
            #expect(told.contains { !$0.contains(", 0 of ") })
        }
    }

    /// The check would notice: on a disk that only says that it has synced, what was acknowledged is gone.
    @Test func aDiskThatLiesIsFoundOut() async throws {
        try await withDaybook(.catalog) { daybook in
            try await daybook.stop(.catalog)
            let child = try await daybook.launch(.catalog, ["DAYBOOK_DISK": "sync=lie,keep=none,cut=100"])
            try await child.ready()
            await withKnownIssue {
                let traffic = try Traffic(daybook, hasOrders: false)
                async let working: Void = traffic.run { child.endedAt != nil }
                _ = await child.ended()
                try await daybook.start(.catalog)
                try await working
                try await traffic.check()
            }
        }
    }

    /// Up to the end of the first start, and beyond it.
    @Test func aPowerCutAtTheFirstStartLeavesNothingInTheWay() async throws {
        let generator = SeededGenerator("power cuts at the first start")
        try await withDaybook { daybook in
            var random = generator
            let client = try daybook.client(timeout: .seconds(30))
            var change = 1
            var isReady = false
            while !isReady {
                let seed = UInt32.random(in: 1 ... .max, using: &random)
                let plan = "seed=\(seed),cut=\(change)" + (Bool.random(using: &random) ? ",keep=none" : "")
                let child = try await daybook.launch(.walks, ["DAYBOOK_DISK": plan])
                isReady = (try? await child.ready()) != nil
                child.signal(SIGKILL)
                #expect(await child.ended() == .signalled(SIGKILL), "\(plan)")
                do {
                    try await daybook.start(.walks)
                } catch {
                    Issue.record("\(plan): \(error)")
                    throw error
                }
                _ = try await client.send(Put(Dog(name: plan)))
                try await daybook.kill(.walks)
                for path in File.all(below: daybook.home) { unlink(path) }
                change += Self.isLong ? 1 : Int.random(in: 1...12, using: &random)
            }
            #expect(change > 10)
        }
    }

    /// Calls of this kind fail once, at any moment, and what was not synced is lost at the end of the process.
    @Test(arguments: ["open", "read", "write", "sync", "truncate"])
    func anErrorIsAnsweredOrEndsTheService(_ call: String) async throws {
        var random = SeededGenerator("errors at \(call)")
        let latest = ["open": 6, "read": 60, "truncate": 1][call] ?? 60
        let rounds = call == "open" || call == "truncate" ? 1 : 2
        let plans = (0..<(Self.isLong ? 60 : rounds)).map { _ in
            let seed = UInt32.random(in: 1 ... .max, using: &random)
            let number = Int.random(in: 1...latest, using: &random)
            return "seed=\(seed),fail=\(call)@\(number),cut=exit,keep=\(number % 2 == 0 ? "none" : "some")"
        }
        try await withDaybook(.catalog, .orders) { daybook in
            let traffic = try Traffic(daybook)
            for plan in plans {
                try await daybook.stop(.orders)
                let child = try await daybook.launch(.orders, ["DAYBOOK_DISK": plan])
                let sentence: String?
                do {
                    try await child.ready()
                    sentence = nil
                } catch let error as HarnessError {
                    sentence = error.description
                }
                // What is on the disk is unknown then: only opening the store anew tells.
                let mustEnd = call == "write" || call == "sync"
                let end = traffic.done + 60
                async let working: Void = traffic.run { child.endedAt != nil || !mustEnd && traffic.done > end }
                if mustEnd {
                    #expect(await child.ended() == .exited(1), "\(plan)")
                } else {
                    while child.endedAt == nil, traffic.done <= end { try await Task.sleep(for: .milliseconds(5)) }
                    child.signal(SIGTERM)
                    let ending = await child.ended()
                    #expect([.exited(0), .exited(1)].contains(ending), "\(plan)")
                }
                let log = Self.log(.orders, daybook)
                if await child.ended() == .exited(1) {
                    #expect(log.contains("faulty disk: error at \(call)") && log.contains("level=error"), "\(plan)")
                }
                #expect(sentence.map { $0.contains("orders.db") } ?? true, "\(plan): \(sentence ?? "")")
                try await daybook.start(.orders)
                try await working
                try await traffic.check([.orders: [.catalog]])
            }
        }
    }

    @Test func aFullDiskRefusesWritesShowsWhatIsThereAndGoesOn() async throws {
        try await withDaybook(.catalog) { daybook in
            let client = try daybook.client(timeout: .seconds(30))
            let hasty = try daybook.client(timeout: .milliseconds(300))
            var stored: Set<Identifier> = []
            for number in 0..<20 { stored.insert(try await client.send(Put(Customer(name: "\(number)"))).value.id) }
            try await daybook.stop(.catalog)
            let length = (File.read("\(daybook.home)/catalog.db") ?? []).count

            try await daybook.start([.catalog], variables: ["DAYBOOK_DISK": "room=\(length + 1_500_000)"])
            var refused: Customer?
            while refused == nil {
                let customer = Customer(name: "room", info: String(repeating: "long ", count: 1500))
                do throws(ClientError) {
                    _ = try await hasty.send(Put(customer))
                    stored.insert(customer.id)
                } catch {
                    guard case .refused(_, .storageFull, _) = error else { throw error }
                    refused = customer
                }
            }
            #expect(stored.count > 20)
            // What is there can be read, and nothing of what was refused is.
            #expect(Set(try await client.all(Customer.self).map(\.id)) == stored)
            // Nor is the service ended by the write-ahead log, which can't be cut in a quiet moment or at the end.
            while !Self.log(.catalog, daybook).contains("the write-ahead log can't be cut") {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(Set(try await client.all(Customer.self).map(\.id)) == stored)
            // It starts on a full disk, too.
            try await daybook.kill(.catalog)
            try await daybook.start([.catalog], variables: ["DAYBOOK_DISK": "full=1+"])
            #expect(Set(try await client.all(Customer.self).map(\.id)) == stored)
            let again = Customer(name: "again")
            let refusal = try await hasty.refusal(of: Put(again))
            #expect(refusal.status == .storageFull)
            try await daybook.stop(.catalog)
            try await daybook.start(.catalog)
            #expect(try await client.send(Put(again)).value.version == 1)
            stored.insert(again.id)
            let found = try await client.send(VerifyLog(), to: .catalog).value
            #expect(found.differences == 0 && found.events == Int64(stored.count), "\(found.examples)")
        }
    }

    /// The disk is full for one write of many, of which a part is written.
    @Test func aWriteThatFindsNoRoomLeavesNoTrace() async throws {
        var random = SeededGenerator("writes without room")
        let plans = (0..<(Self.isLong ? 100 : 3)).map { _ in
            let seed = UInt32.random(in: 1 ... .max, using: &random)
            return "seed=\(seed),full=\(Int.random(in: 1...100, using: &random))"
        }
        try await withDaybook(.catalog, .orders) { daybook in
            let traffic = try Traffic(daybook)
            for plan in plans {
                try await daybook.stop(.orders)
                try await daybook.start([.orders], variables: ["DAYBOOK_DISK": plan])
                let before = Self.log(.orders, daybook).utf8.count
                try await traffic.run {
                    Self.log(.orders, daybook).utf8.dropFirst(before).count > 0
                }
                try await traffic.run(commands: 20)
                try await daybook.kill(.orders)
                try await daybook.start(.orders)
                try await traffic.check([.orders: [.catalog]])
            }
        }
    }
}
