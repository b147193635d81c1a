import CBOR
import Client
import Messages

extension Invocation {
    /// Stores a new record, and prints it as `show` does.
    ///
    /// - Parameters:
    ///   - blank: the record with its id, which comes from the key.
    ///   - edit: its fields.
    func add<R: Record>(
        _ blank: R,
        _ edit: RecordEdit<R>,
        of noun: Noun<R>,
        key: Identifier?
    ) async throws(CLIError) {
        _ = try noun.selected(presentation.fields)
        let record = try edit.applied(to: blank)
        let stored = try await change(
            Put<R>.self,
            key: key,
            isSame: { reply in try reply.id == record.id && edit.isIn(reply) },
            perform: { () async throws(CLIError) in try await send(Put(record), key: key) }
        )
        try presentation.show(stored, of: noun)
    }

    /// Changes what the edit gives of the record that `text` means, and prints it as `show` does.
    ///
    /// Where somebody else changes the same field meanwhile, or since the version `basedOn`, both values are in the
    /// error's sentence.
    func edit<R: Resolvable>(
        _ text: String,
        _ edit: RecordEdit<R>,
        of noun: Noun<R>,
        basedOn: Int?,
        key: Identifier?
    ) async throws(CLIError) {
        guard !edit.isEmpty else { throw .usage("Nothing to change was given; --help lists what can be.") }
        _ = try noun.selected(presentation.fields)
        let stored = try await change(
            Put<R>.self,
            key: key,
            isSame: { reply in
                try Identifier(text) ?? reply.id == reply.id && edit.isIn(reply)
            },
            perform: { () async throws(CLIError) in
                var record = try edit.applied(to: try await resolver.record(R.self, text))
                // The service merges: what others changed since this version is theirs, unless it is given here.
                if let basedOn { record.version = basedOn }
                do throws(CLIError) {
                    return try await send(Put(record), key: key)
                } catch {
                    throw error.showing(record, of: noun)
                }
            }
        )
        try presentation.show(stored, of: noun)
    }

    /// Prints the record that `text` means.
    func show<R: Resolvable>(_ text: String, of noun: Noun<R>) async throws(CLIError) {
        _ = try noun.selected(presentation.fields)
        try presentation.show(try await resolver.record(R.self, text), of: noun)
    }
}

extension CLIError {
    /// A conflict with both values of the field behind its sentence; any other error as it is.
    fileprivate func showing<R: Record>(_ mine: R, of noun: Noun<R>) -> CLIError {
        guard case .client(.refused(let service, .conflict, var body)) = self, let current = body.current,
            let theirs = try? current.decode(R.self), let name = body.field?.split(separator: "/").first,
            let field = noun.fields.first(where: { $0.declaration.name == name })
        else { return self }
        let cells = CellText.current
        for (title, record) in [("yours", mine), ("stored", theirs)] {
            let text = cells.text(field.value(record), idDigits: nil)
            body.message += "\n  \(title): \(text.isEmpty ? "(none)" : text)"
        }
        return .client(.refused(service, .conflict, body))
    }
}
