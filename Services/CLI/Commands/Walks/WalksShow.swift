import ArgumentParser

struct WalksShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a walk.",
        examples: ["daybook walks show 12", "daybook walks show 3f2a --format json"]
    )

    @Argument(help: "The number, or the end or beginning of the id.")
    var walk: String

    @OptionGroup var past: AsOfOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await Invocation(global, output).show(walk, of: .walk, past, watch: watching.watch)
    }
}
