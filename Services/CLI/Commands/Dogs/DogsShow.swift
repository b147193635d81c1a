import ArgumentParser

struct DogsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a dog.",
        examples: ["daybook dogs show Rex", "daybook dogs show 3f2a --format json"]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var dog: String

    @OptionGroup var past: AsOfOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await Invocation(global, output).show(dog, of: .dog, past, watch: watching.watch)
    }
}
