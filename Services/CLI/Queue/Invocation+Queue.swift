import ArgumentParser
import Messages
import Text

/// The option of commands that can be kept until their service answers.
struct QueueOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Where the service does not answer, keep the command until 'daybook sync'; the exit code is 5 then "
                + "[DAYBOOK_QUEUE]."
        )
    )
    var queue = false
}

extension Invocation {
    /// Sends a command that can be kept. Where commands are queued and this one can't be delivered now, or has to stay
    /// behind one that is queued, it is kept.
    ///
    /// It stays behind those that wait for the same service, and behind what makes something that it refers to.
    ///
    /// - Parameter subject: the id of the record that it makes; nil where it makes none.
    /// - Throws: ``CLIError/queued(_:)`` where it was kept; what sending and the queue's files throw.
    func deliver<R: Request>(
        _ request: R,
        making subject: Identifier?,
        key: Identifier?
    ) async throws(CLIError) -> R.Reply {
        guard let queue, let service = R.service else { return try await send(request, key: key) }
        let command = try QueuedCommand(
            request,
            to: service,
            making: subject,
            key: key ?? .make(),
            line: (["daybook"] + CommandLine.arguments.dropFirst()).map(shellQuoted).joined(separator: " ")
        )
        let isBehind = try queue.commands().contains { earlier in
            earlier.key == command.key || earlier.refusal == nil && earlier.service == service
                || command.refers(to: earlier)
        }
        if isBehind { throw try keep(command, in: queue) }
        do throws(CLIError) {
            return try await send(request, key: command.key)
        } catch {
            guard error.isUndelivered else { throw error }
            throw try keep(command, in: queue)
        }
    }

    private func keep(_ command: QueuedCommand, in queue: CommandQueue) throws(CLIError) -> CLIError {
        let queued = try queue.add(command)
        if presentation.isQuiet, let subject = queued.subject { try output.line(subject.description) }
        let sync = configuration.reach.commandLine("daybook", "sync")
        return .queued("Queued as \(queued.number): '\(sync)' delivers it.")
    }

    /// The id of the record that `text` means. Where commands are queued, a whole id is not looked up: the service that
    /// has it may be away, and the one that is sent it looks itself.
    ///
    /// - Throws: what finding throws.
    func id<R: Resolvable>(of type: R.Type, _ text: String) async throws(CLIError) -> Identifier {
        if let id = wholeID(text) { return id }
        return try await lookedUp(type, text).id
    }

    /// The id that `text` is, where commands are queued; nil otherwise.
    func wholeID(_ text: String) -> Identifier? {
        queue == nil ? nil : Identifier(TextNormalizer.trimmedNormalized(text))
    }

    /// The record that `text` means; where it can't be looked up, the sentence says what works offline.
    func lookedUp<R: Resolvable>(_ type: R.Type, _ text: String) async throws(CLIError) -> R {
        do throws(CLIError) {
            return try await resolver.record(type, text)
        } catch {
            guard queue != nil, error.isUndelivered else { throw error }
            throw .unanswered(
                "\(error.description) So \(quoted(text)) can't be looked up, and nothing was queued: a whole id needs no "
                    + "look-up."
            )
        }
    }
}
