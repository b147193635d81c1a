import Client
import Messages
import Text

/// What an erasure is printed as.
struct ErasureRow: Sendable {
    var id: Identifier
    var wasErased: Bool
    var copies: [String]
}

extension Noun where Row == ErasureRow {
    /// Erasures of records of one kind, told in sentences.
    static func erasure(of noun: String) -> Noun {
        Noun(
            "erasure",
            plural: "erasures",
            summary: "What was erased, and where it may still be.",
            fields: [
                .id("id", "Id", "The record's UUID, which stays.") { $0.id },
                .boolean("wasErased", "Before", "Whether it was erased before already.") { $0.wasErased },
                .list(
                    "copies",
                    "Copies",
                    "Files that may still hold it: copies of stores from before a schema was changed.",
                    of: [.text("path", "Path", "Where it lies, on the service's machine.") { (path: String) in path }]
                ) { $0.copies },
            ],
            id: \.id,
            lines: Lines { row in
                let told = row.wasErased ? "was erased before: nothing was left" : "is erased"
                var text = "The \(noun) \(row.id.tail(4)) \(told)."
                if !row.copies.isEmpty {
                    text += "\nThese copies may still hold it; delete them when they are no longer needed:"
                    for copy in row.copies { text += "\n  \(TerminalText.escapedForTerminal(copy))" }
                }
                return text
            }
        )
    }
}

extension Invocation {
    /// Erases the record that `text` means, and says so.
    ///
    /// A whole id is asked for nothing first: the record may have been deleted.
    func erase<R: Resolvable>(_ type: R.Type, _ text: String, yes: Bool, key: Identifier?) async throws(CLIError) {
        let noun = Noun<ErasureRow>.erasure(of: R.singular)
        _ = try noun.selected(presentation.fields)
        var found: Identifier?
        let reply = try await change(
            Erase<R>.self,
            key: key,
            isSame: { $0.record?.answers(to: text) ?? false },
            perform: { () async throws(CLIError) in
                let id: Identifier
                let description: String
                if let whole = Identifier(text) {
                    (id, description) = (whole, whole.description)
                } else {
                    let record = try await resolver.record(R.self, text)
                    (id, description) = (record.id, "\(quoted(record.resolvableName ?? "")) (\(record.id.tail(4)))")
                }
                try Confirmation.ask("Erase the \(R.singular) \(description)? This can't be undone.", yes: yes)
                found = id
                return try await send(Erase<R>(id: id), key: key)
            }
        )
        guard let id = reply.record?.id ?? found else { return }
        try presentation.list(
            CollectionOfOne(ErasureRow(id: id, wasErased: reply.wasErased, copies: reply.copies)),
            of: noun
        )
    }
}
