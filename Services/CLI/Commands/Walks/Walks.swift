import ArgumentParser

/// The noun and its verbs.
struct Walks: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "When which dogs were walked.",
        subcommands: [
            WalksAdd.self, WalksStart.self, WalksStop.self, WalksList.self, WalksShow.self, WalksEdit.self,
            WalksDelete.self,
        ]
    )
}
