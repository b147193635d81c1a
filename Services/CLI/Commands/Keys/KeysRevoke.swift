import ArgumentParser
import Client
import Messages

struct KeysRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take a key's permission away, at once.",
        discussion:
            "When this is done, requests with the key are refused over open connections too, and it hears no event "
            + "any more. Its name is not given again. The exit code is 3 where a service did not confirm it.",
        examples: ["daybook keys revoke anna"]
    )

    @Argument(help: "Whose key.")
    var name: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global)
        try KeyFolder(path: daybook.configuration.keys).revoke(name)
        let name = name
        try await daybook.putInForce("The key '\(name)' is revoked") { _, keys in
            !keys.keys.contains { $0.name == name }
        }
    }
}
