import ArgumentParser
import Messages

struct WalksAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Log a walk with one or several dogs.",
        discussion: "A dog that isn't there yet is made, and said so. Without --at the walk began now; with --key, "
            + "when the key was made.",
        examples: [
            "daybook walks add Rex",
            "daybook walks add Rex Frieda --at 'yesterday 18:05' --for 45min",
            "daybook walks add Rex --at 08:00 --end 09:15 --note 'by the lake'",
        ]
    )

    @Argument(help: "The dogs' names, or their UUIDs.")
    var dogs: [String]

    @OptionGroup var time: TimeOptions
    @OptionGroup var length: LengthOptions

    @Option(help: ArgumentHelp("Anything about it.", valueName: "text"))
    var note: String?

    @OptionGroup var change: ChangeOptions
    @OptionGroup var queueing: QueueOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output, queueing: queueing)
        let start = try time.instant(key: change.key) ?? TimeOptions.now(key: change.key)
        var walk = AddWalk(id: .made(by: change.key), dogs: dogs, start: start, note: note)
        walk.end = try length.end(key: change.key)?(start)
        try await daybook.log(walk, key: change.key)
    }

    /// `Made the dog 'Rxe'. Did you mean 'Rex'?`
    static func notice(of dog: AddWalk.MadeDog) -> String {
        let made = "Made the dog \(quoted(dog.name))."
        let near = dog.near.map(quoted)
        guard let last = near.last else { return made }
        let names = near.count > 1 ? near.dropLast().joined(separator: ", ") + " or " + last : last
        return "\(made) Did you mean \(names)?"
    }
}

extension Invocation {
    /// Logs a walk, says which dogs were made, and prints it as `show` does.
    func log(_ request: AddWalk, key: Identifier?) async throws(CLIError) {
        _ = try Noun.walk.selected(presentation.fields)
        let reply = try await deliver(request, making: request.id, key: key)
        for dog in reply.made { StandardError.write("\(WalksAdd.notice(of: dog))\n") }
        try presentation.show(reply.walk, of: .walk)
    }
}
