import Client
import Messages

/// Delivers what is queued, in order.
///
/// What is refused stays, marked, and holds back what refers to what it makes; the rest goes on. A service that does not
/// answer is not asked again in this run. A command is forgotten only after its service has answered that it is done: a
/// kill in between sends it once more, with the key under which it is done already.
struct QueueDelivery: Sendable {
    /// What became of a command.
    enum Outcome: Sendable, Hashable {
        case delivered
        /// The sentence says why.
        case refused(String)
        /// The number of the command that it depends on.
        case heldBack(by: Int)
        /// Its service can't be reached, or can't do it now; the sentence says so. It stays as it is.
        case waiting(String)
    }

    /// How many had which outcome; those that are held back count where what holds them back does.
    struct Summary: Sendable, Hashable {
        var delivered = 0
        var refused = 0
        var waiting = 0
    }

    let queue: CommandQueue
    /// Nothing is sent and nothing changed; what would be sent counts as delivered.
    var isDry = false
    /// Sends it, and returns when it is done.
    let send: @Sendable (QueuedCommand) async throws(CLIError) -> Void

    /// Goes through the queue until nothing is left that was not tried, also of what is added meanwhile.
    ///
    /// - Parameter report: is told of each command, in order.
    /// - Throws: what `report` and the queue's files throw, and what fails on this side; the rest stays queued.
    func run(
        report: (QueuedCommand, Outcome) throws(CLIError) -> Void
    ) async throws(CLIError) -> Summary {
        var summary = Summary()
        // By key: numbers are given out again once the queue is empty.
        var seen: Set<Identifier> = []
        var kept: [QueuedCommand] = []
        var silent: [ServiceName: String] = [:]
        while true {
            let commands = try queue.commands().filter { !seen.contains($0.key) }
            if commands.isEmpty { return summary }
            for command in commands {
                seen.insert(command.key)
                let outcome: Outcome
                if let refusal = command.refusal {
                    outcome = .refused(refusal.reason)
                } else if let holder = kept.first(where: command.depends) {
                    outcome = .heldBack(by: holder.number)
                } else if let sentence = silent[command.service] {
                    outcome = .waiting(sentence)
                } else {
                    outcome = try await deliver(command)
                }
                switch outcome {
                case .delivered: summary.delivered += 1
                case .refused: summary.refused += 1
                case .heldBack: break
                case .waiting(let sentence):
                    summary.waiting += 1
                    silent[command.service] = sentence
                }
                if outcome != .delivered { kept.append(command) }
                try report(command, outcome)
            }
        }
    }

    private func deliver(_ command: QueuedCommand) async throws(CLIError) -> Outcome {
        if isDry { return .delivered }
        do throws(CLIError) {
            try await send(command)
        } catch {
            if error.isUndelivered { return .waiting(error.description) }
            guard case .client(.refused(_, let status, _)) = error else { throw error }
            var marked = command
            marked.refusal = QueuedCommand.Refusal(status: status, reason: error.description, time: .now())
            try queue.store(marked)
            return .refused(error.description)
        }
        try queue.remove(command)
        return .delivered
    }
}

extension CLIError {
    /// Whether a command may still be done when it is sent again, with the same key, later.
    var isUndelivered: Bool {
        switch self {
        case .client(.unreachable), .client(.handshake(_, _, .unfinished)): true
        case .client(.refused(_, let status, _)):
            status == .unavailable || status == .timedOut || status == .storageFull
        default: false
        }
    }
}
