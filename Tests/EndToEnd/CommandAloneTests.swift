import Glibc
import Support
import Testing

/// The `daybook` command where no service runs.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CommandAloneTests {
    @Test func endsWhenNobodyAnswers() async throws {
        try await withDaybook { daybook in
            let start = ContinuousClock.now
            let output = try await daybook.run("--timeout", "2", "customers", "list")
            #expect(ContinuousClock.now - start < .seconds(4))
            #expect(output.code == 3)
            #expect(output.bytes.isEmpty)
            #expect(output.error.contains("ipc://\(daybook.runtime)/catalog.requests"))
            #expect(output.error.split(separator: "\n").count == 1)
        }
    }

    @Test func anInterruptEndsItAtOnce() async throws {
        try await withDaybook { daybook in
            let program = "\(Environment.programs)/daybook"
            let child = try await daybook.start(program: program, ["--timeout", "30", "customers", "list"])
            // It is under way.
            try await Task.sleep(for: .milliseconds(500))
            let interrupted = ContinuousClock.now
            child.signal(SIGINT)
            #expect(await child.ended() == .exited(130))
            #expect(try #require(child.endedAt) - interrupted < .seconds(1))
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
