import ArgumentParser
import Glibc
import Messages
import ZeroMQ

/// The `daybook` command: nouns, then verbs. All top-level commands are listed here and nowhere else.
///
/// # How a verb is added
///
/// 1. The noun's fields are declared once, as `Noun.<noun>` in `Commands/<Nouns>/<Record>+Noun.swift`; table, JSON,
///    CSV, `--fields` and `daybook schema` are made from that. A new noun is listed in `Schema.nouns`.
/// 2. The verb is one file, `Commands/<Nouns>/<Nouns><Verb>.swift`: an `AsyncParsableCommand` with a `commandName`, an
///    abstract and examples. It is listed among the subcommands of `Commands/<Nouns>/<Nouns>.swift`.
/// 3. It declares the option groups that it needs: `GlobalOptions` always, `OutputOptions` where it prints records,
///    `ListOptions` where it lists them, `ChangeOptions` where it changes them.
/// 4. Its `run()` makes an ``Invocation`` and lets it do the rest: `resolver` finds records by what people call them,
///    `send` asks a service, `presentation.show` and `list` print. It throws ``CLIError`` (or `ValidationError` for
///    arguments that make no sense together) and prints nothing on its own: ``CommandProcess`` turns every error into
///    one sentence and an exit code.
///
/// `Commands/Customers/CustomersList.swift` is a whole one.
struct Daybook: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daybook",
        abstract: "Keeps the books of a small trade: customers, services, recipes, orders, walks.",
        version: Release.version,
        subcommands: [
            Customers.self,
            SoldServices.self,
            Recipes.self,
            RecipeTypes.self,
            Find.self,
            Convert.self,
            Orders.self,
            Dogs.self,
            Walks.self,
            Report.self,
            Events.self,
            History.self,
            Hook.self,
            Undo.self,
            Export.self,
            Import.self,
            Queue.self,
            Sync.self,
            Projection.self,
            Verify.self,
            Backup.self,
            Restore.self,
            Rollback.self,
            Schema.self,
            Up.self,
            Down.self,
            StatusCommand.self,
            Logs.self,
            Key.self,
            Keys.self,
            Completion.self,
            VersionCommand.self,
        ]
    )

    @OptionGroup(title: "Global options") var global: GlobalOptions
}

@main
enum Main {
    static func main() async {
        CommandProcess.prepareSignals()
        Library.limitNameLookups()
        exit(await CommandProcess.run(arguments: nil))
    }
}
