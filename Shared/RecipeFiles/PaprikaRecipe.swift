internal import JSON

/// A recipe as Paprika exports it: a JSON object of texts.
enum PaprikaRecipe {
    /// Stands in front of Paprika's uid in ``RecipeDraft/identifier``.
    static let scheme = "paprika:"

    /// Whether an object is one: others don't have ingredients or directions as one text.
    static func isOne(_ value: JSONValue) -> Bool {
        guard value["@type"] == nil, value["name"] != nil else { return false }
        for key in ["ingredients", "directions", "photo_data"] {
            if case .string? = value[key] { return true }
        }
        return false
    }

    /// - Parameter place: with the path of the object.
    /// - Throws: a ``RecipeProblem`` where it has no name.
    static func draft(
        of value: JSONValue,
        at place: RecipePlace
    ) throws(RecipeProblem) -> (RecipeDraft, notes: [RecipeProblem]) {
        func text(_ key: String) -> String? {
            switch value[key] {
            case .string(let text): text
            case .number(let text): text
            default: nil
            }
        }
        func line(_ key: String) -> String? { text(key).flatMap(DraftText.line) }
        guard let name = line("name") else {
            var place = place
            place.path = (place.path ?? "$") + ".name"
            throw RecipeProblem(.refused, place, "the recipe has no name: give it one in Paprika, and export it again")
        }
        let overview = [text("description"), text("notes")].compactMap { $0.flatMap(DraftText.paragraphs) }
        var draft = RecipeDraft(name: name)
        draft.identifier = line("uid").map { scheme + $0 }
        draft.overview = overview.joined(separator: "\n\n").nonEmpty
        if case .array(let categories)? = value["categories"] {
            for case .string(let category) in categories where draft.category == nil {
                draft.category = DraftText.line(category)
            }
        }
        draft.source = line("source_url") ?? line("source")
        draft.yields = [line("servings")].compactMap(\.self)
        draft.prepTime = line("prep_time")
        draft.cookTime = line("cook_time")
        draft.totalTime = line("total_time")
        draft.ingredients = DraftText.lines(text("ingredients") ?? "").compactMap { line in
            guard let line = DraftText.line(line) else { return nil }
            let heading = StepList.heading(line, colons: true)
            return RecipeDraft.Line(heading ?? line, isHeading: heading != nil)
        }
        draft.steps = StepList.lines(of: text("directions") ?? "", colons: true)
        var notes: [RecipeProblem] = []
        if let photo = text("photo_data"), !photo.isEmpty {
            if let bytes = Base64.bytes(photo.utf8) {
                draft.picture = RecipeDraft.Picture(name: line("photo"), bytes: bytes)
            } else {
                let sentence = "the photo can't be decoded and is left out: add it with 'recipes edit'"
                notes.append(RecipeProblem(.leftOut, place, recipe: name, sentence))
            }
        }
        if draft.picture == nil, let address = line("image_url") { draft.picture = RecipeDraft.Picture(name: address) }
        return (draft, notes)
    }
}
