import CBOR
import LiveList
import Messages

/// Prints a live list as JSON lines: the snapshot, each batch, and a resync before a new snapshot.
///
///     {"snapshot":{"sections":[{"key":null,"rows":[{…}]}]},"number":4}
///     {"batch":{"sections":{"delete":[],"insert":[]},"delete":[],"insert":[{"to":[0,1],"row":{…}}],"move":[],"update":[]},"base":4,"number":5}
///     {"resync":"restart"}
///
/// Paths and order are those of `ListBatch`. Each line is written at once.
struct WatchLines<Row: Decodable & Sendable> {
    let fields: [Field<Row>]
    let output: Output

    /// - Throws: ``CLIError/malformed(_:)`` for a row that can't be read, and as ``Output/write(_:)``.
    func print(_ step: WatchedList<Row>.Step) throws(CLIError) {
        guard let text = text(step) else { return }
        try output.line(text)
        try output.flush()
    }

    private func text(_ step: WatchedList<Row>.Step) -> String? {
        switch step {
        case .snapshot(let results):
            let sections = results.sections.map { section in
                object([("key", GenericJSON.text(section.key)), ("rows", array(section.rows.map(row)))])
            }
            return object([("snapshot", object([("sections", array(sections))])), ("number", "\(results.number)")])
        case .batch(let batch, let results):
            return object([
                ("batch", self.batch(batch, results)), ("base", "\(batch.base)"), ("number", "\(batch.number)"),
            ])
        case .same: return nil
        case .resync(let reason): return object([("resync", GenericJSON.string(reason))])
        }
    }

    /// The rows of the batch stand in the results behind it.
    private func batch(_ batch: ListBatch, _ results: FetchedResults<Row>) -> String {
        func to(_ path: ListPath) -> [(String, String)] {
            [("to", self.path(path)), ("row", results[path].map(row) ?? "null")]
        }
        func change(_ change: ListBatch.Change) -> String { object([("from", path(change.from))] + to(change.to)) }
        let sections = object([
            ("delete", array((batch.sections?.delete ?? []).map(String.init))),
            (
                "insert",
                array(
                    (batch.sections?.insert ?? []).map {
                        object([("at", "\($0.at)"), ("key", GenericJSON.text($0.key))])
                    }
                )
            ),
        ])
        return object([
            ("sections", sections),
            ("delete", array((batch.delete ?? []).map(path))),
            ("insert", array((batch.insert ?? []).map { object(to($0.to)) })),
            ("move", array((batch.move ?? []).map(change))),
            ("update", array((batch.update ?? []).map(change))),
        ])
    }

    private func row(_ row: Row) -> String {
        JSONText.object(fields.map(\.declaration), fields.map { $0.value(row) }, indentation: nil)
    }

    private func path(_ path: ListPath) -> String { "[\(path.section),\(path.item)]" }

    private func array(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }

    private func object(_ members: [(String, String)]) -> String {
        GenericJSON.object(members.map { (key: $0.0, value: $0.1) })
    }
}
