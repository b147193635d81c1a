import Client
import Glibc
import Messages
import Support
import Testing

struct ServedMetricsTests {
    /// A port that is free now.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 ? getsockname(descriptor, pointer, &size) : -1
            }
        }
        try #require(code == 0)
        return UInt16(bigEndian: address.sin_port)
    }

    @Test func countWhatWasAnswered() async throws {
        try await withDaybook { daybook in
            let port = try Self.freePort()
            let catalog = try await daybook.launch(.catalog, ["DAYBOOK_CATALOG_METRICS": "127.0.0.1:\(port)"])
            try await catalog.ready()
            for name in ["Ann", "Bo", "Cy"] { _ = try await daybook.client.send(Put(Customer(name: name))) }
            _ = try await daybook.client.refusal(of: Put(Customer(name: "")))
            var page = ""
            let deadline = ContinuousClock.now + .seconds(20)
            repeat {
                page = try await daybook.shell("curl --silent --max-time 10 http://127.0.0.1:\(port)/metrics").text
            } while !page.contains("\ndaybook_log_sequence 3\n") && ContinuousClock.now < deadline
            let lines = page.split(separator: "\n").map(String.init)
            #expect(lines.contains(#"daybook_requests_total{operation="customer.put",status="ok"} 3"#))
            #expect(lines.contains(#"daybook_requests_total{operation="customer.put",status="invalid"} 1"#))
            #expect(lines.contains(#"daybook_request_duration_seconds_count{operation="customer.put"} 4"#))
            #expect(lines.contains("daybook_group_requests_count 4"))
            #expect(lines.contains("daybook_log_sequence 3"))
            // Orders doesn't run.
            #expect(lines.contains(#"daybook_source_live{source="orders"} 0"#))
            #expect(!page.contains("Ann"))
            catalog.signal(SIGTERM)
            #expect(await catalog.ended() == .exited(0))
        }
    }

    @Test func aTakenPortIsSaid() async throws {
        try await withDaybook { daybook in
            let port = try Self.freePort()
            let variables = [
                "DAYBOOK_CATALOG_METRICS": "127.0.0.1:\(port)", "DAYBOOK_WALKS_METRICS": "127.0.0.1:\(port)",
            ]
            let catalog = try await daybook.launch(.catalog, variables)
            try await catalog.ready()
            let walks = try await daybook.launch(.walks, variables)
            let error = await #expect(throws: HarnessError.self) { try await walks.ready() }
            #expect(
                error?.description.contains("can't serve metrics at 127.0.0.1:\(port): address already in use") == true
            )
            #expect(await walks.ended() == .exited(1))
        }
    }
}
