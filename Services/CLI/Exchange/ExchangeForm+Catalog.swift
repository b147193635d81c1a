import Messages

extension ExchangeForm where R == Customer {
    static let customer = ExchangeForm(
        noun: .customer,
        columns: [
            .required("name") { $0.name = $1 },
            .text("email") { $0.email = $1 },
            .text("phone") { $0.phone = $1 },
            .text("address") { $0.address = $1 },
            .text("info") { $0.info = $1 },
            .text("reference", isShort: true) { $0.reference = $1 },
        ],
        make: { id, _ in Customer(id: id, name: "") }
    )
}

extension ExchangeForm where R == SoldService {
    static let service = ExchangeForm(
        noun: .service,
        columns: [
            .required("name") { $0.name = $1 },
            .money("price") { $0.price = $1 },
            .text("info") { $0.info = $1 },
            .text("reference", isShort: true) { $0.reference = $1 },
            .reference("recipe", id: "recipeId", to: .recipe) { service, id, name in
                (service.recipe, service.recipeName) = (id, name)
            },
        ],
        make: { id, _ in SoldService(id: id, name: "") }
    )
}

extension ExchangeForm where R == RecipeType {
    static let recipeType = ExchangeForm(
        noun: .recipeType,
        columns: [.required("name") { $0.name = $1 }],
        make: { id, _ in RecipeType(id: id, name: "") }
    )
}

extension ExchangeForm where R == Recipe {
    /// Without pictures, which `daybook recipes export` writes; those of records that are there stay.
    static let recipe = ExchangeForm(
        noun: .recipe,
        columns: [
            .required("name") { $0.name = $1 },
            .reference("type", id: "typeId", to: .recipeType) { recipe, id, name in
                (recipe.type, recipe.typeName) = (id, name)
            },
            .text("prepTime", isShort: true) { $0.prepTime = $1 },
            .text("cookTime", isShort: true) { $0.cookTime = $1 },
            .text("totalTime", isShort: true) { $0.totalTime = $1 },
            .text("yield", isShort: true) { $0.yield = $1 },
            .text("source") { $0.source = $1 },
            .text("overview") { $0.overview = $1 },
        ],
        lists: [
            ExchangeList(
                .list(
                    "ingredients",
                    "Ingredients",
                    "What it takes, in order.",
                    of: Noun<Ingredient>.ingredient.fields(["id", "line", "isHeading"])
                ) { $0.ingredients },
                columns: [
                    .text("line") { $0.line = $1 ?? "" }, .boolean("isHeading") { $0.isHeading = $1 ? true : nil },
                ],
                items: \.ingredients,
                set: { $0.ingredients = $1 },
                id: \.id,
                make: { Ingredient(id: $0, line: "") },
                finish: { item, _ in item.line.isEmpty ? CellFault(column: "line", reason: "It is blank.") : nil }
            ),
            ExchangeList(
                .list(
                    "steps",
                    "Steps",
                    "How it is made, in order.",
                    of: Noun<RecipeStep>.step.fields(["id", "text", "isHeading"])
                ) { $0.steps },
                columns: [
                    .text("text") { $0.text = $1 ?? "" }, .boolean("isHeading") { $0.isHeading = $1 ? true : nil },
                ],
                items: \.steps,
                set: { $0.steps = $1 },
                id: \.id,
                make: { RecipeStep(id: $0, text: "") },
                finish: { item, _ in item.text.isEmpty ? CellFault(column: "text", reason: "It is blank.") : nil }
            ),
        ],
        make: { id, _ in Recipe(id: id, name: "") }
    )
}

extension Noun {
    /// The fields of these names.
    func fields(_ names: [String]) -> [Field<Row>] {
        names.compactMap { name in fields.first { $0.declaration.name == name } }
    }
}
