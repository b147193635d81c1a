import ArgumentParser
import Messages

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put stores back from a backup; the services are down meanwhile.",
        discussion:
            "From a folder, or a tar archive as 'daybook backup -' writes it, plain or compressed. Every byte is "
            + "checked before anything is changed. What was there is kept beside it, as <store>.before-restore-<time>. Each "
            + "store that is put back begins a log of its own: whoever followed it starts anew. Where only some are put "
            + "back, the others may refer to what is no longer there: 'daybook verify' names it, and 'daybook verify "
            + "--repair' takes it out.",
        examples: [
            "daybook restore ~/backup/daybook-2024-03-31", "daybook restore ~/backup",
            "daybook restore ~/backup/2024-03-31T180500Z catalog --yes", "daybook restore books.tar",
        ]
    )

    @Argument(
        help: ArgumentHelp(
            "A folder with a backup, or with several, of which it is the newest; or a tar file, or - for standard input.",
            valueName: "backup"
        ),
        completion: .file()
    )
    var backup: String

    @Argument(
        help: "Only these: catalog, orders, reporting, walks.",
        completion: .list(ServiceName.all.map(\.rawValue))
    )
    var services: [String] = []

    @Flag(help: "Put back the keys, too; none that is there is replaced.")
    var withKeys = false

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let names = try services.map { text throws(CLIError) in try ServiceName.named(text) }
        try Invocation(global, output).restore(
            backup,
            names,
            withKeys: withKeys,
            yes: confirmation.yes
        )
    }
}
