import ArgumentParser
import Glibc
import Messages

struct Logs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what the services logged.",
        examples: ["daybook logs", "daybook logs orders --lines 200", "daybook logs --follow"]
    )

    /// The supervisor has a log like a service.
    private static let supervisor = ServiceName(rawValue: "supervisor")

    @Argument(
        help: "Only this one: catalog, orders, reporting, walks, supervisor.",
        completion: .list((ServiceName.all + [supervisor]).map(\.rawValue))
    )
    var service: String?

    @Flag(name: .shortAndLong, help: "Go on with what comes, until Ctrl-C.")
    var follow = false

    @Option(name: .shortAndLong, help: ArgumentHelp("How many of the last lines of each.", valueName: "count"))
    var lines = 50

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if lines < 0 { throw ValidationError("--lines is \(lines): it must be 0 or more.") }
    }

    func run() throws {
        let all = ServiceName.all + [Self.supervisor]
        let names = try service.map { text throws(CLIError) in [try ServiceName.named(text, among: all)] } ?? all
        let daybook = try Invocation(global)
        let paths = names.map { LogFile.path(home: daybook.configuration.home, $0.rawValue) }
        guard follow || paths.contains(where: File.exists) else {
            throw CLIError.failure(
                "There is no log of \(service ?? "any service") in \(LogFile.folder(home: daybook.configuration.home)): what "
                    + "'daybook up' starts logs there, system services to the journal, containers to 'docker-compose logs'."
            )
        }
        var tails = paths.map { LogTail($0) }
        for index in tails.indices {
            let prefix = names.count > 1 ? "\(names[index]) | " : ""
            for line in try tails[index].last(lines) {
                try daybook.output.line(prefix + CellText.escaped(line))
            }
        }
        guard follow else { return }
        while true {
            try daybook.output.flush()
            // inotify(7) is not imported; four looks a second cost nothing.
            usleep(250_000)
            for index in tails.indices {
                let prefix = names.count > 1 ? "\(names[index]) | " : ""
                for line in try tails[index].new() { try daybook.output.line(prefix + CellText.escaped(line)) }
            }
        }
    }
}
