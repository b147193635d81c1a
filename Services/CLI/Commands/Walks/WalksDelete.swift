import ArgumentParser
import Messages

struct WalksDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete walks.",
        examples: ["daybook walks delete 12", "daybook walks delete 12 13 --yes"]
    )

    @Argument(help: "Numbers, or ends or beginnings of ids.")
    var walks: [String]

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        let cells = daybook.presentation.cells
        try await daybook.delete(walks, of: .walk, yes: confirmation.yes, key: change.key) { walk in
            let time = cells.text(.instant(walk.start), idDigits: nil)
            return "walk \(walk.number) with \(quoted(walk.dogNames)) (\(time))"
        }
    }
}
