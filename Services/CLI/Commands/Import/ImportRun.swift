import Client
import Messages

/// Uploads batches, checks them where they are, and stores each in one transaction, Catalog's before Orders'.
///
/// Nothing is stored before every service has said that it would take its part. A batch that is uploaded again replaces
/// itself, and records that are there already are left alone, so that an import that was cut off is finished by the same
/// command.
struct ImportRun {
    let daybook: Invocation
    let batches: [ImportBatch]
    /// What the keys of the requests are made from, where it is given.
    let key: Identifier?
    private var progress: ImportProgress
    private var sent = 0

    init(_ batches: [ImportBatch], key: Identifier?, by daybook: Invocation) {
        self.daybook = daybook
        self.batches = batches
        self.key = key
        // Each batch is checked and stored.
        progress = ImportProgress(steps: batches.reduce(0) { $0 + $1.chunks.count + 2 })
    }

    /// Uploads all and asks each service what it would do.
    ///
    /// - Throws: what sending throws; nothing is stored then.
    mutating func prepare() async throws(CLIError) -> [ImportSummary] {
        defer { progress.clear() }
        // Before the first upload: whether all are there.
        for batch in batches { _ = try await daybook.send(StatusRequest(), to: batch.service) }
        for batch in batches {
            for (number, chunk) in batch.chunks.enumerated() {
                progress.show("uploading to \(batch.service)")
                let stage = ImportStage(batch: batch.id, chunk: number, entity: chunk.entity, items: chunk.items)
                _ = try await daybook.send(stage, to: batch.service, key: nextKey())
                progress.advance()
            }
        }
        var counts: [String: ImportCounts] = [:]
        for batch in batches {
            progress.show("checking \(batch.service)")
            counts.merge(try await commit(batch, dryRun: true)) { $1 }
            progress.advance()
        }
        return Self.summary(counts)
    }

    /// Stores all.
    ///
    /// - Throws: what sending throws, where nothing is stored; ``CLIError/failure(_:)`` where a part is.
    mutating func store() async throws(CLIError) -> [ImportSummary] {
        defer { progress.clear() }
        var counts: [String: ImportCounts] = [:]
        for batch in batches {
            progress.show("storing in \(batch.service)")
            do throws(CLIError) {
                counts.merge(try await commit(batch, dryRun: false)) { $1 }
            } catch {
                throw counts.isEmpty ? error : Self.partial(counts, batch.service, error)
            }
            progress.advance()
        }
        return Self.summary(counts)
    }

    private mutating func commit(_ batch: ImportBatch, dryRun: Bool) async throws(CLIError) -> [String: ImportCounts] {
        let request = ImportCommit(batch: batch.id, chunks: batch.chunks.count, dryRun: dryRun ? true : nil)
        // A large batch is one long transaction.
        let patient = daybook.waiting(daybook.configuration.timeout + .milliseconds(5 * batch.count))
        return try await patient.send(request, to: batch.service, key: nextKey()).counts
    }

    private mutating func nextKey() -> Identifier {
        defer { sent += 1 }
        return .made(by: key, sent)
    }

    private static func partial(_ counts: [String: ImportCounts], _ service: ServiceName, _ error: CLIError) -> CLIError
    {
        let stored = summary(counts).map {
            ImportSentence.plural($0.counts.total, $0.entity)
        }
        let reason = error.description
        let end = reason.hasSuffix(".") ? "" : "."
        return .failure(
            "\(stored.joined(separator: " and ")) are stored; the part of \(service) is not: \(reason)\(end) "
                + "The same command finishes it."
        )
    }

    /// In the order in which the files are read.
    private static func summary(_ counts: [String: ImportCounts]) -> [ImportSummary] {
        let first = [Customer.entity, SoldService.entity, Order.entity]
        let others = counts.keys.filter { !first.contains($0) }.sorted()
        return (first + others).compactMap { entity in
            counts[entity].map { ImportSummary(entity: entity, counts: $0) }
        }
    }
}
