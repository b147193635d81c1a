import ArgumentParser

struct SoldServicesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a service.",
        examples: ["daybook services show Bath", "daybook services show 3f2a --format json"]
    )

    @Argument(help: "The name, the reference, or the end or beginning of the id.")
    var service: String

    @OptionGroup var past: AsOfOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await Invocation(global, output).show(service, of: .service, past, watch: watching.watch)
    }
}
