import ArgumentParser
import Measures
import Messages

struct RecipesConvert: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Print a recipe's ingredients in metric or American units.",
        discussion:
            "The stored recipe stays as it is. Weights become weights and volumes volumes, to three digits; spoons "
            + "stay, and so do lines that can't be converted.",
        examples: ["daybook recipes convert 'Leek soup' --to metric", "daybook recipes convert 'Rye loaf' --to us"]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var recipe: String

    @Option(help: "The system of units.")
    var to: UnitSystemArgument

    @Option(help: "The decimal mark of new numbers; else as in the number replaced.")
    var decimalMark: DecimalMarkArgument?

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        let found = try await daybook.resolver.record(Recipe.self, recipe)
        try daybook.presentation.show(RecipeScale(found, in: to.system, mark: decimalMark?.mark))
    }
}

/// `metric`, `us`, `imperial`.
enum UnitSystemArgument: String, CaseIterable, Sendable, ExpressibleByArgument {
    case metric
    case us
    case imperial

    var system: Measures.Unit.System {
        switch self {
        case .metric: .metric
        case .us: .us
        case .imperial: .imperial
        }
    }
}
