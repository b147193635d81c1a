import ArgumentParser
import Messages

struct OrdersNumbers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "numbers",
        abstract: "Account for all numbers: each is an order's, or of one that was cancelled or deleted.",
        discussion: "Where numbers start anew each year, --year chooses one.",
        examples: ["daybook orders numbers", "daybook orders numbers --year 2024 --deleted --format csv"]
    )

    @Option(help: ArgumentHelp("The numbers that count in this year.", valueName: "year"))
    var year: Int?

    @Flag(help: "Only those of orders that were deleted.")
    var deleted = false

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        var writer = try daybook.presentation.rowWriter(.orderNumber)
        var after: Int64?
        var count: Int64 = 0
        var years: [Int] = []
        repeat {
            let page = try await daybook.send(OrderNumbers(year: year, after: after))
            for number in page.numbers where !deleted || number.state == .deleted {
                try writer.write(OrderNumberLine(number: number, year: year))
            }
            count += Int64(page.numbers.count)
            (after, years) = (page.next, page.years)
        } while after != nil
        try writer.finish()
        guard count == 0, year == nil, !years.isEmpty, daybook.presentation.format == .table else { return }
        StandardError.write(
            "Numbers start anew each year: --year takes \(years.map(String.init).joined(separator: ", ")).\n"
        )
    }
}

/// A number as it is shown.
struct OrderNumberLine: Sendable {
    var number: OrderNumbers.Number
    var year: Int?
}

extension Noun where Row == OrderNumberLine {
    /// Numbers of orders as they are printed.
    static let orderNumber = Noun(
        "number",
        plural: "numbers",
        summary: "A number, and what became of its order.",
        fields: [
            .integer("number", "No.", "The running number.", inTable: false) { $0.number.number },
            .number("label", "No.", "The number as people write it: 17, or 2024-17.") {
                Order.label($0.number.number, year: $0.year)
            },
            .day("date", "Date", "The order's day; of a deleted one the last it had.") { $0.number.date },
            .text("state", "State", "kept, cancelled or deleted.") { $0.number.state.rawValue },
            .instant("deleted", "Deleted", "When it was deleted.") { $0.number.deleted },
            .id("id", "Id", "The order's UUID.", inTable: false) { $0.number.id },
        ],
        id: \.number.id
    )
}
