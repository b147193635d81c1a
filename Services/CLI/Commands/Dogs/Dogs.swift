import ArgumentParser

/// The noun and its verbs.
struct Dogs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Who is walked.",
        subcommands: [DogsAdd.self, DogsList.self, DogsShow.self, DogsEdit.self, DogsDelete.self]
    )
}
