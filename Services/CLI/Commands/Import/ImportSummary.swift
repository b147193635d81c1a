import Messages

/// How many records of a kind an import made, changed, and found as they are.
struct ImportSummary: Sendable, Hashable {
    var entity: String
    var counts: ImportCounts
}

extension Noun where Row == ImportSummary {
    /// What an import did, in the formats for programs.
    static let importSummary = Noun(
        "import",
        plural: "import",
        summary: "What an import did to one kind of record.",
        fields: [
            .text("entity", "Kind", "What kind of record: customer, service, order.") { $0.entity },
            .integer("created", "Created", "How many are new.") { Int64($0.counts.created) },
            .integer("updated", "Changed", "How many were there and were changed.") { Int64($0.counts.updated) },
            .integer("unchanged", "Unchanged", "How many were there and were left as they are.") {
                Int64($0.counts.unchanged)
            },
        ]
    )
}

/// What people read of an import.
enum ImportSentence {
    static func done(_ summary: [ImportSummary]) -> String {
        if summary.allSatisfy({ $0.counts.created == 0 && $0.counts.updated == 0 }) {
            return "nothing changed: \(there(summary))"
        }
        return parts(summary, "imported", "changed")
    }

    static func planned(_ summary: [ImportSummary]) -> String {
        if summary.allSatisfy({ $0.counts.created == 0 && $0.counts.updated == 0 }) {
            return "nothing would change: \(there(summary))"
        }
        return parts(summary, "would import", "would change") + "; nothing was stored"
    }

    /// `93 customers, 77 services`, without those of which there is none.
    static func list(_ summary: [ImportSummary], _ count: KeyPath<ImportCounts, Int>) -> String {
        summary.filter { $0.counts[keyPath: count] > 0 }
            .map { plural($0.counts[keyPath: count], $0.entity) }
            .joined(separator: ", ")
    }

    static func plural(_ count: some BinaryInteger, _ entity: String) -> String {
        let noun = String(entity.map { $0 == "-" ? " " : $0 })
        return "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private static func there(_ summary: [ImportSummary]) -> String {
        let count = summary.reduce(Int128(0)) { $0 + Int128($1.counts.unchanged) }
        return "\(list(summary, \.unchanged)) \(count == 1 ? "is" : "are") already there"
    }

    private static func parts(_ summary: [ImportSummary], _ imported: String, _ changed: String) -> String {
        var parts: [String] = []
        let created = list(summary, \.created)
        let updated = list(summary, \.updated)
        if !created.isEmpty { parts.append("\(imported) \(created)") }
        if !updated.isEmpty { parts.append("\(changed) \(updated)") }
        if summary.contains(where: { $0.counts.unchanged > 0 }) { parts.append(there(summary)) }
        return parts.joined(separator: "; ")
    }
}

extension ImportCounts {
    /// All of them; a service may say any number.
    var total: Int128 { Int128(created) + Int128(updated) + Int128(unchanged) }
}
