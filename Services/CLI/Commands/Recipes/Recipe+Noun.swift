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
            .text("image", "Image", "The name of the picture's file.") { $0.image?.name },
            .text("prepTime", "Prep time", "How long it takes, as it was written.") { $0.prepTime },
            .integer("prepMinutes", "Minutes", "The minutes of the prep time, where it can be read.", inTable: false) {
                $0.prepMinutes.map(Int64.init)
            },
            .text("type", "Type", "The name of the recipe's type.") { $0.typeName },
            .id("typeId", "Type's id", "The UUID of the recipe's type.", inTable: false) { $0.type },
            .text("overview", "Overview", "What it is.", inTable: false) { $0.overview },
            .list("ingredients", "Ingredients", "What it takes, in order.", of: ingredientFields) { $0.ingredients },
            .text("instructions", "Instructions", "How it is made.", inTable: false) { $0.instructions },
            .integer("version", "Version", "Raised by one with each change.", inTable: false) { Int64($0.version) },
        ],
        id: \.id,
        lines: Lines { RecipeLine.text(name: $0.name, image: $0.image?.name, prepTime: $0.prepTime) }
    )

    private static let ingredientFields: [Field<Ingredient>] = [
        .id("id", "Id", "The ingredient's UUID.", inTable: false) { $0.id },
        .text("name", "Name", "What it is.") { $0.name },
        .text("amount", "Amount", "How much, as it was written.") { $0.amount },
    ]
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
