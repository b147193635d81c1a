import ArgumentParser
import Glibc
import Messages

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start the services.",
        discussion: "Returns when all of them are ready. They run in the background until 'daybook down'; one that "
            + "dies is started again. With --demo they keep a demonstration's books, filled with a small sample.",
        examples: ["daybook up", "daybook --demo up", "daybook up --foreground", "daybook up --keep-events 90d,500MB"]
    )

    @Flag(help: "Stay, and print what the services print; Ctrl-C stops them.")
    var foreground = false

    @Option(
        help: ArgumentHelp(
            "Drop events that are older, or beyond this size [DAYBOOK_KEEP_EVENTS]; all are kept without it.",
            valueName: "age,size"
        )
    )
    var keepEvents: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, keepEvents: keepEvents)
        let startup = Startup(daybook, limitsEvents: keepEvents != nil)
        try startup.prepare()
        if foreground {
            try await startup.runHere()
        } else {
            try await startup.runInBackground()
        }
    }
}
