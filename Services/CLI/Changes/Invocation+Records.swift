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
            isSame: { reply in try reply.id == record.id && edit.fieldMissing(in: reply) == nil },
            perform: { () async throws(CLIError) in
                try await deliver(Put(record), making: record.id, key: key)
            }
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
        var found: Identifier?
        let stored = try await change(
            Put<R>.self,
            key: key,
            isSame: { reply in
                // Under the name that it had before an edit there may be nobody now.
                let isMeant = found.map { $0 == reply.id } ?? true || reply.answers(to: text)
                return try isMeant && edit.fieldMissing(in: reply) == nil
            },
            perform: { () async throws(CLIError) in
                var record = try await resolver.record(R.self, text)
                found = record.id
                record = try edit.applied(to: record)
                // The service merges: what others changed since this version is theirs, unless it is given here.
                if let basedOn { record.version = basedOn }
                return try await put(record, edit, of: noun, key: key)
            }
        )
        try presentation.show(stored, of: noun)
    }

    /// Changes what the edit gives of a record as it was read, and returns what is stored then.
    ///
    /// The service merges: what others changed since is theirs, unless it is given here.
    func store<R: Record>(
        _ edit: RecordEdit<R>,
        of read: R,
        _ noun: Noun<R>,
        key: Identifier?
    ) async throws(CLIError) -> R {
        let record = try edit.applied(to: read)
        return try await change(
            Put<R>.self,
            key: key,
            isSame: { $0.id == record.id },
            perform: { () async throws(CLIError) in try await put(record, edit, of: noun, key: key) }
        )
    }

    private func put<R: Record>(
        _ record: R,
        _ edit: RecordEdit<R>,
        of noun: Noun<R>,
        key: Identifier?
    ) async throws(CLIError) -> R {
        let stored: R
        do throws(CLIError) {
            stored = try await send(Put(record), key: key)
        } catch {
            throw error.showing(record, of: noun)
        }
        // A value that was given and is that of the version before others' change is no change to the service.
        guard let field = try edit.fieldMissing(in: stored) else { return stored }
        let body = ErrorBody(
            code: Status.conflict.rawValue,
            message: "the \(noun.name) was changed meanwhile: \(field) has another value now",
            field: field,
            current: try? EncodedCBOR(encoding: stored)
        )
        throw CLIError.client(.refused(R.service, .conflict, body)).showing(record, of: noun)
    }

    /// Prints the record that `text` means, or meant at a moment, and where it is watched what becomes of it.
    func show<R: Resolvable>(
        _ text: String,
        of noun: Noun<R>,
        _ past: AsOfOptions? = nil,
        watch: Bool = false
    ) async throws(CLIError) {
        let selected = try noun.selected(presentation.fields)
        let moment = try past?.moment(of: R.service, watch: watch) ?? nil
        let record = try await resolver(asOf: moment).record(R.self, text)
        guard watch else { return try presentation.show(record, of: noun) }
        try await self.watch(record, as: noun) { presentation.text($0, of: noun, selected, $1) }
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
