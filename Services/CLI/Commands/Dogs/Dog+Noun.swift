import Messages

extension Noun where Row == Dog {
    /// Dogs as they are printed.
    static let dog = Noun(
        "dog",
        plural: "dogs",
        summary: "A dog that is walked.",
        fields: [
            .id("id", "Id", "The dog's UUID.") { $0.id },
            .text("name", "Name", "The name; unique, case and accents aside.") { $0.name },
            .integer("version", "Version", "Raised by one with each change.", inTable: false) { Int64($0.version) },
        ],
        id: \.id
    )
}
