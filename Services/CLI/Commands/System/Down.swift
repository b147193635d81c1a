import ArgumentParser
import Glibc

struct Down: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stop the services.",
        discussion: "Returns when all of them have ended. What was acknowledged is stored.",
        examples: ["daybook down"]
    )

    /// The supervisor kills after 10 s.
    private static let patience = Duration.seconds(15)

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws {
        let daybook = try Invocation(global)
        let folder = daybook.configuration.runtime
        guard let supervisor = try SupervisorLock.holder(in: folder) else {
            return try daybook.output.line("daybook is not running")
        }
        guard kill(supervisor, SIGTERM) == 0 || errno == ESRCH else {
            throw CLIError.system(action: "stop", path: "process \(supervisor)", code: errno)
        }
        let deadline = ContinuousClock.now + Self.patience
        // Nothing tells that a process which is not our child has let a lock go.
        while try SupervisorLock.holder(in: folder) == supervisor {
            guard ContinuousClock.now < deadline else {
                throw CLIError.failure("Process \(supervisor) did not end within 15 s; see 'daybook logs supervisor'.")
            }
            usleep(10_000)
        }
        try daybook.output.line("daybook is down")
    }
}
