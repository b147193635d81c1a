import ArgumentParser
import Client

struct KeysList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys: whose, what they may do, and which were revoked.",
        examples: ["daybook keys list", "daybook keys list --format json"]
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws {
        let daybook = try Invocation(global, output)
        try daybook.presentation.list(KeyFolder(path: daybook.configuration.keys).rows(), of: .key)
    }
}
