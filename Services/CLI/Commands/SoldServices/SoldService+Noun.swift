import Messages

extension Noun where Row == SoldService {
    /// Services as they are printed.
    static let service = Noun(
        "service",
        plural: "services",
        summary: "Something that is sold.",
        fields: [
            .id("id", "Id", "The service's UUID.") { $0.id },
            .text("name", "Name", "The name; two services may share one.") { $0.name },
            .money("price", "Price", "The usual price; a row of an order may have any other.") { $0.price },
            .text("info", "Info", "Anything else worth knowing.") { $0.info },
            .text("reference", "Reference", "What the service is called elsewhere.", inTable: false) { $0.reference },
            .text("recipe", "Recipe", "The name of the recipe it is made by.", inTable: false) { $0.recipeName },
            .id("recipeId", "Recipe's id", "The UUID of the recipe it is made by.", inTable: false) { $0.recipe },
            .integer("version", "Version", "Raised by one with each change.", inTable: false) { Int64($0.version) },
        ],
        id: \.id
    )
}
