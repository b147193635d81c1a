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
        case .recipes: try await plan(.recipe)
        case .orders: try await plan(.order)
        case .dogs: try await plan(.dog)
        case .walks: try await plan(.walk)
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
        var referred: [String: ReferredRecords] = [:]
        for kind in form.references {
            referred[kind.entity] = ReferredRecords(kind, known: try await kind.load(daybook))
        }
        let reader = RecordReader(
            form,
            table,
            known: known,
            referred: referred,
            reading: reading,
            problems: problems
        )
        if let error = reader.problems.error { throw error }
        return try plan(reader, bytes)
    }

    /// What each service takes: no record may refer to what isn't there, so that Catalog's part is the first.
    private func plan<R: Resolvable>(_ reader: RecordReader<R>, _ bytes: [UInt8]) throws(CLIError) -> Plan {
        var hash = ContentHash()
        hash.add(R.entity.utf8)
        hash.add(bytes)
        var plan = Plan(batches: [], newCount: reader.newCount)
        for service in [ServiceName.catalog, .orders, .walks] {
            var batch = ImportBatch(service, of: hash.identifier)
            for records in reader.referred where records.referred.service == service && !records.new.isEmpty {
                try records.referred.add(records.new, &batch)
                plan.newCount += records.new.count
            }
            if R.service == service { try batch.add(reader.items) }
            if batch.count > 0 { plan.batches.append(batch) }
        }
        return plan
    }
}
