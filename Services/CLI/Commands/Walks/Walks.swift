import ArgumentParser

/// The noun and its verbs.
struct Walks: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "When which dog was walked.",
        subcommands: [WalksAdd.self, WalksList.self, WalksShow.self, WalksEdit.self, WalksDelete.self]
    )
}
