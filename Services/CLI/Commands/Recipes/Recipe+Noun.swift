import Messages

extension Noun where Row == Recipe {
    /// Recipes as they are printed.
    static let recipe = Noun(
        "recipe",
        plural: "recipes",
        summary: "How something is made.",
        fields: [
            .id("id", "Id", "The recipe's UUID.") { $0.id },
            .text("name", "Name", "The name; two recipes may share one.") { $0.name },
            .text("type", "Type", "The name of the recipe's type.") { $0.typeName },
            .id("typeId", "Type's id", "The UUID of the recipe's type.", inTable: false) { $0.type },
            .text("prepTime", "Prep time", "How long the preparation takes, as it was written.", inTable: false) {
                $0.prepTime
            },
            .minutes("prepMinutes", "Prep minutes", "The minutes of the prep time, where it can be read.") {
                $0.prepMinutes
            },
            .text("cookTime", "Cook time", "How long it cooks or bakes, as it was written.", inTable: false) {
                $0.cookTime
            },
            .minutes("cookMinutes", "Cook minutes", "The minutes of the cook time, where it can be read.") {
                $0.cookMinutes
            },
            .text("totalTime", "Total time", "How long it takes in all, as it was written.", inTable: false) {
                $0.totalTime
            },
            .minutes(
                "totalMinutes",
                "Minutes",
                "The minutes in all: of the total time, or where none is written of preparing and cooking together.",
                inTable: true
            ) { $0.totalMinutes },
            .text("yield", "Yield", "How much it makes, as it was written.") { $0.yield },
            .text("servings", "Servings", "The number of the yield, as a fraction or a range.", inTable: false) {
                $0.servings?.description
            },
            .text("image", "Image", "The name of the picture's file.", inTable: false) { $0.image?.name },
            .text("source", "Source", "Where it comes from.", inTable: false) { $0.source },
            .text("overview", "Overview", "What it is.", inTable: false) { $0.overview },
            .list("ingredients", "Ingredients", "What it takes, in order.", of: Noun<Ingredient>.ingredient.fields) {
                $0.ingredients
            },
            .list("steps", "Steps", "How it is made, in order.", of: Noun<RecipeStep>.step.fields) { $0.steps },
            .integer("version", "Version", "Raised by one with each change.", inTable: false) { Int64($0.version) },
        ],
        id: \.id,
        lines: Lines {
            RecipeLine.text(
                name: $0.name,
                image: $0.image?.name,
                prepTime: DurationText.text($0.prepTime, minutes: $0.prepMinutes)
            )
        },
        record: { RecipeText($1).text($0) }
    )
}

extension Noun where Row == Ingredient {
    /// Ingredients as they are printed.
    static let ingredient = Noun(
        "ingredient",
        plural: "ingredients",
        summary: "A line of what a recipe takes.",
        fields: [
            .id("id", "Id", "The ingredient's UUID.", inTable: false) { $0.id },
            .text("line", "Line", "The line as it was written.") { $0.line },
            .boolean("isHeading", "Heading", "Whether it is a heading for the lines below.", inTable: false) {
                $0.isHeading == true
            },
            .text("amount", "Amount", "How much, as a fraction or a range: 3/2, 2-3.", inTable: false) {
                $0.amount?.description
            },
            .text("unit", "Unit", "What the amount is counted in.", inTable: false) { $0.unit },
            .text("name", "Name", "What it is.", inTable: false) { $0.name },
            .text("note", "Note", "What else is said of it.", inTable: false) { $0.note },
        ],
        id: \.id
    )
}

extension Noun where Row == RecipeStep {
    /// Steps as they are printed.
    static let step = Noun(
        "step",
        plural: "steps",
        summary: "A step of how a recipe is made.",
        fields: [
            .id("id", "Id", "The step's UUID.", inTable: false) { $0.id },
            .text("text", "Text", "What is done.") { $0.text },
            .boolean("isHeading", "Heading", "Whether it is a heading for the steps below.", inTable: false) {
                $0.isHeading == true
            },
        ],
        id: \.id
    )
}

extension Field where Row == Recipe {
    fileprivate static func minutes(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = false,
        _ value: @escaping @Sendable (Recipe) -> Int?
    ) -> Field {
        .integer(name, title, summary, inTable: inTable) { value($0).map(Int64.init) }
    }
}

/// A recipe in a list: its name, then picture and time, as far as there are any.
enum RecipeLine {
    /// `Rye loaf`, a tab, `loaf.jpg - 2 hr 30 min`; safe for a terminal.
    static func text(name: String, image: String?, prepTime: String?) -> String {
        let details = [image, prepTime].compactMap(\.self).map(CellText.escaped)
        let name = CellText.escaped(name)
        return details.isEmpty ? name : "\(name)\t\(details.joined(separator: " - "))"
    }
}
