import Client
import Glibc
import Messages
import Support
import Testing
import ZeroMQ

/// The `daybook` command where no service runs.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CommandAloneTests {
    /// Why nobody answers.
    enum Absence: CaseIterable {
        case noSocketFile, nobodyAtThePort, nobodyAtThePortForAKey, silenceAtThePort, noSuchHost
    }

    @Test(arguments: Absence.allCases)
    func endsWhenNobodyAnswers(_ absence: Absence) async throws {
        try await Self.reaching(absence) { daybook, endpoint, variables in
            let start = ContinuousClock.now
            let output = try await daybook.run("--timeout", "2", "customers", "list", variables: variables)
            #expect(ContinuousClock.now - start < .promised(seconds: 4))
            #expect(output.code == 3)
            #expect(output.bytes.isEmpty)
            #expect(output.error.contains(endpoint), "\(output.error)")
            #expect(output.error.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: Absence.allCases)
    func anInterruptEndsItAtOnce(_ absence: Absence) async throws {
        try await Self.reaching(absence) { daybook, _, variables in
            let program = "\(Environment.programs)/daybook"
            let child = try await daybook.start(program: program, ["--timeout", "30", "customers", "list"], variables)
            // It is under way.
            try await Task.sleep(for: .milliseconds(500))
            let interrupted = ContinuousClock.now
            child.signal(SIGINT)
            #expect(await child.ended() == .exited(130))
            #expect(try #require(child.endedAt) - interrupted < .promised(seconds: 1))
        }
    }

    /// Runs the closure with the endpoint at which nobody answers, and the variables that lead the command there.
    private static func reaching(
        _ absence: Absence,
        _ body: @escaping @Sendable (Daybook, _ endpoint: String, _ variables: [String: String]) async throws -> Void
    ) async throws {
        try await withDaybook { daybook in
            let listener = try absence == .silenceAtThePort ? SilentListener() : nil
            defer { listener?.close() }
            let endpoint: String
            var variables: [String: String] = [:]
            switch absence {
            case .noSocketFile: return try await body(daybook, "ipc://\(daybook.runtime)/catalog.requests", [:])
            case .noSuchHost: endpoint = "tcp://nowhere.invalid:7401"
            case .nobodyAtThePort: endpoint = "tcp://127.0.0.1:\(try Ports.free(1))"
            case .nobodyAtThePortForAKey:
                let town = try await Town(daybook)
                endpoint = town.endpoints(.catalog).requests.description
                variables["DAYBOOK_KEY"] = "anna"
            case .silenceAtThePort: endpoint = "tcp://127.0.0.1:\(listener?.port ?? 0)"
            }
            variables["DAYBOOK_CATALOG_ENDPOINT"] = endpoint
            try await body(daybook, endpoint, variables)
        }
    }

    @Test(arguments: [
        ["--help"], ["customers", "--help"], ["orders", "add", "--help"], ["help", "report", "totals"],
    ])
    func helpIsNoError(_ arguments: [String]) async throws {
        try await withDaybook { daybook in
            let output = try await daybook.run(bytes: arguments.map { Array($0.utf8) })
            #expect(output.code == 0)
            #expect(output.text.contains("USAGE: daybook"))
            #expect(output.error.isEmpty)
        }
    }

    @Test(arguments: [
        (["cutsomers"], "did you mean 'customers'"), (["customers", "lst"], "did you mean 'list'"),
        (["customers", "list", "--formt", "json"], "--format"), (["customers", "add"], "name"),
        (["orders", "add", "--row", "Bath=1.005"], "1.005"), (["orders", "add", "--row", "=1e3"], "1e3"),
        (["orders", "add", "--row", "=abc"], "abc"), (["orders", "add", "--date", "2023-02-29"], "2023-02-29"),
        (["orders", "add", "--row", "=92233720368547758.08"], "92233720368547758.08"),
        (["customers", "add", "Ada", "--key", "7"], "7"),
    ])
    func aWrongCommandLineIsOneSentence(_ arguments: [String], _ text: String) async throws {
        try await withDaybook { daybook in
            let output = try await daybook.run(bytes: arguments.map { Array($0.utf8) })
            #expect(output.code == 2)
            #expect(output.bytes.isEmpty)
            #expect(output.error.hasPrefix("Error: ") && output.error.contains(text), "\(output.error)")
        }
    }

    @Test func anArgumentThatIsNotUTF8IsRefused() async throws {
        try await withDaybook { daybook in
            let output = try await daybook.run(bytes: [Array("customers".utf8), Array("add".utf8), [0x62, 0xC3, 0x28]])
            #expect(output.code == 2)
            #expect(output.bytes.isEmpty)
            #expect(output.error.contains("UTF-8") && !output.error.contains("\u{FFFD}"), "\(output.error)")
        }
    }
}

/// Takes connections at a port of loopback, and says nothing.
private struct SilentListener {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        port = try Ports.free(1)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, listen(descriptor, 16) == 0 else { throw HarnessError("can't listen at \(port)") }
    }

    func close() { Glibc.close(descriptor) }
}
