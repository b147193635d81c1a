import Testing

@testable import ArgumentParser

@Suite struct ExitTests {
    struct Tool: AsyncParsableCommand {
        static let configuration = CommandConfiguration(subcommands: [Fail.self, Refuse.self, Plain.self])
    }

    struct Fail: AsyncParsableCommand {
        @Argument var code: Int

        mutating func run() async throws {
            await Task.yield()
            throw ExitCode(Int32(truncatingIfNeeded: code))
        }
    }

    struct Refuse: AsyncParsableCommand {
        mutating func run() async throws { throw ValidationError("There is nothing to do.") }
    }

    struct Plain: ParsableCommand {
        mutating func run() throws { throw CleanExit.message("done") }
    }

    @Test func endsWithTheCodeThatRunThrew() async {
        await #expect(processExitsWith: .exitCode(3)) { await Tool.main(["fail", "3"]) }
    }

    @Test func printsUsageErrorsOnStandardError() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(2),
            observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            await Tool.main(["fial"])
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(
            text == "Error: 'tool' has no command 'fial'; did you mean 'fail'?\n"
                + "See 'tool --help' for more information.\n"
        )
    }

    @Test func namesTheSubcommandThatRefused() async throws {
        let result = try await #require(processExitsWith: .exitCode(2), observing: [\.standardErrorContent]) {
            await Tool.main(["refuse"])
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text == "Error: There is nothing to do.\nSee 'tool refuse --help' for more information.\n")
    }

    @Test func printsCleanExitsOnStandardOutput() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(0),
            observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            await Tool.main(["plain"])
        }
        // Not `isEmpty`: a stream that nothing was written to holds a mark of the testing library.
        let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(!errors.contains("done") && !errors.contains("Error"))
        #expect(String(decoding: result.standardOutputContent, as: UTF8.self).contains("done\n"))
    }

    @Test func showsHelpForACommandThatOnlyHoldsOthers() async throws {
        let result = try await #require(processExitsWith: .exitCode(0), observing: [\.standardOutputContent]) {
            await Tool.main([])
        }
        #expect(String(decoding: result.standardOutputContent, as: UTF8.self).contains("USAGE: tool <subcommand>"))
    }
}
