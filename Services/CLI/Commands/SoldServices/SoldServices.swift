import ArgumentParser

/// The noun `services` and its verbs. In the code they are sold services, to tell them from the programs.
struct SoldServices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "services",
        abstract: "What is sold.",
        subcommands: [
            SoldServicesAdd.self, SoldServicesList.self, SoldServicesShow.self, SoldServicesEdit.self,
            SoldServicesDelete.self,
        ]
    )
}
