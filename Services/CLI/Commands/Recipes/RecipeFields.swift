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

    @Option(help: ArgumentHelp("How long it takes, kept as it is written, like '1 hr 30 min'.", valueName: "text"))
    var prepTime: String?

    @Option(help: ArgumentHelp("The recipe's type, by its name.", valueName: "name"))
    var type: String?

    @Option(help: ArgumentHelp("What it is: text, @file, or - for standard input.", valueName: "text"))
    var overview: String?

    @Option(help: ArgumentHelp("How it is made: text, @file, or - for standard input.", valueName: "text"))
    var instructions: String?

    @Option(
        name: .customLong("ingredient"),
        help: ArgumentHelp(
            "What it takes: 'NAME' or 'NAME=AMOUNT'; repeated, in order. An edit replaces all of them.",
            valueName: "text"
        )
    )
    var ingredients: [String] = []

    mutating func validate() throws {
        if instructions == "-", overview == "-" {
            throw ValidationError("Standard input can be read once: give '-' to --overview or to --instructions.")
        }
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
        edit.set("name", \.name, name)
        setImage(&edit, image)
        edit.set("prepTime", \.prepTime, prepTime)
        setType(&edit, type)
        edit.set("overview", \.overview, try TextSource.text(overview, option: "--overview"))
        edit.set("instructions", \.instructions, try TextSource.text(instructions, option: "--instructions"))
        try setIngredients(&edit, key)
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
            var lines: [IngredientLine] = []
            for text in ingredients { lines.append(try IngredientLine(text)) }
            let given = lines
            step = { (recipe) throws(CLIError) in
                recipe.ingredients = IngredientLine.ingredients(given, replacing: recipe.ingredients, key: key)
            }
        }
        edit.set("ingredients", step) { (recipe) throws(CLIError) in recipe.ingredients = [] }
    }
}
