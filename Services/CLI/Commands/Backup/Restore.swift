import ArgumentParser
import Messages

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put stores back from a backup; the services are down meanwhile.",
        discussion: "Every byte is checked before anything is changed. What was there is kept beside it, as "
            + "<store>.before-restore-<time>. Each store that is put back begins a log of its own: whoever followed it "
            + "starts anew. Where only some are put back, the others take out what refers to records that are no longer "
            + "there, when they are started, and say so in their logs.",
        examples: [
            "daybook restore ~/backup/daybook-2024-03-31", "daybook restore ~/backup",
            "daybook restore ~/backup/2024-03-31T180500Z catalog --yes",
        ]
    )

    @Argument(
        help: ArgumentHelp("The backup; of a folder of several the newest.", valueName: "folder"),
        completion: .directory
    )
    var folder: String

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
            BackupFolder(folder),
            names,
            withKeys: withKeys,
            yes: confirmation.yes
        )
    }
}
