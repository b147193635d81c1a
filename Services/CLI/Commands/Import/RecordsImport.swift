import Messages

/// Imports one file of records.
struct RecordsImport {
    let daybook: Invocation
    /// The path, or `-` for standard input.
    let path: String
    let reading: ImportReading

    /// What problems call the file: its name without the folders.
    private var file: String {
        path == "-"
            ? "standard input" : String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }

    /// What is to be sent, all of it checked.
    struct Plan {
        var batches: [ImportBatch]
        /// How many records are not there yet.
        var newCount: Int
    }

    /// - Throws: ``CLIError/failure(_:)`` that lists what is wrong with the file; what asking for the records throws.
    func plan(_ noun: ExchangeNoun) async throws(CLIError) -> Plan {
        switch noun {
        case .customers: try await plan(.customer)
        case .services: try await plan(.service)
        case .types: try await plan(.recipeType)
        }
    }

    private func plan<R: Resolvable>(_ form: ExchangeForm<R>) async throws(CLIError) -> Plan {
        guard let bytes = try File.contents(path == "-" ? "/dev/stdin" : path) else {
            throw .failure("There is no file \(quoted(path)).")
        }
        var problems = ImportProblems()
        let table = try ImportTable(bytes, file: file, targets: form.targets, reading: reading, problems: &problems)
        for note in table.notes { StandardError.write("Note: \(note)\n") }
        // What can't be read is told before anybody is asked.
        if table.rows.isEmpty, let error = problems.error { throw error }
        guard !table.rows.isEmpty else { throw .failure("Nothing was imported: \(quoted(file)) has no records.") }
        let known = try await KnownRecords<R>(askedBy: daybook)
        let reader = RecordReader(form, table, known: known, reading: reading, problems: problems)
        if let error = reader.problems.error { throw error }
        var hash = ContentHash()
        hash.add(R.entity.utf8)
        hash.add(bytes)
        var batch = ImportBatch(R.service, of: hash.identifier)
        try batch.add(reader.items)
        return Plan(batches: [batch], newCount: reader.newCount)
    }
}
