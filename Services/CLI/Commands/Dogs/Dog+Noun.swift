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
            .text("owner", "Owner", "The name of the customer whose dog it is.") { dog in
                dog.owner == nil ? nil : dog.ownerName ?? "-- Unknown --"
            },
            .id("ownerId", "Owner's id", "The owner's UUID.", inTable: false) { $0.owner },
            .integer("version", "Version", "Raised by one with each change.", inTable: false) { Int64($0.version) },
        ],
        id: \.id
    )
}
