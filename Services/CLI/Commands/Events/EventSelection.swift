import ArgumentParser
import Client
import Messages

/// Options of commands that follow events.
struct EventOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only the events of this service; may be repeated.", valueName: "service"),
        completion: .list(EventSelection.services.map(\.rawValue))
    )
    var source: [String] = []

    @Option(
        help: ArgumentHelp("Only this type, as order.created, or all of order; may be repeated.", valueName: "type"),
        completion: .list(EventSelection.types)
    )
    var type: [String] = []

    @Option(
        name: .customLong("subject"),
        help: ArgumentHelp("Only the events of the record with this id.", valueName: "uuid")
    )
    var subjectArgument: KeyArgument?

    /// The record whose events are wanted.
    var subject: Identifier? { subjectArgument?.key }

    @Option(
        help: ArgumentHelp(
            "Where to begin: start, now, or behind a position, as orders:120,catalog:33.",
            valueName: "position"
        ),
        completion: .list(["start", "now"])
    )
    var from: EventStart?
}

/// Which events of which services.
struct EventSelection: Sendable, Hashable {
    /// Each once, in the order in which they were asked for.
    var sources: [ServiceName]
    /// `order.created`, or `order` for all of an entity; empty for all.
    var types: [String]
    var subject: Identifier?

    /// The services that keep records.
    static let services = entities.map(\.service).reduce(into: [ServiceName]()) {
        if !$0.contains($1) { $0.append($1) }
    }

    static let types =
        entities.flatMap {
            [$0.name] + ["created", "updated", "deleted"].map { [name = $0.name] in "\(name).\($0)" }
        } + ["\(Customer.entity).erased"]

    private static let entities: [(name: String, service: ServiceName)] = [
        entity(Customer.self), entity(SoldService.self), entity(Recipe.self), entity(RecipeType.self),
        entity(Order.self), entity(Dog.self), entity(Walk.self),
    ]

    private static func entity<R: Record>(_ type: R.Type) -> (name: String, service: ServiceName) {
        (R.entity, R.service)
    }

    init(sources: [ServiceName], types: [String] = [], subject: Identifier? = nil) {
        self.sources = sources
        self.types = types
        self.subject = subject
    }

    /// What the options say. Sources that are not named are those of the positions, else those of the types, else all.
    ///
    /// - Throws: ``CLIError/usage(_:)`` for a service or type that there is not.
    init(_ options: EventOptions) throws(CLIError) {
        for type in options.type where !Self.types.contains(type) {
            let end = Suggestion.nearest(to: type, among: Self.types).map { "did you mean '\($0)'?" }
            let known =
                "there are \(Self.entities.map(\.name).joined(separator: ", ")), each with .created, .updated, .deleted."
            throw .usage("No type \(quoted(type)); \(end ?? known)")
        }
        let typed = Self.entities.filter { entity in
            options.type.contains { $0.prefix { $0 != "." } == entity.name }
        }.map(\.service)
        var sources: [ServiceName] = []
        for text in options.source { sources.append(try ServiceName.named(text)) }
        if sources.isEmpty { sources = options.from?.services ?? [] }
        if sources.isEmpty { sources = typed.isEmpty ? Self.services : typed }
        for type in options.type {
            for entity in Self.entities where entity.name == type.prefix(while: { $0 != "." }) {
                guard !sources.contains(entity.service) else { continue }
                throw .usage("\(type) is of \(entity.service), which is no --source.")
            }
        }
        self.init(
            sources: sources.reduce(into: []) { if !$0.contains($1) { $0.append($1) } },
            types: options.type,
            subject: options.subject
        )
    }

    /// Those whose events are needed; nil for all.
    var entities: Set<String>? {
        types.isEmpty ? nil : Set(types.map { String($0.prefix { $0 != "." }) })
    }

    func contains(_ event: Event) -> Bool {
        (types.isEmpty || types.contains(event.type) || types.contains(event.entity))
            && (subject == nil || subject == event.subject)
    }
}
