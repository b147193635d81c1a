import ArgumentParser
import Measures
import Messages

struct RecipesScale: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale",
        abstract: "Print a recipe's ingredients for more or less of it.",
        discussion: "The stored recipe stays as it is. Lines whose amount can't be read are printed as they were "
            + "written, and say so. With --servings the recipe's yield decides; of a range its upper end.",
        examples: [
            "daybook recipes scale 'Leek soup' --servings 6", "daybook recipes scale 'Rye loaf' --factor 1/2",
            "daybook recipes scale 'Rye loaf' --factor 1.5 --decimal-mark comma",
        ]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var recipe: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How much to make, in what the yield counts.", valueName: "number")
    )
    var servings: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("How many times as much: 2, 1/2, 0.75.", valueName: "number"))
    var factor: String?

    @Option(help: "The decimal mark of new numbers; else as in the number replaced.")
    var decimalMark: DecimalMarkArgument?

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    mutating func validate() throws {
        guard (servings == nil) != (factor == nil) else {
            throw ValidationError("Give --servings or --factor: one of the two says how much to make.")
        }
    }

    func run() async throws {
        let daybook = try Invocation(global, output)
        let number = try factor.map { text throws(CLIError) in try Self.positive(text, "--factor") }
        let wanted = try servings.map { text throws(CLIError) in try Self.positive(text, "--servings") }
        let found = try await daybook.resolver.record(Recipe.self, recipe)
        let factor = try number ?? RecipeScale.factor(found, servings: wanted ?? Rational(1))
        let scaled = RecipeScale(found, by: factor, mark: decimalMark?.mark)
        try daybook.presentation.show(scaled)
    }

    private static func positive(_ text: String, _ option: String) throws(CLIError) -> Rational {
        let number: Rational
        do throws(MeasurementError) {
            number = try Measurement.number(text)
        } catch {
            throw .usage("\(option): \(error.description)")
        }
        guard number > Rational(0) else { throw .usage("\(option) is \(quoted(text)): it must be above 0.") }
        return number
    }
}

/// `point` or `comma`.
enum DecimalMarkArgument: String, CaseIterable, Sendable, ExpressibleByArgument {
    case point
    case comma

    var mark: DecimalMark { self == .point ? .point : .comma }
}
