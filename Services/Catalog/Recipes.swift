internal import Messages
internal import Service
internal import Store
internal import Text

extension Catalog {
    static let recipeTypes = Entity<RecipeType>(
        table: "recipe_types",
        columns: [.text("name") { $0.name }],
        indexes: ["name_key", "name_folded"],
        sort: [SortKey("name")],
        searched: { [$0.name] },
        prepare: { (type, _, transaction) throws(ServiceError) in
            type.name = try TextRules.name(type.name)
            let folded = TextNormalizer.folded(type.name)
            let other = try transaction.first(
                "SELECT name FROM recipe_types WHERE name_folded = $1 AND id <> $2",
                .text(folded),
                .id(type.id)
            ) { $0.text(0) }
            if let other {
                throw .invalid(
                    field: "name",
                    found: type.name,
                    "there is a recipe type '\(other)' already: use that one"
                )
            }
        },
        didWrite: { (type, old, transaction) throws(ServiceError) in
            guard let old, old.name != type.name else { return }
            // Recipes show their type's name: each is stored with the new one.
            for recipe in try recipesOfType(type.id, transaction) { try transaction.put(recipe) }
        },
        willDelete: { (type, _, transaction) throws(ServiceError) in
            // The type goes, its recipes stay without one.
            for recipe in try recipesOfType(type.id, transaction) {
                var cleared = recipe
                cleared.type = nil
                try transaction.put(cleared)
            }
        }
    )

    static let recipes = Entity<Recipe>(
        table: "recipes",
        columns: [
            .text("name") { $0.name },
            .text("image") { $0.image?.name },
            .plain("prep_time") { $0.prepTime },
            .integer("prepMinutes") { $0.prepMinutes.map(Int64.init) },
            .plain("cook_time") { $0.cookTime },
            .integer("cookMinutes") { $0.cookMinutes.map(Int64.init) },
            .plain("total_time") { $0.totalTime },
            .integer("totalMinutes") { $0.totalMinutes.map(Int64.init) },
            .plain("yield") { $0.yield },
            .id("type") { $0.type },
            .text("type.name") { $0.typeName },
            .text("source") { $0.source },
            .plain("overview") { $0.overview },
        ],
        parts: [
            PartTable(
                table: "ingredients",
                columns: [
                    .text("line") { $0.line }, .boolean("isHeading") { $0.isHeading == true },
                    .plain("amount") { $0.amount?.description }, .plain("unit") { $0.unit }, .text("name") { $0.name },
                    .plain("note") { $0.note },
                ],
                searchedAs: "ingredients",
                searched: { $0.isHeading == true ? [] : [$0.line] },
                parts: \.ingredients
            ),
            PartTable(
                table: "steps",
                columns: [.text("text") { $0.text }, .boolean("isHeading") { $0.isHeading == true }],
                parts: \.steps
            ),
        ],
        indexes: ["name_key", "type"],
        sort: [SortKey("name")],
        derived: [
            "prepMinutes", "cookMinutes", "totalMinutes", "servings", "typeName", "ingredients/amount",
            "ingredients/unit", "ingredients/name", "ingredients/note",
        ],
        keyed: ["ingredients", "steps"],
        searched: { recipe in
            [recipe.name, recipe.typeName, recipe.source, recipe.overview] + recipe.ingredients.map(\.line)
                + recipe.steps.map(\.text)
        },
        prepare: { (recipe, _, transaction) throws(ServiceError) in
            try RecipeRules.check(&recipe)
            RecipeRules.derive(&recipe)
            if var image = recipe.image {
                image.name = try TextRules.name(image.name, field: "image")
                try Blobs.keep(&image, &transaction)
                recipe.image = image
            }
            recipe.typeName = nil
            if let id = recipe.type {
                guard let type = try transaction.record(RecipeType.self, id) else {
                    throw .invalid(field: "type", found: id.description, "there is no recipe type \(id)")
                }
                recipe.typeName = type.name
            }
        },
        didWrite: { (recipe, old, transaction) throws(ServiceError) in
            guard let old, old.name != recipe.name else { return }
            // Services show their recipe's name: each is stored with the new one.
            for service in try services(madeBy: recipe.id, transaction) { try transaction.put(service) }
        },
        willDelete: { (recipe, _, transaction) throws(ServiceError) in
            // The recipe goes, what is sold stays without one.
            for service in try services(madeBy: recipe.id, transaction) {
                var cleared = service
                cleared.recipe = nil
                try transaction.put(cleared)
            }
        }
    )

    private static func recipesOfType(
        _ type: Identifier,
        _ transaction: Transaction
    ) throws(ServiceError) -> [Recipe] {
        try transaction.records(Recipe.self, where: "\"type\" = $1", .id(type))
    }
}
