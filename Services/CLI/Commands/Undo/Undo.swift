import ArgumentParser
import CBOR
import Client
import Messages

struct Undo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reverse what a command did, by a new command.",
        discussion: """
            Without a key it offers your last command. What was changed since is left alone: then it is a conflict. \
            Undoing an undo does it again.
            """,
        examples: ["daybook undo", "daybook undo 01a22bdd-2608-72a6-8464-b815f69cf05d --yes"]
    )

    @Argument(help: ArgumentHelp("The key of the command, as --key gave it or history shows it.", valueName: "key"))
    var command: KeyArgument?

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global)
        let found = try await find(daybook)
        let changes = try await daybook.changes(of: found)
        try Confirmation.ask("Undo \(changes) (\(found.key))?", yes: confirmation.yes)
        let reply = try await daybook.send(UndoCommand(key: found.key), to: found.service, key: change.key)
        try daybook.output.line("Undone: \(Self.sentence(reply.events)).")
    }

    /// A command, and the service that did it.
    struct Found {
        var service: ServiceName
        var key: Identifier
        /// Its last event; nil where only the key is known.
        var sequence: Int64?
    }

    private func find(_ daybook: Invocation) async throws(CLIError) -> Found {
        guard let key = command?.key else { return try await daybook.lastCommand() }
        for service in ServiceName.all {
            do throws(CLIError) {
                _ = try await daybook.send(GetReply(key: key), to: service)
                return Found(service: service, key: key)
            } catch {
                // Another service may have it.
                guard case .client(.refused(_, .notFound, _)) = error else { throw error }
            }
        }
        throw .failure("No command of yours with the key \(key) is kept; replies are kept for 7 days.")
    }

    /// `order.updated, customer.created` in words for a person: `an order updated, a customer created`.
    static func sentence(_ types: [String]) -> String {
        var counts: [(type: String, count: Int)] = []
        for type in types {
            if let index = counts.firstIndex(where: { $0.type == type }) {
                counts[index].count += 1
            } else {
                counts.append((type, 1))
            }
        }
        return counts.map { type, count in
            let words = type.split(separator: ".")
            let noun = (words.first ?? "").replacing("-", with: " ")
            return "\(count) \(noun)\(count == 1 ? "" : "s") \(words.last ?? "")"
        }.joined(separator: ", ")
    }
}

extension Invocation {
    /// The caller's last command that changed something, in whatever service.
    fileprivate func lastCommand() async throws(CLIError) -> Undo.Found {
        var latest: (found: Undo.Found, time: Instant)?
        var compacted: Undo.Found?
        for service in ServiceName.all {
            let listed = try await send(ListCommands(limit: 1), to: service).commands
            guard let command = listed.first else { continue }
            guard let event = try await events(through: command.sequence, count: 1, of: service).last else {
                compacted = Undo.Found(service: service, key: command.key)
                continue
            }
            if let latest, latest.time >= event.time { continue }
            latest = (Undo.Found(service: service, key: command.key, sequence: command.sequence), event.time)
        }
        // Its service says from when on events are kept.
        if latest == nil, let compacted { return compacted }
        guard let latest else { throw .failure("There is no command of yours to undo.") }
        return latest.found
    }

    /// What a command changed, in words.
    fileprivate func changes(of found: Undo.Found) async throws(CLIError) -> String {
        guard let sequence = found.sequence else { return "the command" }
        let events = try await events(through: sequence, count: 100, of: found.service)
        guard let last = events.last else { return "the command" }
        let types = events.filter { $0.transaction == last.transaction }.map(\.type)
        return "your last command, \(Undo.sentence(types))"
    }

    private func events(
        through sequence: Int64,
        count: Int64,
        of service: ServiceName
    ) async throws(CLIError) -> [Event] {
        let first = sequence > count ? sequence - count : 0
        let page = try await send(ReadEvents(sequence: first, limit: Int(sequence - first)), to: service)
        // The older of them are no longer kept: the younger half may be.
        if page.resync == .compacted, count > 1 {
            return try await events(through: sequence, count: count / 2, of: service)
        }
        do throws(CBORError) {
            var events: [Event] = []
            for event in page.events { events.append(try event.decode(Event.self)) }
            return events.filter { $0.sequence <= sequence }
        } catch {
            throw .failure("The events of \(service) can't be read: \(error).")
        }
    }
}
