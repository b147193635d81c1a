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
            .id("type") { $0.type },
            .text("type.name") { $0.typeName },
            .plain("overview") { $0.overview },
            .plain("instructions") { $0.instructions },
        ],
        parts: [
            PartTable(
                table: "ingredients",
                owner: "recipe",
                columns: [("name", "TEXT NOT NULL"), ("amount", "TEXT")],
                parts: { recipe in
                    recipe.ingredients.map {
                        PartTable.Part(id: $0.id, values: [.text($0.name), .optional($0.amount)])
                    }
                }
            )
        ],
        indexes: ["name_key", "type"],
        sort: [SortKey("name")],
        derived: ["prepMinutes", "typeName"],
        keyed: ["ingredients"],
        prepare: { (recipe, _, transaction) throws(ServiceError) in
            recipe.name = try TextRules.name(recipe.name)
            recipe.prepTime = try TextRules.optional(
                recipe.prepTime,
                field: "prepTime",
                limit: TextRules.longestName
            )
            recipe.prepMinutes = recipe.prepTime.flatMap(PreparationTime.minutes)
            recipe.overview = try TextRules.optional(recipe.overview, field: "overview")
            recipe.instructions = try TextRules.optional(recipe.instructions, field: "instructions", limit: 100_000)
            if var image = recipe.image {
                image.name = try TextRules.name(image.name, field: "image")
                try Blobs.keep(&image, &transaction)
                recipe.image = image
            }
            recipe.ingredients = try checked(recipe.ingredients)
            recipe.typeName = nil
            if let id = recipe.type {
                guard let type = try transaction.record(RecipeType.self, id) else {
                    throw .invalid(field: "type", found: id.description, "there is no recipe type \(id)")
                }
                recipe.typeName = type.name
            }
        }
    )

    private static func checked(_ ingredients: [Ingredient]) throws(ServiceError) -> [Ingredient] {
        guard ingredients.count <= 1000 else {
            throw .invalid(
                field: "ingredients",
                found: String(ingredients.count),
                "a recipe has at most 1,000 ingredients, not \(ingredients.count)"
            )
        }
        var seen: Set<Identifier> = []
        var checked: [Ingredient] = []
        for var ingredient in ingredients {
            guard seen.insert(ingredient.id).inserted else {
                throw .invalid(field: "ingredients", found: ingredient.id.description, "two ingredients have one id")
            }
            ingredient.name = try TextRules.name(ingredient.name, field: "ingredients/name")
            ingredient.amount = try TextRules.optional(
                ingredient.amount,
                field: "ingredients/amount",
                limit: TextRules.longestName
            )
            checked.append(ingredient)
        }
        return checked
    }

    private static func recipesOfType(
        _ type: Identifier,
        _ transaction: Transaction
    ) throws(ServiceError) -> [Recipe] {
        try transaction.records(Recipe.self, where: "\"type\" = $1", .id(type))
    }
}
