import ArgumentParser
import Messages
import Text

/// The fields of a recipe that both `add` and `edit` take.
struct RecipeFields: ParsableArguments {
    @Option(
        help: ArgumentHelp("A picture (JPEG, PNG, WebP), or just the name of one.", valueName: "file"),
        completion: .file()
    )
    var image: String?

    @Option(
        help: ArgumentHelp("How long preparing takes, kept as it is written, like '1 hr 30 min'.", valueName: "text")
    )
    var prepTime: String?

    @Option(help: ArgumentHelp("How long it cooks or bakes, as it is written.", valueName: "text"))
    var cookTime: String?

    @Option(
        help: ArgumentHelp("How long it takes in all; without it, preparing and cooking add up.", valueName: "text")
    )
    var totalTime: String?

    @Option(
        name: .customLong("yield"),
        help: ArgumentHelp("How much it makes, as it is written: '12 rolls', 'Serves 4'.", valueName: "text")
    )
    var makes: String?

    @Option(help: ArgumentHelp("Where it comes from: a book, a person, an address.", valueName: "text"))
    var source: String?

    @Option(help: ArgumentHelp("The recipe's type, by its name.", valueName: "name"))
    var type: String?

    @Option(help: ArgumentHelp("What it is: text, @file, or - for standard input.", valueName: "text"))
    var overview: String?

    @Option(
        help: ArgumentHelp(
            "How it is made: text, @file, or - for standard input. Blank lines or numbers part it into steps, and "
                + "'[Glaze]' is a heading. An edit replaces all steps.",
            valueName: "text"
        )
    )
    var instructions: String?

    @Option(
        name: .customLong("ingredient"),
        help: ArgumentHelp(
            "What it takes, a line like '250 g flour, sifted', or a heading in brackets like '[Glaze]'; repeated, in "
                + "order. An edit replaces all of them.",
            valueName: "line"
        )
    )
    var ingredients: [String] = []

    mutating func validate() throws {
        if instructions == "-", overview == "-" {
            throw ValidationError("Standard input can be read once: give '-' to --overview or to --instructions.")
        }
    }

    /// Whether nothing was given.
    var isEmpty: Bool {
        let texts = [image, prepTime, cookTime, totalTime, makes, source, type, overview, instructions]
        return texts.allSatisfy { $0 == nil } && ingredients.isEmpty
    }

    /// What was given.
    ///
    /// - Parameters:
    ///   - type: the record that ``type`` names.
    ///   - image: what ``image`` names.
    ///   - key: what the ids of new ingredients come from.
    func edit(
        name: String?,
        type: RecipeType?,
        image: RecipeImage?,
        key: Identifier?
    ) throws(CLIError) -> RecordEdit<Recipe> {
        var edit = RecordEdit<Recipe>()
        edit.set("name", \.name, name.map(TextNormalizer.oneLine))
        setImage(&edit, image)
        edit.set("prepTime", \.prepTime, prepTime.map(TextNormalizer.oneLine))
        edit.set("cookTime", \.cookTime, cookTime.map(TextNormalizer.oneLine))
        edit.set("totalTime", \.totalTime, totalTime.map(TextNormalizer.oneLine))
        edit.set("yield", \.yield, makes.map(TextNormalizer.oneLine))
        edit.set("source", \.source, source.map(TextNormalizer.oneLine))
        setType(&edit, type)
        let overview = try TextSource.text(overview, option: "--overview").map(TextNormalizer.withLineFeeds)
        edit.set("overview", \.overview, overview)
        try setIngredients(&edit, key)
        try setSteps(&edit, key)
        return edit
    }

    private func setImage(_ edit: inout RecordEdit<Recipe>, _ image: RecipeImage?) {
        var step: RecordEdit<Recipe>.Step?
        if var image {
            image.name = TextNormalizer.trimmedNormalized(image.name)
            let new = image
            step = { (recipe) throws(CLIError) in
                // A name alone leaves the picture that is stored under it.
                let isThere =
                    recipe.image?.name == new.name && (new.digest ?? recipe.image?.digest) == recipe.image?.digest
                if !isThere { recipe.image = new }
            }
        }
        edit.set("image", step) { (recipe) throws(CLIError) in recipe.image = nil }
    }

    private func setType(_ edit: inout RecordEdit<Recipe>, _ type: RecipeType?) {
        var step: RecordEdit<Recipe>.Step?
        if let type { step = { (recipe) throws(CLIError) in recipe.type = type.id } }
        edit.set("type", step) { (recipe) throws(CLIError) in recipe.type = nil }
    }

    private func setIngredients(_ edit: inout RecordEdit<Recipe>, _ key: Identifier?) throws(CLIError) {
        var step: RecordEdit<Recipe>.Step?
        if !ingredients.isEmpty {
            var lines: [WrittenPart] = []
            for text in ingredients {
                guard let line = WrittenPart(text) else {
                    throw .usage("--ingredient \(quoted(text)) is blank; write a line like '250 g flour'.")
                }
                lines.append(line)
            }
            let given = lines
            step = { (recipe) throws(CLIError) in
                // The record itself has the key's id 0.
                recipe.ingredients = WrittenPart.parts(given, replacing: recipe.ingredients, key: key, from: 1)
            }
        }
        edit.set("ingredients", step) { (recipe) throws(CLIError) in recipe.ingredients = [] }
    }

    private func setSteps(_ edit: inout RecordEdit<Recipe>, _ key: Identifier?) throws(CLIError) {
        var step: RecordEdit<Recipe>.Step?
        if let text = try TextSource.text(instructions, option: "--instructions") {
            let given = RecipeStep.texts(in: text).compactMap(WrittenPart.init)
            let index = 1 + Self.mostIngredients
            step = { (recipe) throws(CLIError) in
                recipe.steps = WrittenPart.parts(given, replacing: recipe.steps, key: key, from: index)
            }
        }
        edit.set("steps", step) { (recipe) throws(CLIError) in recipe.steps = [] }
    }

    /// The service takes no more; ids of steps are made behind those of so many ingredients.
    static let mostIngredients = 1000
}
