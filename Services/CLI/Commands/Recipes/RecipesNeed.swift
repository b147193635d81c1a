import ArgumentParser
import Messages

struct RecipesNeed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "need",
        abstract: "Print what the orders that are not made yet take.",
        discussion:
            "The ingredients of what is ordered, added up. An order's row takes its service's recipe as often as "
            + "its quantity says, once without one. What is written alike is added up, in units of mass or of volume "
            + "by exact factors; the other lines stand by themselves behind it, as they were written, with their recipe.",
        examples: [
            "daybook recipes need", "daybook recipes need --due this-week",
            "daybook recipes need --due 2024-03-01..2024-03-08 --format csv",
        ]
    )

    @Option(help: ArgumentHelp("Only for orders due then: tomorrow, this week, 2024-04.", valueName: "period"))
    var due: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.need.selected(daybook.presentation.fields)
        var filters: [Filter] = [.equal("made", .boolean(false)), .equal("cancelled", .boolean(false))]
        if let due {
            let span = try DayText.span(due, option: "--due", leaning: .coming)
            filters.append(.days("due", span.from, span.through))
        }
        let orders = try await daybook.all(Order.self, filter: .and(filters))
        let services = try await daybook.all(SoldService.self)
        var recipes: [Recipe] = []
        for id in RecipeNeed.recipes(of: orders, by: services) {
            recipes.append(try await daybook.send(Get<Recipe>(id: id)))
        }
        let need = RecipeNeed(orders: orders, services: services, recipes: recipes)
        try daybook.presentation.list(need.lines, of: .need)
        if daybook.presentation.format == .table { try daybook.output.line(need.closing) }
    }
}

extension Invocation {
    /// All records that fit, page by page.
    func all<R: Record>(_ type: R.Type, filter: Filter? = nil) async throws(CLIError) -> [R] {
        var records: [R] = []
        var cursor: [UInt8]?
        repeat {
            let page = try await send(List<R>(filter: filter, after: cursor, limit: 1000))
            records += page.rows
            cursor = page.next
        } while cursor != nil
        return records
    }
}
