import ArgumentParser
import Measures
import Messages

struct Convert: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert weights, volumes and temperatures.",
        discussion: "The last argument is the unit, or two units for a result of two parts. Factors are exact, and the "
            + "result is rounded to three decimals. Cups, spoons and pints are American; 'metric cup', 'imp pint' and "
            + "the like are others. A weight becomes a volume, or a volume a weight, only with --density.",
        examples: [
            "daybook convert 250 ml cup", "daybook convert 350 F C", "daybook convert 500 g 'lb oz'",
            "daybook convert 1 1/2 cups ml", "daybook convert 2 cups g --density 0.6",
            "daybook convert --weights 453 g",
            "daybook convert --oven",
        ]
    )

    @Argument(help: ArgumentHelp("What to convert, and the unit for the result.", valueName: "amount unit"))
    var words: [String] = []

    @Option(
        help: ArgumentHelp("Grams per millilitre, between weights and volumes: water has 1.", valueName: "number")
    )
    var density: String?

    @Flag(
        help:
            "Show grams as pounds and ounces, or pounds and ounces as kilograms and grams, with 28.349 g to the ounce."
    )
    var weights = false

    @Flag(help: "Print the settings of ovens: degrees Celsius and Fahrenheit, gas marks.")
    var oven = false

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    mutating func validate() throws {
        if oven {
            guard words.isEmpty, density == nil, !weights else {
                throw ValidationError("--oven prints a table and takes nothing else: leave the rest out.")
            }
        } else if weights {
            guard !words.isEmpty, density == nil else {
                throw ValidationError("--weights takes a weight alone, like 'daybook convert --weights 453 g'.")
            }
        } else if words.count < 2 {
            throw ValidationError("Give an amount and the unit for the result, like 'daybook convert 250 ml cup'.")
        }
    }

    func run() async throws {
        let presentation = try Invocation(global, output).presentation
        if oven { return try presentation.list(OvenSetting.all, of: .ovenSetting) }
        let result =
            weights
            ? try Conversion(weight: words.joined(separator: " "))
            : try Conversion(words.dropLast().joined(separator: " "), to: words.last ?? "", density: density)
        if presentation.format == .table, presentation.fields == nil {
            try presentation.output.line(result.result)
        } else {
            try presentation.show(result, of: .conversion)
        }
    }
}
