import Measures
import Messages

/// A recipe's ingredients with other amounts; made for printing, never stored.
struct RecipeScale: Hashable, Sendable {
    var recipe: Recipe
    /// How many times as much; 1 where only units change.
    var factor: Rational
    /// The yield for so much, as it would be written.
    var yield: String?
    var lines: [ChangedLine]

    /// One ingredient's line.
    struct ChangedLine: Hashable, Sendable {
        /// With other amounts, or as it was written.
        var line: String
        var written: String
        var isHeading: Bool
        /// Why the line, or a number of it, is as it was written; nil where nothing was left.
        var note: String?
        /// Whether the line has new amounts.
        var isChanged: Bool
    }

    /// The ingredients for `factor` times as much, above 0.
    init(_ recipe: Recipe, by factor: Rational, mark: DecimalMark?) {
        self.recipe = recipe
        self.factor = factor
        yield = recipe.yield.map { RecipeYield($0).scaled(by: factor, mark: mark) ?? $0 }
        lines = recipe.ingredients.map { ingredient in
            Self.changed(ingredient) { (line) throws(ScalingError) in try line.scaled(by: factor, mark: mark) }
        }
    }

    /// The ingredients in units of a system.
    init(_ recipe: Recipe, in system: Measures.Unit.System, mark: DecimalMark?) {
        self.recipe = recipe
        factor = Rational(1)
        yield = recipe.yield
        lines = recipe.ingredients.map { ingredient in
            Self.changed(ingredient) { (line) throws(ScalingError) in try line.converted(to: system, mark: mark) }
        }
    }

    /// How many times as much `servings` are.
    ///
    /// - Throws: ``CLIError/failure(_:)`` where the yield has no number.
    static func factor(_ recipe: Recipe, servings: Rational) throws(CLIError) -> Rational {
        let name = quoted(recipe.name)
        guard let yield = recipe.yield else {
            throw .failure(
                "\(name) doesn't say how much it makes: give --factor, or set its yield with 'recipes edit'."
            )
        }
        guard let amount = RecipeYield(yield).amount else {
            throw .failure("The yield of \(name), \(quoted(yield)), names no number: give --factor.")
        }
        do {
            return try servings.divided(by: amount.upper ?? amount.lower)
        } catch {
            throw .usage("--servings: \(error.description)")
        }
    }

    private static func changed(
        _ ingredient: Ingredient,
        _ change: (IngredientLine) throws(ScalingError) -> IngredientLine.Changed
    ) -> ChangedLine {
        let line = IngredientLine(ingredient.line)
        var changed = ChangedLine(
            line: line.text,
            written: line.text,
            isHeading: ingredient.isHeading == true || line.isHeading,
            isChanged: false
        )
        guard !changed.isHeading else { return changed }
        do {
            let result = try change(line)
            changed.line = result.text
            changed.isChanged = true
            if result.hasOtherNumbers { changed.note = "other numbers as written" }
        } catch {
            changed.note = "as written: \(error.description)"
        }
        return changed
    }

    /// How many lines are as they were written, apart from headings, and of how many.
    var left: (count: Int, of: Int) {
        let ingredients = lines.filter { !$0.isHeading }
        return (ingredients.filter { !$0.isChanged }.count, ingredients.count)
    }
}

extension Presentation {
    /// Prints the lines, each that was left with the reason, and how many were; or the record in the form asked for.
    func show(_ scaled: RecipeScale) throws(CLIError) {
        guard format == .table, fields == nil, !isQuiet else { return try show(scaled, of: .recipeScale) }
        try output.line(CellText.escaped(scaled.recipe.name))
        if let yield = scaled.yield { try output.line(CellText.escaped(yield)) }
        try output.line("")
        for line in scaled.lines {
            let text = CellText.escaped(line.line)
            try output.line(line.note.map { "\(text)  [\(CellText.escaped($0))]" } ?? text)
        }
        let left = scaled.left
        if left.count > 0 {
            try output.line("\n\(left.count) of \(left.of) lines \(left.count == 1 ? "is" : "are") as written.")
        }
    }
}

extension Noun where Row == RecipeScale {
    /// Recipes with other amounts as they are printed.
    static let recipeScale = Noun(
        "scaled-recipe",
        plural: "scaled-recipes",
        summary: "A recipe's ingredients with other amounts.",
        fields: [
            .id("id", "Id", "The recipe's UUID.") { $0.recipe.id },
            .text("name", "Name", "The recipe's name.") { $0.recipe.name },
            .text("factor", "Factor", "How many times as much, as a fraction.") { $0.factor.description },
            .text("yield", "Yield", "How much that makes.") { $0.yield },
            .list(
                "ingredients",
                "Ingredients",
                "The lines, in order.",
                of: Noun<RecipeScale.ChangedLine>.changedLine.fields
            ) {
                $0.lines
            },
            .integer("left", "Left", "How many lines are as they were written, apart from headings.") {
                Int64($0.left.count)
            },
        ],
        id: \.recipe.id
    )
}

extension Noun where Row == RecipeScale.ChangedLine {
    fileprivate static let changedLine = Noun(
        "scaled-ingredient",
        plural: "scaled-ingredients",
        summary: "An ingredient's line with other amounts.",
        fields: [
            .text("line", "Line", "The line with other amounts.") { $0.line },
            .text("written", "Written", "The line as it is stored.", inTable: false) { $0.written },
            .boolean("isHeading", "Heading", "Whether it is a heading.", inTable: false) { $0.isHeading },
            .boolean("changed", "Changed", "Whether the amounts are new.", inTable: false) { $0.isChanged },
            .text("note", "Note", "Why the line, or a number of it, is as it was written.") { $0.note },
        ]
    )
}
