import ArgumentParser
import Messages

struct ProjectionRebuild: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Make what a service keeps of another's data anew, and compare.",
        discussion: "Nothing that was entered is touched. Until it is done, the service knows less of the other: "
            + "reports wait or lack orders. Returns when the place of before is reached again. The exit code is 1 if "
            + "the content differs from that before.",
        examples: ["daybook projection rebuild reporting", "daybook projection rebuild orders --source catalog"]
    )

    @OptionGroup var arguments: ProjectionArguments
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        try await daybook.rebuildProjections(of: arguments.service, source: arguments.source, key: change.key)
    }
}
