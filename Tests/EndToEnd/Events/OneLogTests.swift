import CBOR
import Client
import Glibc
import Messages
import Support
import Testing

/// Whoever looks at a log, and whenever: the same events, and only those of acknowledged changes.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OneLogTests {
    /// Two subscribers, one of them late, and a reader of the log, while the service is killed under its writers.
    @Test func allSeeOneValueForEachNumberOverKills() async throws {
        try await withDaybook(.catalog) { daybook in
            let client = try daybook.client(timeout: .seconds(20))
            let start = try await client.head(of: .catalog)
            let early = Task { try await Self.collect(from: start, try daybook.client(timeout: .seconds(20))) }
            var acknowledged: [Identifier: String] = [:]
            var late: Task<[Int64: Event], any Error>?
            for round in 0..<3 {
                try await withThrowingTaskGroup(of: [Identifier: String].self) { group in
                    for lane in 0..<8 {
                        group.addTask {
                            var made: [Identifier: String] = [:]
                            for number in 0..<10 {
                                let name = "\(round)/\(lane)/\(number)"
                                let customer = try await client.send(Put(Customer(name: name))).value
                                made[customer.id] = name
                                // Refused, so there is nothing to tell.
                                _ = try? await client.send(Put(Customer(name: " ")))
                            }
                            return made
                        }
                    }
                    group.addTask {
                        try await daybook.kill(.catalog)
                        try await daybook.start(.catalog)
                        return [:]
                    }
                    for try await made in group { acknowledged.merge(made) { $1 } }
                }
                if late == nil {
                    late = Task { try await Self.collect(from: start, try daybook.client(timeout: .seconds(20))) }
                }
            }
            _ = try await client.send(Put(Customer(name: Self.end)))
            let log = try await Self.log(client)
            let heard = try await early.value
            #expect(try await late?.value == heard)
            #expect(heard == log)
            #expect(heard.keys.sorted() == (1...Int64(heard.count)).map { $0 })
            var told: [Identifier: String] = [:]
            for event in log.values {
                let name = try #require(try event.data?.decode(Customer.self)).name
                #expect(event.type == "customer.created" && told.updateValue(name, forKey: event.subject) == nil)
            }
            // Each command was repeated until it was answered: nothing is there that was not acknowledged.
            #expect(told.filter { $0.value != Self.end } == acknowledged)
            #expect(try await client.all(Customer.self).count == told.count)
        }
    }

    private static let end = "the end"

    /// What a subscription tells up to the end, by number.
    private static func collect(from start: EventPosition, _ client: DaybookClient) async throws -> [Int64: Event] {
        var events: [Int64: Event] = [:]
        for try await update in client.events(from: start, of: .catalog) {
            guard case .transaction(let transaction) = update else { continue }
            for event in transaction.events {
                #expect(events.updateValue(event, forKey: event.sequence) == nil)
                if try event.data?.decode(Customer.self).name == end { return events }
            }
        }
        return events
    }

    /// The whole log, as `events.read` gives it.
    private static func log(_ client: DaybookClient) async throws -> [Int64: Event] {
        var events: [Int64: Event] = [:]
        var position = ReadEvents()
        while true {
            let page = try await client.send(position, to: .catalog).value
            for event in try page.events.map({ try $0.decode(Event.self) }) { events[event.sequence] = event }
            if page.through == page.head { return events }
            position = ReadEvents(epoch: page.epoch, sequence: page.through, chain: page.chain)
        }
    }
}
