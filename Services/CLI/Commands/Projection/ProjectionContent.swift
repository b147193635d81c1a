import Messages

/// What a service keeps of another's data, as a number; after a rebuild with that of before.
struct ProjectionContent: Sendable, Equatable {
    /// How a rebuild left it.
    enum Outcome: String, Sendable {
        /// The same content from the same events.
        case identical
        /// Another content from the same events.
        case different
        /// The source went on meanwhile: two contents of different events can't be compared.
        case advanced
        /// There was nothing whole to compare with.
        case built
    }

    var service: ServiceName
    var source: ServiceName
    /// How far the source's log is in it; 0 for nothing of it.
    var sequence: Int64
    var content: HashProjection.Reply
    /// Before the rebuild; nil without one, or where it was not whole.
    var before: HashProjection.Reply?
    /// nil without a rebuild.
    var outcome: Outcome?

    /// 16 hexadecimal digits.
    static func text(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// `reporting: catalog identical (hash 00f1e2d3c4b5a697, 120 rows)`.
    var line: String {
        let now = Self.told(content)
        let words =
            switch outcome {
            case nil: "through \(sequence) (\(now))"
            case .identical: "identical (\(now))"
            case .built: "built (\(now))"
            case .advanced: "built (\(now)); \(source) went on meanwhile, so that it can't be compared: run it again"
            case .different: "differs (\(now); before: \(before.map(Self.told) ?? "nothing"))"
            }
        return "\(service): \(source) \(words)"
    }

    private static func told(_ content: HashProjection.Reply) -> String {
        "hash \(text(content.hash)), \(content.rows) row\(content.rows == 1 ? "" : "s")"
    }
}

extension Noun where Row == ProjectionContent {
    static let projection = Noun(
        "projection",
        plural: "projections",
        summary: "What a service keeps of another's data.",
        fields: [
            .text("service", "Service", "Who keeps it.") { $0.service.rawValue },
            .text("source", "Source", "Whose data.") { $0.source.rawValue },
            .integer("sequence", "Sequence", "The last event of the source in it.") { $0.sequence },
            .text("hash", "Hash", "Its content as 16 hexadecimal digits.") { ProjectionContent.text($0.content.hash) },
            .integer("rows", "Rows", "How many rows.") { $0.content.rows },
            .text("outcome", "Outcome", "Of a rebuild: identical, different, advanced, or built.") {
                $0.outcome?.rawValue
            },
            .text("hashBefore", "Hash before", "The content before a rebuild, where it was whole.") {
                $0.before.map { ProjectionContent.text($0.hash) }
            },
            .integer("rowsBefore", "Rows before", "How many rows before a rebuild.") { $0.before?.rows },
        ],
        lines: Lines { $0.line }
    )
}
