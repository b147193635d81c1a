import ArgumentParser
import CBOR
import Client
import Messages

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show who changed what in a record, when, from what to what.",
        discussion: "The newest first; a deleted record has one, too, by its whole id. The key is that of the command, "
            + "which 'daybook undo' reverses.",
        examples: ["daybook history customers 'Ann Berg'", "daybook history orders 12 --format json"]
    )

    @Argument(
        help: ArgumentHelp("One of \(HistoryNoun.all.map(\.plural).joined(separator: ", ")).", valueName: "noun"),
        completion: .list(HistoryNoun.all.map(\.plural))
    )
    var noun: String

    @Argument(help: "The record, as 'show' takes it.")
    var record: String

    @Option(help: ArgumentHelp("Show at most this many changes.", valueName: "count"))
    var limit: Int?

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is \(limit): it must be 1 or more.") }
    }

    func run() async throws {
        let noun = try HistoryNoun.named(noun)
        let daybook = try Invocation(global, output)
        var writer = try daybook.presentation.rowWriter(Noun.historyEntry)
        let subject = try await noun.find(daybook.resolver, record)
        var left = limit ?? .max
        var before: Int64?
        var isEmpty = true
        var since: Instant?
        while left > 0 {
            let request = ReadHistory(subject: subject, before: before, limit: min(left, 100))
            let page = try await daybook.send(request, to: noun.service)
            for (index, encoded) in page.events.enumerated() {
                let key = page.keys.flatMap { index < $0.count ? $0[index] : nil }
                let entry = try HistoryEntry(encoded, of: noun.service, key: key)
                try writer.write(entry)
                before = entry.event.sequence
                isEmpty = false
            }
            left -= page.events.count
            since = page.since
            if !page.more || page.events.isEmpty { break }
        }
        if isEmpty, since == nil { throw CLIError.notFound(noun: noun.singular, text: record, suggestion: nil) }
        try writer.finish()
        if let since {
            try daybook.output.flush()
            let time = CellText.current.text(.instant(since), idDigits: nil)
            StandardError.write("Older events are no longer kept: they go back to \(time).\n")
        }
    }
}

/// A kind of record whose history can be asked for.
struct HistoryNoun: Sendable {
    var singular: String
    var plural: String
    var service: ServiceName
    /// The id of the record that a text means; a whole UUID is taken as it is, because the record may be deleted.
    var find: @Sendable (Resolver, String) async throws(CLIError) -> Identifier

    static let all = [
        of(.customer), of(.service), of(.recipe), of(.recipeType), of(.order), of(.dog), of(.walk),
    ]

    private static func of<R: Resolvable>(_ noun: Noun<R>) -> HistoryNoun {
        HistoryNoun(singular: noun.name, plural: noun.plural, service: R.service) { resolver, text throws(CLIError) in
            if let id = Identifier(text) { return id }
            return try await resolver.record(R.self, text).id
        }
    }

    /// - Throws: ``CLIError/usage(_:)``.
    static func named(_ text: String) throws(CLIError) -> HistoryNoun {
        if let noun = all.first(where: { $0.plural == text || $0.singular == text }) { return noun }
        let known = all.map(\.plural)
        let end = Suggestion.nearest(to: text, among: known).map { "did you mean '\($0)'?" }
        throw .usage("No noun \(quoted(text)); " + (end ?? "there are \(known.joined(separator: ", "))."))
    }
}

/// One change of a record.
struct HistoryEntry: Sendable {
    var event: Event
    var service: ServiceName
    /// The command's.
    var key: Identifier?

    /// - Throws: ``CLIError/client(_:)``.
    init(_ encoded: EncodedCBOR, of service: ServiceName, key: Identifier?) throws(CLIError) {
        do throws(CBORError) {
            event = try encoded.decode(Event.self)
        } catch {
            throw .client(.malformedReply(service, "in an event: \(error)"))
        }
        self.service = service
        self.key = key
    }

    var position: String { "\(service):\(event.sequence)" }
}

extension Noun where Row == HistoryEntry {
    static let historyEntry = Noun(
        "change",
        plural: "changes",
        summary: "One change of a record.",
        fields: [
            .instant("time", "Time", "When.") { $0.event.time },
            .text("type", "What", "Created, updated, or deleted.") { $0.event.type },
            .integer("version", "Version", "The record's version after it.") { Int64($0.event.version) },
            .text("principal", "Who", "Whose key made it, where that is known.") { $0.event.principal },
            .text("position", "Position", "Its place: a service and its number.") { $0.position },
            .id("key", "Key", "The command's key, which undo takes.") { $0.key },
            .text("cause", "Cause", "The event of another service that it follows from.") { $0.event.cause },
            .list("changes", "Changes", "The fields that changed.", of: Noun<FieldChange>.fieldChange.fields) {
                FieldChange.all(of: $0.event)
            },
        ],
        lines: Lines { entry in
            let event = entry.event
            var words = [CellText.current.text(.instant(event.time), idDigits: nil), CellText.escaped(event.type)]
            words.append(entry.position)
            if let principal = event.principal { words.append("by \(CellText.escaped(principal))") }
            if let cause = event.cause { words.append("because of \(CellText.escaped(cause))") }
            if let key = entry.key { words.append("key \(key)") }
            return ([words.joined(separator: "  ")] + FieldChange.all(of: event).map { "  \($0.text)" })
                .joined(separator: "\n")
        }
    )
}

extension Noun where Row == FieldChange {
    static let fieldChange = Noun(
        "field",
        plural: "fields",
        summary: "A field that changed.",
        fields: [
            .text("field", "Field", "Its name on the wire.") { $0.field },
            .text("from", "From", "What it was; null where there was nothing.") { $0.from.map(FieldChange.plain) },
            .text("to", "To", "What it is; null where there is nothing.") { $0.to.map(FieldChange.plain) },
        ]
    )
}
