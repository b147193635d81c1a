import ArgumentParser
import Messages

/// Options of the whole command: they may stand before or after the noun.
struct GlobalOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the books [DAYBOOK_HOME].", valueName: "folder"), completion: .directory)
    var home: String?

    @Option(help: ArgumentHelp("How long to wait for an answer [DAYBOOK_TIMEOUT].", valueName: "seconds"))
    var timeout: String?

    @Flag(help: "Use the demonstration's books, never the real ones [DAYBOOK_DEMO].")
    var demo = false
}

/// Options of commands that print records.
struct OutputOptions: ParsableArguments {
    @Option(help: "The form of what is printed [DAYBOOK_FORMAT]; svg is for reports with a chart.")
    var format: OutputFormat?

    @Option(help: ArgumentHelp("The fields to print, separated by commas, in this order.", valueName: "a,b"))
    var fields: String?

    @Flag(name: .shortAndLong, help: "Print only ids.")
    var quiet = false
}

/// Options of commands that change something.
struct ChangeOptions: ParsableArguments {
    @Option(
        name: .customLong("key"),
        help: ArgumentHelp(
            "Makes a repetition safe: the same key never has its effect twice. 'daybook key' makes one.",
            valueName: "uuid"
        )
    )
    var keyArgument: KeyArgument?

    /// The idempotency key that was given.
    var key: Identifier? { keyArgument?.key }
}

/// An idempotency key as it is written on the command line.
struct KeyArgument: ExpressibleByArgument, Sendable {
    let key: Identifier

    init?(argument: String) {
        guard let key = Identifier(argument) else { return nil }
        self.key = key
    }

    var defaultValueDescription: String { key.description }
}

/// Options of commands that list records.
struct ListOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The fields to sort by, separated by commas; -field sorts down.", valueName: "a,-b")
    )
    var sort: String?

    @Option(help: ArgumentHelp("Print at most this many.", valueName: "count"))
    var limit: Int?

    @OptionGroup var past: AsOfOptions
    @OptionGroup var watching: WatchOptions

    mutating func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is \(limit): it must be 1 or more.") }
    }

    /// The sort that was asked for; nil for the noun's own.
    var sortKeys: [SortKey]? {
        sort.map { text in
            text.split(separator: ",").map { word in
                word.hasPrefix("-") ? SortKey(String(word.dropFirst()), descending: true) : SortKey(String(word))
            }
        }
    }
}

/// The option of commands whose output can follow the data.
struct WatchOptions: ParsableArguments {
    @Flag(help: "Keep what is shown up to date until Ctrl-C: a table on a terminal, otherwise JSON lines.")
    var watch = false
}
