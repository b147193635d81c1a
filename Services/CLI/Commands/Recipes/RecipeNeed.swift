import Measures
import Messages
import Text

/// What orders take, by the recipes of what is ordered.
struct RecipeNeed: Sendable {
    /// What could be added up, by name; then the other lines, by recipe.
    private(set) var lines: [Line] = []
    /// How many orders were looked at.
    let orders: Int
    /// Rows of orders whose service has no recipe, or that have no service.
    private(set) var rowsWithoutRecipe = 0

    /// An ingredient and how much of it, or a line that could not be added up.
    struct Line: Hashable, Sendable {
        var amount: Amount?
        var unit: Measures.Unit?
        /// What it is; where nothing was added up, the line as it was written.
        var name: String
        /// The recipes that take it, each with how often: `Rye loaf`, `3 x Rye loaf`.
        var recipes: [String]
        var isAddedUp: Bool

        /// `1 ½ kg rye flour`.
        var text: String {
            guard let amount, isAddedUp else { return name }
            return [AmountFormat().text(amount, unit: unit), unit?.symbol, name].compactMap(\.self).joined(
                separator: " "
            )
        }
    }

    /// What is added up with each other: one name, in units that convert.
    private struct Key: Hashable {
        var name: String
        var kind: Measures.Unit.Kind
        /// What is counted converts into nothing.
        var counted: Measures.Unit?
    }

    /// The recipes of what is ordered, each once.
    static func recipes(of orders: [Order], by services: [SoldService]) -> [Identifier] {
        let recipeOf = recipeOf(services)
        return Set(orders.flatMap(\.rows).compactMap { $0.service.flatMap { recipeOf[$0] } }).sorted()
    }

    private static func recipeOf(_ services: [SoldService]) -> [Identifier: Identifier] {
        Dictionary(
            services.compactMap { service in service.recipe.map { (service.id, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    init(orders: [Order], services: [SoldService], recipes: [Recipe]) {
        self.orders = orders.count
        let recipeOf = Self.recipeOf(services)
        var batches: [Identifier: Rational] = [:]
        var uncounted: Set<Identifier> = []
        for row in orders.flatMap(\.rows) {
            guard let service = row.service, let recipe = recipeOf[service] else {
                rowsWithoutRecipe += 1
                continue
            }
            do throws(RationalError) {
                let quantity = try Rational((row.quantity ?? .one).millionths, 1_000_000)
                batches[recipe] = try (batches[recipe] ?? Rational(0)).adding(quantity)
            } catch {
                // More than a number holds: its lines can't be added up.
                uncounted.insert(recipe)
            }
        }
        var sums: [Key: Line] = [:]
        var others: [Line] = []
        for recipe in recipes.sorted(by: { ($0.name, $0.id) < ($1.name, $1.id) }) {
            guard let count = batches[recipe.id], count > Rational(0) || uncounted.contains(recipe.id) else { continue }
            let isCounted = !uncounted.contains(recipe.id)
            let label =
                isCounted && count != Rational(1) ? "\(AmountFormat().text(count)) x \(recipe.name)" : recipe.name
            for ingredient in recipe.ingredients where ingredient.isHeading != true {
                if isCounted, Self.add(ingredient, count, label, to: &sums) { continue }
                others.append(Line(name: ingredient.line, recipes: [label], isAddedUp: false))
            }
        }
        let added = sums.values.map { (line: $0, key: Collation.sortKey($0.name), text: $0.text) }
        lines =
            added.sorted { $0.key == $1.key ? $0.text < $1.text : $0.key.lexicographicallyPrecedes($1.key) }
            .map { $0.line } + others
    }

    /// `For 3 orders; 1 row has no recipe.`
    var closing: String {
        let start = orders == 1 ? "For 1 order" : "For \(orders) orders"
        switch rowsWithoutRecipe {
        case 0: return start + "."
        case 1: return start + "; 1 row has no recipe."
        default: return start + "; \(rowsWithoutRecipe) rows have no recipe."
        }
    }

    /// Adds an ingredient to what there is of it; false where it has no amount or name that can be read, or the sum is
    /// more than a number holds.
    private static func add(
        _ ingredient: Ingredient,
        _ count: Rational,
        _ label: String,
        to sums: inout [Key: Line]
    ) -> Bool {
        guard let name = ingredient.name, let amount = ingredient.amount else { return false }
        let unit = ingredient.unit.flatMap(Measures.Unit.init(rawValue:))
        // A unit of a later release: nothing is known of how it converts.
        if ingredient.unit != nil, unit == nil { return false }
        let kind = unit?.kind ?? .count
        let key = Key(name: TextNormalizer.folded(name), kind: kind, counted: kind == .count ? unit : nil)
        guard let scaled = try? amount.scaled(by: count) else { return false }
        guard var line = sums[key] else {
            sums[key] = Line(amount: scaled, unit: unit, name: name, recipes: [label], isAddedUp: true)
            return true
        }
        guard let sum = sum(line.amount, line.unit, scaled, unit) else { return false }
        line.amount = sum
        if line.recipes.last != label { line.recipes.append(label) }
        sums[key] = line
        return true
    }

    /// Both, in the first one's unit; nil for what no number holds.
    private static func sum(
        _ first: Amount?,
        _ unit: Measures.Unit?,
        _ second: Amount,
        _ other: Measures.Unit?
    ) -> Amount? {
        guard let first else { return nil }
        func converted(_ value: Rational) -> Rational? {
            guard let unit, let other, unit != other else { return value }
            return try? Converter.convert(value, from: other, to: unit)
        }
        guard let low = converted(second.lower), let high = converted(second.upper ?? second.lower),
            let lower = try? first.lower.adding(low),
            let upper = try? (first.upper ?? first.lower).adding(high)
        else { return nil }
        return lower == upper ? Amount(lower) : Amount(lower, upper)
    }
}

extension Noun where Row == RecipeNeed.Line {
    /// What orders take, as it is printed.
    static let need = Noun(
        "need",
        plural: "needs",
        summary: "An ingredient and how much of it orders take.",
        fields: [
            .text("amount", "Amount", "How much in all, as a fraction or a range; none where it can't be added up.") {
                $0.amount?.description
            },
            .text("unit", "Unit", "What the amount is counted in.") { $0.unit?.symbol },
            .text("name", "Name", "What it is; the line as it was written where it can't be added up.") { $0.name },
            .boolean(
                "isAddedUp",
                "Added up",
                "Whether the amount is the sum of all lines of this name.",
                inTable: false
            ) { $0.isAddedUp },
            .text("recipes", "Recipes", "The recipes that take it, each with how often.") {
                $0.recipes.joined(separator: ", ")
            },
        ],
        lines: Lines(line: { "\(CellText.escaped($0.text))\t\(CellText.escaped($0.recipes.joined(separator: ", ")))" })
    )
}
