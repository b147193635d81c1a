import Messages
import Testing

@testable import CLI

/// The built command, without services.
@Suite(.timeLimit(.minutes(5)))
struct CommandTests {
    private func run(_ script: String) async throws -> Shell.Outcome {
        let shell = try Shell()
        let outcome = try await shell.run(script)
        await shell.remove()
        return outcome
    }

    @Test func printsHelpOnStandardOutput() async throws {
        let outcome = try await run(#""$daybook" --help"#)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("SUBCOMMANDS:"))
        #expect(outcome.errors == "")
    }

    @Test(
        arguments: [
            ("custmers list", "did you mean 'customers'?"), ("customers lsit", "did you mean 'list'?"),
            ("customers list --formt csv", "did you mean '--format'?"),
            ("customers list --fields nmae", "did you mean 'name'?"), ("schema custmer", "did you mean 'customers'?"),
            ("status catalogue", "did you mean 'catalog'?"), ("customers list --limit 0", "it must be 1 or more"),
            ("up --keep-events forever", "--keep-events is 'forever', of which 'forever' can't be right: give an age"),
            ("--timeout never status", "--timeout is 'never'"), ("$(printf 'caf\\351')", "not valid UTF-8"),
        ]
    )
    func refusesUsageWithCode2(arguments: String, sentence: String) async throws {
        let outcome = try await run("\"$daybook\" \(arguments)")
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    }

    @Test func endsWithCode3WhereNobodyAnswers() async throws {
        let outcome = try await run(#""$daybook" customers list"#)
        #expect(outcome.status == 3)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("ipc://") && outcome.errors.contains("Start it by 'daybook up'"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    /// What runs on another machine or in another container is not started from here.
    @Test func saysWhereToStartWhatIsElsewhere() async throws {
        let outcome = try await run(
            #"DAYBOOK_CATALOG_ENDPOINT=tcp://nowhere.invalid:7401 "$daybook" --timeout 1 customers list"#
        )
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("tcp://nowhere.invalid:7401") && !outcome.errors.contains("daybook up"))
        #expect(outcome.errors.contains("Start it where it runs"), "\(outcome.errors)")
    }

    @Test(arguments: ["catalog", ""]) func saysThatThereIsNoLog(service: String) async throws {
        let outcome = try await run("\"$daybook\" logs \(service)")
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("Error: There is no log of \(service.isEmpty ? "any service" : service) in "))
        #expect(outcome.errors.contains("docker-compose logs"))
    }

    @Test func tellsTheStatusOfWhatDoesNotAnswer() async throws {
        let outcome = try await run(#""$daybook" status catalog --format jsonl --fields service,state"#)
        #expect(outcome.status == 3)
        #expect(outcome.output == "{\"service\":\"catalog\",\"state\":\"no answer\"}\n")
    }

    @Test func saysThatOutputCannotBeWritten() async throws {
        let outcome = try await run(#""$daybook" schema customers > /dev/full"#)
        #expect(outcome.status == 1)
        #expect(outcome.errors == "Error: Can't write the output: No space left on device.\n")
    }

    @Test func endsQuietlyWhenTheReaderHasGone() async throws {
        let outcome = try await run(
            #"mkfifo "$folder/p"; exec 4<>"$folder/p"; { exec 5>"$folder/p"; exec 4<&-; "$daybook" schema customers >&5; }"#
        )
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
    }

    @Test func endsAtOnceOnAnInterrupt() async throws {
        // Started with the signal ignored, as shells without job control do with `&`.
        let outcome = try await run(
            """
            DAYBOOK_TIMEOUT=60 "$daybook" customers list & process=$!
            until grep -q 'SigCgt:.*[2367abef]$' /proc/$process/status; do :; done
            kill -INT $process; wait $process
            """
        )
        #expect(outcome.status == 130)
        #expect(outcome.output == "")
    }

    @Test func refusesAConfigurationNamingTheFile() async throws {
        let outcome = try await run(
            #"mkdir -p "$folder/.config/daybook"; echo '{"hoem":1}' > "$folder/.config/daybook/config.json"; "$daybook" status"#
        )
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("/.config/daybook/config.json: 'hoem' is no key of it"))
    }

    @Test func makesKeysThatDiffer() async throws {
        let outcome = try await run(#""$daybook" key; "$daybook" key"#)
        let keys = outcome.output.split(separator: "\n")
        #expect(keys.count == 2 && Set(keys).count == 2)
        #expect(keys.allSatisfy { $0.count == 36 })
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func printsCompletions(shell: String) async throws {
        let outcome = try await run("\"$daybook\" completion \(shell)")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("customers"))
    }

    @Test(arguments: ["version", "--version"]) func printsItsVersion(arguments: String) async throws {
        #expect(try await run("\"$daybook\" \(arguments)").output == "\(Release.version)\n")
    }
}
