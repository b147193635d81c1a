import Client
import Glibc
import Messages
import Support
import Testing

/// `daybook up`, as a newcomer runs it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UpTests {
    @Test func itsThreeCommandsWorkInANewShellElsewhere() async throws {
        try await withDaybook { daybook in
            let up = try await daybook.run("up", limit: .seconds(40))
            // Its services are children of a process that is not ours: `down` is in every case.
            let result = await Result(catching: { () async throws in
                #expect(up.code == 0, "\(up.error)")
                let commands = up.lines.filter { $0.hasPrefix("  ") }
                #expect(commands.count == 3)
                for command in commands {
                    let output = try await daybook.shell("cd /; unset ${!DAYBOOK_*}; \(command)")
                    #expect(output.code == 0, "\(command): \(output.error)")
                }
                #expect(try await daybook.run("up").text.contains("already up"))
                #expect(try await daybook.run("customers", "add", "Lind").code == 0)
            })
            #expect(try await daybook.run("down").code == 0)
            try result.get()
            #expect(!File.exists("\(daybook.runtime)/catalog.requests"))
            #expect(try await daybook.run("--timeout", "1", "customers", "list").code == 3)
        }
    }

    @Test func itStartsWhatDiesAndEndsWithItsServices() async throws {
        try await withDaybook { daybook in
            let up = try await Self.foreground(daybook)
            let catalog = try await daybook.client.send(StatusRequest(), to: .catalog).value
            #expect(try await daybook.run("customers", "add", "Lind").code == 0)
            Glibc.kill(catalog.process, SIGKILL)
            // Asked until the new one answers: within the budget of one request.
            let client = try daybook.client(timeout: .seconds(15))
            var again = catalog
            while again.run == catalog.run { again = try await client.send(StatusRequest(), to: .catalog).value }
            #expect(again.process != catalog.process)
            #expect(try await client.all(Customer.self).map(\.name) == ["Lind"])

            let signalled = ContinuousClock.now
            up.signal(SIGTERM)
            #expect(await up.ended() == .exited(0))
            #expect(try #require(up.endedAt) - signalled < .promised(seconds: 5))
            #expect(Glibc.kill(again.process, 0) != 0)
        }
    }

    @Test func aDaysWorkOutlivesStopAndStart() async throws {
        try await withDaybook { daybook in
            var up = try await Self.foreground(daybook)
            for line in [
                "customers add Lind", "services add Bath --price 40", "recipes add Waffles --prep-time '30 min'",
                "orders add --customer Lind --row Bath=40.00 --made --date 2024-03-31", "walks add Rex",
            ] {
                let output = try await daybook.shell("daybook \(line)")
                #expect(output.code == 0, "\(line): \(output.error)")
            }
            let lists = [
                "customers list --format json", "services list --format json", "recipes list --format json",
                "orders list --format json", "walks list --format json", "report unpaid --format csv",
                "report totals --by service --format csv",
            ]
            var before: [String] = []
            for list in lists { before.append(try await daybook.shell("daybook \(list)").text) }
            #expect(
                before.allSatisfy {
                    $0.contains("Lind") || $0.contains("Bath") || $0.contains("Waffles") || $0.contains("Rex")
                }
            )
            up.signal(SIGTERM)
            #expect(await up.ended() == .exited(0))
            up = try await Self.foreground(daybook)
            for (list, text) in zip(lists, before) {
                #expect(try await daybook.shell("daybook \(list)").text == text, "\(list)")
            }
        }
    }

    @Test(.enabled(if: !readme.isEmpty, "README.md has no block that is marked as tested"))
    func theReadmesCommandsWorkAsPasted() async throws {
        try await withDaybook { daybook in
            let newShell = "cd /; unset ${!DAYBOOK_*}"
            let up = try await daybook.shell("\(newShell); daybook --demo up", limit: .seconds(40))
            let result = await Result(catching: { () async throws in
                #expect(up.code == 0, "\(up.error)")
                for block in Self.readme {
                    let output = try await daybook.shell("\(newShell); set -e\n\(block)", limit: .seconds(30))
                    #expect(output.code == 0, "\(block)\n\(output.error)")
                    #expect(!output.text.isEmpty)
                }
            })
            #expect(try await daybook.shell("\(newShell); daybook --demo down").code == 0)
            try result.get()
        }
    }

    /// The blocks of README.md behind a line `<!-- tested -->`.
    private static let readme: [String] = {
        let parts = File.text("\(Environment.checkout)/README.md").split(separator: "<!-- tested -->\n```sh\n")
        return parts.dropFirst().map { part in
            String(part.prefix(upTo: part.firstRange(of: "```")?.lowerBound ?? part.endIndex))
        }
    }()

    /// `daybook up --foreground`, whose services answer.
    private static func foreground(_ daybook: Daybook) async throws -> ChildProcess {
        let up = try await daybook.start(program: "\(Environment.programs)/daybook", ["up", "--foreground"])
        let client = try daybook.client(timeout: .seconds(30))
        for service in ServiceName.all { _ = try await client.send(StatusRequest(), to: service) }
        return up
    }
}

extension Result where Failure == any Error {
    fileprivate init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
