internal import Measures
internal import Messages
internal import Service
internal import Text

/// How a recipe's texts are stored, and what is read from them.
enum RecipeRules {
    /// A recipe has at most this many ingredients, and as many steps.
    static let mostParts = 1000
    /// An ingredient's line has at most this many characters.
    static let longestLine = 1000

    /// Brings the texts into their stored form: what is one line stays one line, and no step has blank lines.
    static func check(_ recipe: inout Recipe) throws(ServiceError) {
        recipe.name = try TextRules.name(TextNormalizer.oneLine(recipe.name))
        recipe.prepTime = try line(recipe.prepTime, field: "prepTime")
        recipe.cookTime = try line(recipe.cookTime, field: "cookTime")
        recipe.totalTime = try line(recipe.totalTime, field: "totalTime")
        recipe.yield = try line(recipe.yield, field: "yield")
        recipe.source = try line(recipe.source, field: "source", limit: longestLine)
        recipe.overview = try TextRules.optional(
            recipe.overview.map(TextNormalizer.withLineFeeds),
            field: "overview"
        )
        try checkIDs(recipe.ingredients.map(\.id), field: "ingredients")
        for index in recipe.ingredients.indices {
            try check(&recipe.ingredients[index])
        }
        try checkIDs(recipe.steps.map(\.id), field: "steps")
        for index in recipe.steps.indices {
            try check(&recipe.steps[index])
        }
    }

    /// Sets what is read from the texts.
    static func derive(_ recipe: inout Recipe) {
        recipe.prepMinutes = recipe.prepTime.flatMap(minutes)
        recipe.cookMinutes = recipe.cookTime.flatMap(minutes)
        recipe.totalMinutes = totalMinutes(recipe)
        recipe.servings = recipe.yield.flatMap { RecipeYield($0).amount }
        for index in recipe.ingredients.indices { derive(&recipe.ingredients[index]) }
    }

    private static func derive(_ ingredient: inout Ingredient) {
        let isHeading = ingredient.isHeading == true
        let line = isHeading ? nil : IngredientLine(ingredient.line)
        ingredient.amount = line?.amount
        ingredient.unit = line?.unit?.symbol
        ingredient.name = line?.name
        ingredient.note = line?.note
    }

    private static func minutes(_ text: String) -> Int? { RecipeDuration(text)?.minutes }

    private static func totalMinutes(_ recipe: Recipe) -> Int? {
        if let total = recipe.totalTime { return minutes(total) }
        let written = [(recipe.prepTime, recipe.prepMinutes), (recipe.cookTime, recipe.cookMinutes)].filter {
            $0.0 != nil
        }
        let minutes = written.compactMap { $0.1 }
        return minutes.isEmpty || minutes.count < written.count ? nil : minutes.reduce(0, +)
    }

    private static func line(
        _ text: String?,
        field: String,
        limit: Int = TextRules.longestName
    ) throws(ServiceError) -> String? {
        try TextRules.optional(text.map(TextNormalizer.oneLine), field: field, limit: limit)
    }

    private static func check(_ ingredient: inout Ingredient) throws(ServiceError) {
        guard let line = try line(ingredient.line, field: "ingredients/line", limit: longestLine) else {
            throw .invalid(field: "ingredients/line", "an ingredient is blank: write it, or leave it out")
        }
        ingredient.line = line
        if ingredient.isHeading == false { ingredient.isHeading = nil }
    }

    private static func check(_ step: inout RecipeStep) throws(ServiceError) {
        let isHeading = step.isHeading == true
        let text = isHeading ? TextNormalizer.oneLine(step.text) : TextNormalizer.withoutBlankLines(step.text)
        let limit = isHeading ? longestLine : TextRules.longestText
        guard let text = try TextRules.optional(text, field: "steps/text", limit: limit) else {
            throw .invalid(field: "steps/text", "a step is blank: write it, or leave it out")
        }
        step.text = text
        step.isHeading = isHeading ? true : nil
    }

    private static func checkIDs(_ ids: [Identifier], field: String) throws(ServiceError) {
        guard ids.count <= mostParts else {
            throw .invalid(
                field: field,
                found: String(ids.count),
                "a recipe has at most \(mostParts) \(field), not \(ids.count)"
            )
        }
        var seen: Set<Identifier> = []
        for id in ids {
            guard seen.insert(id).inserted else {
                throw .invalid(field: field, found: id.description, "two of the \(field) have one id")
            }
        }
    }
}
