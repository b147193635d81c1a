import CBOR
import Client
import Messages
import Support
import Testing

/// From what a person sees to what the service wrote.
struct RequestLogTests {
    private static let tooLong = String(repeating: "x", count: 201)

    /// The lines of a service's log with this text.
    private static func lines(_ daybook: Daybook, _ service: ServiceName, with text: String) -> [String] {
        File.text("\(daybook.folder)/\(service).log").split(separator: "\n").map(String.init)
            .filter { $0.contains(text) }
    }

    @Test func anErrorNamesTheRequestByWhichItsLineIsFound() async throws {
        try await withDaybook(.catalog) { daybook in
            let failed = try await daybook.run("customers", "add", Self.tooLong)
            #expect(failed.code == 1)
            let note = try #require(failed.error.split(separator: "[request ").last)
            let id = note.prefix { $0 != "]" }
            #expect(failed.error.hasSuffix(" [request \(id)]\n"))
            let lines = Self.lines(daybook, .catalog, with: "request=\(id)")
            #expect(lines.count == 1)
            #expect(lines.first?.contains("operation=customer.put status=invalid code=") == true)
            #expect(lines.first?.hasSuffix("trace=none") == true)
            // Whose name it was is not the log's to keep.
            #expect(lines.first?.contains("xxx") == false)
        }
    }

    @Test func aTraceGoesOnInLogsAndEvents() async throws {
        try await withDaybook(.catalog) { daybook in
            let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
            let variables = ["TRACEPARENT": "00-\(trace)-00f067aa0ba902b7-01"]
            let failed = try await daybook.run("customers", "add", Self.tooLong, variables: variables)
            #expect(failed.code == 1)
            #expect(Self.lines(daybook, .catalog, with: "trace=\(trace)").count == 1)

            let done = try await daybook.run("customers", "add", "Ann", variables: variables)
            #expect(done.code == 0)
            let read = try await daybook.client.send(ReadEvents(), to: .catalog).value
            let parents = try read.events.map { try CBORDecoder().decode(Event.self, from: $0.bytes).traceparent }
            #expect(parents.count == 1 && parents[0]?.hasPrefix("00-\(trace)-") == true)
            #expect(parents[0] != variables["TRACEPARENT"])
        }
    }

    /// Programs that try again and again must not fill the disk with lines.
    @Test func aStormOfRefusalsIsCounted() async throws {
        try await withDaybook(.catalog) { daybook in
            let count = 300
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask { _ = try await daybook.client.refusal(of: Put(Customer(name: Self.tooLong))) }
                }
                try await group.waitForAll()
            }
            let deadline = ContinuousClock.now + .seconds(60)
            var (lines, counted) = (0, 0)
            while lines + counted < count, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(100))
                lines = Self.lines(daybook, .catalog, with: "message=refused").count
                counted = Self.lines(daybook, .catalog, with: "count=")
                    .compactMap { $0.split(separator: "count=").last.flatMap { Int($0) } }.reduce(0, +)
            }
            // A request that was sent again is refused again.
            #expect(lines + counted >= count && lines < count)
        }
    }
}
