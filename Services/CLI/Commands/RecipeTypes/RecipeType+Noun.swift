import Messages

extension Noun where Row == RecipeType {
    /// Recipe types as they are printed.
    static let recipeType = Noun(
        "type",
        plural: "types",
        summary: "A kind of recipe.",
        fields: [
            .id("id", "Id", "The type's UUID.") { $0.id },
            .text("name", "Name", "The name; unique, case and accents aside.") { $0.name },
            .integer("version", "Version", "Raised by one with each change.", inTable: false) { Int64($0.version) },
        ],
        id: \.id
    )
}
