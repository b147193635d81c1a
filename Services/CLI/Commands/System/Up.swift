import ArgumentParser
import Glibc
import Messages

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start the services.",
        discussion: "Returns when all of them are ready. They run in the background until 'daybook down'; one that "
            + "dies is started again. With --demo they keep a demonstration's books, filled with a small sample.",
        examples: ["daybook up", "daybook --demo up", "daybook up --foreground"]
    )

    @Flag(help: "Stay, and print what the services print; Ctrl-C stops them.")
    var foreground = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global)
        let startup = Startup(daybook)
        try startup.prepare()
        if foreground {
            try await startup.runHere()
        } else {
            try await startup.runInBackground()
        }
    }
}
