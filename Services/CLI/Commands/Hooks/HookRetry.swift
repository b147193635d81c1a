import ArgumentParser
import Messages

struct HookRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Try the events again that a hook gave up.",
        discussion:
            "Runs the hook's program, as it was last given, once for each; what ends with 0 is done. The exit code "
            + "is 1 if one failed again.",
        examples: ["daybook hook retry thanks", "daybook hook retry thanks orders:120"]
    )

    @Argument(help: "The hook's name.")
    var name: String

    @Argument(help: ArgumentHelp("Only these, by position or id.", valueName: "event"))
    var chosen: [String] = []

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global)
        let folder = try HookFolder(name, home: daybook.configuration.home)
        let state = try folder.existingState()
        guard let lock = try SupervisorLock.acquire(in: folder.path, named: HookFolder.retryLock) else {
            throw CLIError.failure("The failures of \(quoted(name)) are being tried again already.")
        }
        let failures = try folder.failures()
        for word in chosen where !failures.contains(where: { Self.names(word, $0) }) {
            throw CLIError.failure("No failed event \(quoted(word)); 'daybook hook failed \(name)' lists them.")
        }
        let command = HookCommand(
            words: state.command,
            timeout: state.timeout,
            folder: folder,
            environment: HookRun.environment(of: daybook.configuration)
        )
        var left = 0
        for var failure in failures where chosen.isEmpty || chosen.contains(where: { Self.names($0, failure) }) {
            let event = failure.event
            failure.attempts += 1
            let ending = try await command.run(id: event.id, json: event.json, attempt: failure.attempts)
            if ending.isSuccess {
                try folder.remove(failure)
                try daybook.output.line("\(event.type) at \(event.position): done")
            } else {
                left += 1
                (failure.reason, failure.time) = (ending.description, .now())
                try folder.store(failure)
                try daybook.output.line("\(event.type) at \(event.position): \(failure.reason)")
            }
            try daybook.output.flush()
        }
        withExtendedLifetime(lock) {}
        if left > 0 { throw CLIError.failure("\(left) failed again.") }
    }

    private static func names(_ word: String, _ failure: HookFailure) -> Bool {
        word == failure.event.position || word == failure.event.id
    }
}
