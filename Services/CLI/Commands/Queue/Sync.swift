import ArgumentParser
import Text

struct Sync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deliver the queued commands, in order.",
        discussion: """
            What is done leaves the queue. What is refused stays, and holds back what depends on it; 'daybook queue' sorts \
            it out. The exit code is 3 as long as a service does not answer, 1 where something was refused.
            """,
        examples: ["daybook sync", "daybook sync --dry-run"]
    )

    @Flag(help: "Say what would be delivered, and send nothing.")
    var dryRun = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global)
        let queue = CommandQueue(home: daybook.configuration.home)
        guard queue.count > 0 else { return try daybook.output.line("Nothing is queued.") }
        let lock = try queue.lockForDelivery()
        let sender = ClientSender(daybook.configuration)
        let delivery = QueueDelivery(queue: queue, isDry: dryRun) { (command) throws(CLIError) in
            try await sender.deliver(command)
        }
        let isDry = dryRun
        let summary = try await delivery.run { (command, outcome) throws(CLIError) in
            try daybook.output.line(Self.line(command, outcome, isDry: isDry))
            try daybook.output.flush()
        }
        withExtendedLifetime(lock) {}
        if let error = Self.error(summary) { throw error }
    }

    /// `2 refused: daybook orders add …`, and behind it why.
    static func line(_ command: QueuedCommand, _ outcome: QueueDelivery.Outcome, isDry: Bool = false) -> String {
        let line = TerminalText.escapedForTerminal(command.line)
        let number = command.number
        return switch outcome {
        case .delivered: isDry ? "\(number) would be sent: \(line)" : "\(number) delivered: \(line)"
        case .refused(let reason): "\(number) refused: \(line)\n  \(reason)"
        case .heldBack(let holder): "\(number) held back by \(holder): \(line)"
        case .waiting(let reason): "\(number) waits: \(line)\n  \(reason)"
        }
    }

    /// What the command ends with; nil where all is done.
    static func error(_ summary: QueueDelivery.Summary) -> CLIError? {
        if summary.waiting > 0 {
            return .unanswered("\(summary.waiting) could not be delivered yet; the queue keeps them. Try again later.")
        }
        guard summary.refused > 0 else { return nil }
        return .failure("\(summary.refused) refused; see 'daybook queue list', then retry or drop them.")
    }
}
