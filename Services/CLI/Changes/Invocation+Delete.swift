import Client
import Messages

extension Invocation {
    /// Deletes the records that `texts` mean, and says so of each when its service did.
    ///
    /// All are found before the first is deleted; a terminal is asked once for all. The first refusal ends it, with what
    /// was deleted before printed.
    ///
    /// - Parameter describe: what the record is called in sentences: `the customer 'Ann Berg'`.
    func delete<R: Resolvable>(
        _ texts: [String],
        of noun: Noun<R>,
        yes: Bool,
        force: Bool? = nil,
        key: Identifier?,
        describe: @escaping @Sendable (R) -> String = {
            "the \(R.singular) \(quoted($0.resolvableName ?? "")) (\($0.id.tail(4)))"
        }
    ) async throws(CLIError) {
        var deleted = noun
        deleted.lines = Lines { "Deleted \(describe($0))." }
        var writer = try presentation.rowWriter(deleted)
        var found: [(text: String, key: Identifier?, record: R, isDone: Bool)] = []
        for (index, text) in texts.enumerated() {
            let key = Identifier.key(key, index)
            var isDone = true
            let record = try await change(
                Delete<R>.self,
                key: key,
                isSame: { $0.answers(to: text) },
                perform: { () async throws(CLIError) in
                    let record = try await resolver.record(R.self, text)
                    isDone = false
                    return record
                }
            )
            // Named twice is deleted once.
            if !found.contains(where: { $0.record.id == record.id }) { found.append((text, key, record, isDone)) }
        }
        try confirm(found.filter { !$0.isDone }.map { describe($0.record) }, yes: yes)
        var refusal: CLIError?
        for (text, key, record, isDone) in found {
            do throws(CLIError) {
                try writer.write(isDone ? record : try await delete(record, called: text, force: force, key: key))
                try output.flush()
            } catch {
                refusal = error
                break
            }
        }
        try writer.finish()
        if let refusal { throw refusal }
    }

    private func delete<R: Resolvable>(
        _ record: R,
        called text: String,
        force: Bool?,
        key: Identifier?
    ) async throws(CLIError) -> R {
        try await change(
            Delete<R>.self,
            key: key,
            isSame: { $0.answers(to: text) },
            perform: { () async throws(CLIError) in
                try await send(Delete<R>(id: record.id, force: force == true ? true : nil), key: key)
            }
        )
    }

    private func confirm(_ descriptions: [String], yes: Bool) throws(CLIError) {
        guard !descriptions.isEmpty else { return }
        let question =
            descriptions.count == 1
            ? "Delete \(descriptions[0])?"
            : "Delete these \(descriptions.count): \(descriptions.joined(separator: ", "))?"
        try Confirmation.ask(question, yes: yes)
    }
}
