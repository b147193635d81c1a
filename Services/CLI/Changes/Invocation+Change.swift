import CBOR
import Client
import Messages

extension Invocation {
    /// Makes a change so that repeating the command line with the same key has its effect once.
    ///
    /// A repetition may find other records than the first run did: the one that it renamed or deleted. A key that had
    /// its effect never runs again, so only where the change fails the first reply is asked for; it stands for the
    /// answer where `isSame` says that it is one to this very command line.
    ///
    /// - Parameters:
    ///   - command: what is sent under the key.
    ///   - perform: finds the records, and sends.
    /// - Throws: what `perform` throws, where the key had no such effect before.
    func change<Command: Request>(
        _ command: Command.Type,
        key: Identifier?,
        isSame: (Command.Reply) throws -> Bool,
        perform: () async throws(CLIError) -> Command.Reply
    ) async throws(CLIError) -> Command.Reply {
        do throws(CLIError) {
            return try await perform()
        } catch {
            if error.isUndelivered, queue == nil, configuration.isQueueing {
                throw .unanswered(
                    "\(error.description) It was not queued: only what is entered anew is; "
                        + "a change needs the record as it is."
                )
            }
            // Where nobody answers there is nobody to ask.
            guard let key, ![.unreachable, .queued].contains(error.processStatus) else { throw error }
            guard let first = await firstReply(to: command, key: key), (try? isSame(first)) == true else { throw error }
            return first
        }
    }

    /// What a command of this kind was answered with under the key; nil where there is no such answer.
    private func firstReply<Command: Request>(to command: Command.Type, key: Identifier) async -> Command.Reply? {
        let found = try? await send(GetReply(key: key), to: Command.service)
        guard let found, found.operation == Command.operation else { return nil }
        return try? found.reply.decode(Command.Reply.self)
    }
}
