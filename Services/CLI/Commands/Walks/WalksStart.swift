import ArgumentParser
import Messages

struct WalksStart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Begin a walk, which goes on until it is stopped.",
        discussion: "A dog is on one such walk at a time. One that isn't there yet is made, and said so.",
        examples: ["daybook walks start Rex Frieda", "daybook walks start Rex --at 18:05"]
    )

    @Argument(help: "The dogs' names, or their UUIDs.")
    var dogs: [String]

    @OptionGroup var time: TimeOptions

    @Option(help: ArgumentHelp("Anything about it.", valueName: "text"))
    var note: String?

    @OptionGroup var change: ChangeOptions
    @OptionGroup var queueing: QueueOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output, queueing: queueing)
        let start = try time.instant(key: change.key) ?? TimeOptions.now(key: change.key)
        let walk = AddWalk(id: .made(by: change.key), dogs: dogs, start: start, running: true, note: note)
        try await daybook.log(walk, key: change.key)
    }
}
