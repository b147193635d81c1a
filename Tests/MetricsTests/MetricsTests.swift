import Glibc
import Metrics
import Support
import Testing

struct MetricsTests {
    private static let families: [Metrics.Family] = [
        .init("jobs_total", "Jobs, by kind \"and\" end.\nAll of them: \\", .counter, labels: ["kind"]),
        .init("depth", "How deep.", .gauge),
        .init("wait_seconds", "Waiting.", .histogram(bounds: [0.5, 1]), labels: ["kind"]),
        .init("never", "Has no sample.", .gauge),
    ]

    @Test func writesTheTextFormat() {
        let metrics = Metrics(Self.families)
        metrics.add("jobs_total", ["b"])
        metrics.add("jobs_total", ["b"], by: 2)
        metrics.add("jobs_total", ["a \"quoted\"\n\\"])
        metrics.set("depth", to: 1)
        metrics.set("depth", to: -0.25)
        // A bound belongs to its bucket.
        for value in [0.25, 0.5, 0.75, 4] { metrics.observe("wait_seconds", ["x"], value) }
        #expect(
            metrics.text == #"""
                # HELP jobs_total Jobs, by kind "and" end.\nAll of them: \\
                # TYPE jobs_total counter
                jobs_total{kind="a \"quoted\"\n\\"} 1
                jobs_total{kind="b"} 3
                # HELP depth How deep.
                # TYPE depth gauge
                depth -0.25
                # HELP wait_seconds Waiting.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{kind="x",le="0.5"} 2
                wait_seconds_bucket{kind="x",le="1"} 3
                wait_seconds_bucket{kind="x",le="+Inf"} 4
                wait_seconds_sum{kind="x"} 5.5
                wait_seconds_count{kind="x"} 4

                """#
        )
    }

    @Test func isEmptyAtFirst() {
        #expect(Metrics(Self.families).text.isEmpty)
    }

    @Test func servesItsPage() async throws {
        let metrics = Metrics(Self.families)
        let server = try MetricsServer(metrics, host: "127.0.0.1", port: 0)
        #expect(server.port != 0)
        metrics.set("depth", to: 7)
        let page = try await Self.curl("http://127.0.0.1:\(server.port)/metrics", "--include")
        #expect(page.hasPrefix("HTTP/1.1 200"))
        #expect(page.contains("Content-Type: \(Metrics.mediaType)\r\n"))
        #expect(page.hasSuffix("\r\n\r\n" + metrics.text))
        let other = try await Self.curl("http://127.0.0.1:\(server.port)/", "--include")
        #expect(other.hasPrefix("HTTP/1.1 404"))
        let posted = try await Self.curl("http://127.0.0.1:\(server.port)/metrics", "--include", "--data", "x=1")
        #expect(posted.hasPrefix("HTTP/1.1 405") && posted.contains("Allow: GET, HEAD\r\n"))
        withExtendedLifetime(server) {}
    }

    @Test func aTakenPortIsNamed() throws {
        let metrics = Metrics(Self.families)
        let server = try MetricsServer(metrics, host: "127.0.0.1", port: 0)
        let error = #expect(throws: MetricsServerError.self) {
            try MetricsServer(metrics, host: "127.0.0.1", port: server.port)
        }
        #expect(error?.description == "can't serve metrics at 127.0.0.1:\(server.port): address already in use")
        withExtendedLifetime(server) {}
    }

    private static func curl(_ arguments: String...) async throws -> String {
        let output = "/tmp/daybook-metrics-\(UInt64.random(in: 0 ... .max))"
        var launch = ChildProcess.Launch(program: "/usr/bin/curl")
        launch.arguments = (["--silent", "--max-time", "20"] + arguments).map { Array($0.utf8) }
        launch.output = output
        let ending = try await ChildProcess.start(launch).ended(within: .seconds(30))
        #expect(ending == .exited(0))
        defer { unlink(output) }
        return File.text(output)
    }
}
