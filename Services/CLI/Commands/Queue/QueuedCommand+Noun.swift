import Messages

/// A queued command as it is shown.
struct QueuedCommandRow: Sendable {
    var command: QueuedCommand
    /// The refused command that it depends on, directly or through others.
    var holder: Int?
    /// The numbers of those that depend on it.
    var dependants: [Int]

    /// All of a queue, in its order.
    static func rows(of commands: [QueuedCommand]) -> [QueuedCommandRow] {
        var stopped: [QueuedCommand] = []
        return commands.map { command in
            let holder = command.refusal == nil ? stopped.first(where: command.depends) : nil
            if command.refusal != nil || holder != nil { stopped.append(command) }
            return QueuedCommandRow(
                command: command,
                holder: holder?.number,
                dependants: commands.filter { $0.depends(on: command) }.map(\.number)
            )
        }
    }

    var state: String {
        if command.refusal != nil { return "refused" }
        return holder.map { "held back by \($0)" } ?? "waiting"
    }
}

extension Noun where Row == QueuedCommandRow {
    static let queuedCommand = Noun(
        "queued command",
        plural: "queued commands",
        summary: "A command that could not be delivered yet.",
        fields: [
            .integer("number", "No.", "Its place in the queue.") { Int64($0.command.number) },
            .text("state", "State", "waiting, refused, or held back by another one.") { $0.state },
            .instant("time", "Queued", "When it was queued.") { $0.command.time },
            .text("service", "Service", "Who is to do it.") { $0.command.service.rawValue },
            .text("command", "Command", "What was typed.") { $0.command.line },
            .text("reason", "Why", "Why it was refused.") { $0.command.refusal?.reason },
            .text("status", "Status", "The kind of refusal, as services say it.", inTable: false) {
                $0.command.refusal?.status.rawValue
            },
            .text("dependants", "Depending", "The numbers of those that depend on it.", inTable: false) { row in
                row.dependants.isEmpty ? nil : row.dependants.map(String.init).joined(separator: ", ")
            },
            .text("operation", "Operation", "The operation's name.", inTable: false) { $0.command.operation },
            .id("record", "Record", "The id of what it makes, if anything.", inTable: false) { $0.command.subject },
            .id("key", "Key", "Its idempotency key.", inTable: false) { $0.command.key },
            .text("body", "Content", "What is sent, as JSON.", inTable: false) { GenericJSON.text($0.command.body) },
        ],
        id: { $0.command.subject ?? $0.command.key }
    )
}
