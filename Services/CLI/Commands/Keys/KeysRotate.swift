import ArgumentParser
import Client
import Messages

struct KeysRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Give a name another key, with the same role.",
        discussion: "The one before is allowed no more. A service listens under its new key at once, and whoever finds "
            + "keys in this folder goes on by itself; others need the new public/NAME.key. A person or program needs "
            + "the new NAME.key_secret.",
        examples: ["daybook keys rotate catalog", "daybook keys rotate anna"]
    )

    @Argument(help: "Whose key.")
    var name: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global)
        let file = try KeyFolder(path: daybook.configuration.keys).rotate(name)
        try await daybook.putInForce("\(file.name) has another key") { service, keys in
            keys.keys.contains { $0.publicKey == file.publicKey }
                && (service.rawValue != file.name || keys.own == file.publicKey)
        }
    }
}
