import ArgumentParser

struct CustomersShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a customer.",
        examples: ["daybook customers show 'Ann Berg'", "daybook customers show 3f2a --format json"]
    )

    @Argument(help: "The name, the reference, or the end or beginning of the id.")
    var customer: String

    @OptionGroup var past: AsOfOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await Invocation(global, output).show(customer, of: .customer, past, watch: watching.watch)
    }
}
