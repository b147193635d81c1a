internal import JSON
internal import Measures

/// Writes a recipe as a schema.org Recipe.
enum LinkedDataText {
    private typealias Extension = SchemaRecipe.Extension

    static func node(_ recipe: RecipeExport, hasContext: Bool) -> JSONValue {
        let draft = recipe.draft
        var members: [JSONValue.Member] = []
        func add(_ key: String, _ value: JSONValue?) {
            if let value { members.append(JSONValue.Member(key: key, value: value)) }
        }
        func addTime(_ key: String, _ text: String?, _ written: String) {
            guard let text else { return }
            let duration = RecipeDuration(text)?.iso8601
            add(key, duration.map(JSONValue.string))
            if duration != text { add(written, .string(text)) }
        }
        if hasContext { add("@context", "https://schema.org") }
        add("@type", "Recipe")
        add("@id", draft.identifier.map(JSONValue.string))
        add("name", .string(draft.name))
        add("description", draft.overview.map(JSONValue.string))
        add("recipeCategory", draft.category.map(JSONValue.string))
        add("recipeYield", draft.yield.map(JSONValue.string))
        addTime("prepTime", draft.prepTime, Extension.prepTime)
        addTime("cookTime", draft.cookTime, Extension.cookTime)
        addTime("totalTime", draft.totalTime, Extension.totalTime)
        if !draft.ingredients.isEmpty {
            add("recipeIngredient", .array(draft.ingredients.map { .string($0.text) }))
            let headings = draft.ingredients.indices.filter { draft.ingredients[$0].isHeading }
            if !headings.isEmpty { add(Extension.headings, .array(headings.map { .number(String($0)) })) }
        }
        if !draft.steps.isEmpty { add("recipeInstructions", .array(instructions(draft.steps))) }
        add("isBasedOn", draft.source.map(source))
        addPicture(recipe, add)
        add(Extension.format, .number("1"))
        return .object(members)
    }

    /// Each heading begins a section that holds the steps up to the next.
    private static func instructions(_ steps: [RecipeDraft.Line]) -> [JSONValue] {
        func step(_ line: RecipeDraft.Line) -> JSONValue { ["@type": "HowToStep", "text": .string(line.text)] }
        var values: [JSONValue] = []
        var rest = steps[...]
        while let line = rest.popFirst() {
            guard line.isHeading else {
                values.append(step(line))
                continue
            }
            let items = rest.prefix { !$0.isHeading }
            rest = rest.dropFirst(items.count)
            values.append([
                "@type": "HowToSection", "name": .string(line.text), "itemListElement": .array(items.map(step)),
            ])
        }
        return values
    }

    private static func source(_ text: String) -> JSONValue {
        if text.hasPrefix("https://") || text.hasPrefix("http://") { return .string(text) }
        return ["@type": "CreativeWork", "name": .string(text)]
    }

    private static func addPicture(_ recipe: RecipeExport, _ add: (String, JSONValue?) -> Void) {
        guard let picture = recipe.draft.picture else { return }
        if let address = recipe.pictureAddress {
            add(
                "image",
                ["@type": "ImageObject", "url": .string(address), "name": .string(picture.name ?? recipe.draft.name)]
            )
        } else if let name = picture.name {
            if name.hasPrefix("https://") || name.hasPrefix("http://") { add("image", .string(name)) }
            add(Extension.pictureName, .string(name))
        }
    }
}
