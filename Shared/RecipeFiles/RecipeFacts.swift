internal import Measures

extension RecipeExport {
    /// Type, times and yield, as people read them.
    var facts: [(title: String, text: String)] {
        [
            ("Type", draft.category), ("Makes", draft.yield), ("Preparation", Self.time(draft.prepTime)),
            ("Cooking", Self.time(draft.cookTime)), ("In all", Self.time(draft.totalTime)),
        ].compactMap { title, text in text.map { (title, $0) } }
    }

    /// As it was written. ISO 8601 is put as people do, and what tries to be that and says nothing is left out.
    private static func time(_ text: String?) -> String? {
        guard let text, text.hasPrefix("P"), !text.contains(" ") else { return text }
        return RecipeDuration(text)?.description
    }
}
