import ArgumentParser
import Measures
import Messages
import Text

struct RecipesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List recipes, by name.",
        discussion: "Each with its picture and its time; --fields makes a table.",
        examples: [
            "daybook recipes list",
            "daybook recipes list --type Soup",
            "daybook recipes list --search loaf --fields id,name,type",
            "daybook recipes list --with leeks --with cream --under 45min",
            "daybook recipes list --where 'type = Soup and totalTime < 1h and not ingredients ~ cream'",
        ]
    )

    @Option(
        help: ArgumentHelp(
            "Only those in which each of these words begins some word: of name, overview, ingredients, steps.",
            valueName: "words"
        )
    )
    var search: String?

    @Option(help: ArgumentHelp("Only those of this type.", valueName: "name"))
    var type: String?

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp("Only those with this ingredient; repeated, with all of them.", valueName: "words")
    )
    var ingredients: [String] = []

    @Option(
        help: ArgumentHelp("Only those that take at most so long in all: '30min', '1 h 15 min'.", valueName: "time")
    )
    var under: String?

    @OptionGroup var selection: WhereOptions<Recipe>
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.recipe.selected(daybook.presentation.fields)
        var filters = try filters()
        if let type = try await daybook.recipeType(type) { filters.append(.equal("type", .id(type.id))) }
        if let query = try await selection.filter(by: daybook) { filters.append(query) }
        try await daybook.list(
            .recipe,
            filter: filters.isEmpty ? nil : .and(filters),
            sort: list.sortKeys(["type": "type.name", "typeId": "type"]),
            list
        )
    }

    /// What needs nobody to be asked.
    func filters() throws(CLIError) -> [Filter] {
        var filters: [Filter] = []
        if let search { filters.append(.search(nil, try Self.words(search, option: "--search"))) }
        for text in ingredients { filters.append(.search("ingredients", try Self.words(text, option: "--with"))) }
        if let under {
            guard let time = RecipeDuration(under) else {
                throw .usage("--under \(quoted(under)) is no time; write it as 30min or '1 h 15 min'.")
            }
            filters.append(.range("totalMinutes", from: nil, through: .integer(Int64(time.minutes))))
        }
        return filters
    }

    /// The text, unless there is nothing in it to look for.
    private static func words(_ text: String, option: String) throws(CLIError) -> String {
        guard !SearchWords.words(of: text).isEmpty else {
            throw .usage("\(option) \(quoted(text)) has no letter or digit to look for.")
        }
        return text
    }
}
