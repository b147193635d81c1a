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
        await waitUntilForgotten(from: R.service)
        try presentation.list(
            CollectionOfOne(ErasureRow(id: id, wasErased: reply.wasErased, copies: reply.copies)),
            of: noun
        )
    }

    /// Waits until the files of the services are free of what was erased, some seconds at most; says where they are not.
    private func waitUntilForgotten(from origin: ServiceName) async {
        let asking = waiting(atMost: .milliseconds(500))
        var left = ServiceName.all
        var silent: [ServiceName] = []
        guard let sequence = try? await asking.send(StatusRequest(), to: origin).sequence else { return }
        let deadline = Instant.now().advanced(by: .seconds(10))
        while !left.isEmpty, Instant.now() < deadline {
            var still: [ServiceName] = []
            for service in left {
                guard let status = try? await asking.send(StatusRequest(), to: service) else {
                    silent.append(service)
                    continue
                }
                // Those that follow the origin learn of it first.
                let knows = status.sources.allSatisfy {
                    $0.service != origin || $0.state != .live || $0.sequence >= sequence
                }
                if status.erasing == true || !knows { still.append(service) }
            }
            left = still
            if !left.isEmpty { try? await Task.sleep(for: .milliseconds(100)) }
        }
        func names(_ services: [ServiceName]) -> String { services.map(\.rawValue).joined(separator: ", ") }
        if !silent.isEmpty {
            StandardError.write("No answer from \(names(silent)): what they hold of it goes when they run again.\n")
        }
        if !left.isEmpty {
            StandardError.write("The files of \(names(left)) may hold it a while longer: see 'daybook status'.\n")
        }
    }
}
