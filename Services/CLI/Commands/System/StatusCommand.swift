import ArgumentParser
import Messages

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how the services are.",
        discussion: "The exit code is 3 if one of them does not answer.",
        examples: ["daybook status", "daybook status orders --format json"]
    )

    @Argument(
        help: "Only these: catalog, orders, reporting, walks.",
        completion: .list(ServiceName.all.map(\.rawValue))
    )
    var services: [String] = []

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let names = try services.map { text throws(CLIError) in try ServiceName.named(text) }
        let daybook = try Invocation(global, output)
        // A field that doesn't exist is refused before anybody is asked.
        _ = try Noun.status.selected(daybook.presentation.fields)
        let states = await ServiceState.all(of: daybook, names.isEmpty ? ServiceName.all : names)
        try daybook.presentation.list(states, of: .status)
        // A key that can't be used is wrong for all of them.
        var said: Set<String> = []
        for remark in states.flatMap(\.remarks) where said.insert(remark).inserted {
            StandardError.write("\(remark)\n")
        }
        let queued = CommandQueue(home: daybook.configuration.home).count
        if queued > 0 {
            let sync = daybook.configuration.reach.commandLine("daybook", "sync")
            let commands = queued == 1 ? "1 command is" : "\(queued) commands are"
            StandardError.write(StatusSentence.queued.text(commands, sync) + "\n")
        }
        let silent = states.filter { !$0.isAnswering }.map(\.service.rawValue).joined(separator: ", ")
        if !silent.isEmpty { throw CLIError.unanswered(StatusSentence.silent.text(silent)) }
    }
}

extension ServiceName {
    /// The service of this name.
    ///
    /// - Throws: ``CLIError/usage(_:)``.
    static func named(_ text: String, among names: [ServiceName] = all) throws(CLIError) -> ServiceName {
        let name = ServiceName(rawValue: text)
        if names.contains(name) { return name }
        let known = names.map(\.rawValue)
        let end = Suggestion.nearest(to: text, among: known).map { "did you mean '\($0)'?" }
        throw .usage("No service \(quoted(text)); " + (end ?? "there are \(known.joined(separator: ", "))."))
    }
}
