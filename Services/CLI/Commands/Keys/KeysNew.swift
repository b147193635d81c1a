import ArgumentParser
import Client
import Messages

struct KeysNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make a key, and allow it.",
        discussion: "Writes NAME.key_secret, which goes to whoever has that name and to nobody else, and "
            + "public/NAME.key, by which the services know it. Nothing is ever overwritten. A reader asks and listens, a "
            + "writer changes things too, and service is for services and for who keeps them.",
        examples: [
            "daybook keys new anna --role writer",
            "daybook keys new catalog orders reporting walks --role service",
        ]
    )

    @Argument(help: ArgumentHelp("Whose it is: a person, a program, or a service.", valueName: "name"))
    var names: [String]

    @Option(help: "What it may do.")
    var role: RoleArgument

    @Flag(help: "Leave the keys that are there, and make the others.")
    var missing = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws {
        let daybook = try Invocation(global)
        let folder = KeyFolder(path: daybook.configuration.keys)
        for name in names {
            if try folder.make(name, role.role) != nil {
                try daybook.output.line("\(folder.secretPath(name))  keep it secret")
                try daybook.output.line("\(folder.publicPath(name))  lets \(name) in as a \(role.rawValue)")
            } else if missing {
                try daybook.output.line("\(folder.publicPath(name))  was there")
            } else {
                throw CLIError.failure(
                    "There is a key \(quoted(name)): it stays as it is. 'daybook keys rotate \(name)' gives it another."
                )
            }
        }
    }
}

/// A role as it is written on the command line.
enum RoleArgument: String, CaseIterable, ExpressibleByArgument {
    case reader, writer, service

    var role: Role {
        switch self {
        case .reader: .reader
        case .writer: .writer
        case .service: .service
        }
    }
}
