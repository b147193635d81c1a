import ArgumentParser

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy all stores into a folder or a tar archive, while they are in use.",
        discussion:
            "The folder is new or empty. What the copies know of each other fits together, and manifest.json says "
            + "up to which event each goes and what its bytes add up to. The folder has its name only once it is whole; "
            + "until then '.part' stands behind it. With --keep, each backup is a folder of its own in it. '-' writes the "
            + "same files to standard output as a tar archive, the manifest last; one that is cut off is not put back. "
            + "Not in it: the settings, what is queued here, the places of hooks, and without --with-keys the keys.",
        examples: [
            "daybook backup ~/backup/daybook-2024-03-31", "daybook backup ~/backup --keep 7",
            "daybook backup - > books.tar",
        ]
    )

    @Argument(
        help: ArgumentHelp("Where to; - for standard output.", valueName: "folder"),
        completion: .directory
    )
    var folder: String

    @Option(
        help: ArgumentHelp(
            "Make a folder named by the time in it, and remove the oldest of more than so many.",
            valueName: "count"
        )
    )
    var keep: Int?

    @Flag(help: "Copy the keys that lie here, too. Whoever has such a backup can use them.")
    var withKeys = false

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        if let keep, keep < 1 { throw CLIError.usage("--keep is \(keep): keep one or more.") }
        let daybook = try Invocation(global, output)
        if folder == "-" {
            guard keep == nil else { throw CLIError.usage("--keep is for a folder, and not for standard output.") }
            return try await daybook.backUp(withKeys: withKeys)
        }
        try await daybook.backUp(into: BackupFolder(folder), keep: keep, withKeys: withKeys)
    }
}
