import ArgumentParser
import Messages

struct Rollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Return stores to the copies from before an upgrade, and tell what is lost.",
        discussion:
            "A newer program keeps a copy of a store before it changes its schema: <store>.before-<schema>. Alone, this "
            + "command shows which there are, and what was entered since; nothing is changed then, and the services may "
            + "run. With services, or --all, their stores are returned to the newest copies while they are down. What was "
            + "there is kept beside them, as <store>.before-rollback-<time>. Each store that is put back begins a log of "
            + "its own: whoever followed it starts anew. Afterwards start the release that the copy is of, since a newer "
            + "one would change the store again.",
        examples: [
            "daybook rollback", "daybook rollback orders --dry-run", "daybook rollback orders catalog",
            "daybook rollback --all --yes", "daybook rollback orders --before 3",
        ]
    )

    @Argument(
        help: "Whose stores are returned: catalog, orders, reporting, walks.",
        completion: .list(ServiceName.all.map(\.rawValue))
    )
    var services: [String] = []

    @Flag(help: "Return all stores of which there is a copy.")
    var all = false

    @Option(help: ArgumentHelp("The copy from before this schema, instead of the newest.", valueName: "schema"))
    var before: Int?

    @Flag(help: "Show what would be lost, and stop.")
    var dryRun = false

    @Option(help: ArgumentHelp("Name at most this many records of each store; JSON has all.", valueName: "count"))
    var limit = 20

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    mutating func validate() throws {
        if limit < 1 { throw ValidationError("--limit is \(limit): it must be 1 or more.") }
        if all, !services.isEmpty { throw ValidationError("Name services, or say --all.") }
        if services.isEmpty, !all, confirmation.yes || dryRun || before != nil {
            throw ValidationError("Say whose store is returned: a service, or --all.")
        }
        if before != nil, services.count != 1 { throw ValidationError("--before is for one service.") }
    }

    func run() async throws {
        let names = try services.map { text throws(CLIError) in try ServiceName.named(text) }
        let daybook = try Invocation(global, output)
        _ = try Noun.keptCopy.selected(daybook.presentation.fields)
        let home = daybook.configuration.home
        guard all || !names.isEmpty else {
            let places = ServiceName.all.flatMap { KeptCopy.Place.all(of: $0, home: home) }
            return try daybook.showCopies(places.map { KeptCopy($0) }, limit: limit)
        }
        let places = all ? try KeptCopy.Place.newest(home: home) : try daybook.places(of: names, before: before)
        if dryRun { return try daybook.showCopies(places.map { KeptCopy($0) }, limit: limit) }
        try daybook.rollBack(to: places, limit: limit, yes: confirmation.yes)
    }
}
