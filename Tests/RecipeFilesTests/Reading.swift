import RecipeFiles

/// What a reader gave.
struct Reading {
    var recipes: [RecipeDraft] = []
    var notes: [RecipeProblem] = []
    var problems: [RecipeProblem] = []

    init(_ reader: consuming RecipeReader) {
        while let entry = reader.next() {
            switch entry {
            case .recipe(let draft, _, let notes):
                recipes.append(draft)
                self.notes += notes
            case .problem(let problem) where problem.effect == .refused: problems.append(problem)
            case .problem(let problem): notes.append(problem)
            }
        }
    }

    init(_ text: String, named name: String = "file") {
        self.init(RecipeReader(contents: Array(text.utf8), named: name))
    }

    /// A schema.org Recipe named `x` with these members.
    init(members: String) {
        self.init(#"{"@context":"https://schema.org","@type":"Recipe","name":"x",\#(members)}"#)
    }
}

/// `Mix.`, and `# Glaze` for a heading.
func texts(_ lines: [RecipeDraft.Line]?) -> [String] {
    (lines ?? []).map { $0.isHeading ? "# \($0.text)" : $0.text }
}
