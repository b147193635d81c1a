import ArgumentParser

/// The noun and its verbs.
struct Projection: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What services keep of each other's data.",
        subcommands: [ProjectionRebuild.self, ProjectionHash.self]
    )
}

/// Whose copy of whose data.
struct ProjectionArguments: ParsableArguments {
    @Argument(
        help: "The service that keeps it: catalog, orders, reporting.",
        completion: .list(["catalog", "orders", "reporting"])
    )
    var service: String

    @Option(
        help: ArgumentHelp("Only what it keeps of this service's data.", valueName: "service"),
        completion: .list(["catalog", "orders"])
    )
    var source: String?
}
