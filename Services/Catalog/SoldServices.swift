internal import Messages
internal import Service
internal import Store

extension Catalog {
    static let services = Entity<SoldService>(
        table: "services",
        columns: [
            .text("name") { $0.name },
            .plain("info") { $0.info },
            .integer("price") { $0.price?.amount },
            .plain("currency") { $0.price?.currency.code },
            .text("reference") { $0.reference },
            .id("recipe") { $0.recipe },
            .plain("recipe_name") { $0.recipeName },
        ],
        indexes: ["name_key", "reference", "recipe"],
        sort: [SortKey("name")],
        derived: ["recipeName"],
        searched: { [$0.name, $0.info, $0.reference] },
        prepare: { (service, _, transaction) throws(ServiceError) in
            service.name = try TextRules.name(service.name)
            service.info = try TextRules.optional(service.info, field: "info")
            service.reference = try TextRules.optional(
                service.reference,
                field: "reference",
                limit: TextRules.longestName
            )
            service.recipeName = nil
            if let id = service.recipe {
                guard let recipe = try transaction.record(Recipe.self, id) else {
                    throw .invalid(field: "recipe", found: id.description, "there is no recipe \(id)")
                }
                service.recipeName = recipe.name
            }
        },
        willDelete: { (service, request, transaction) throws(ServiceError) in
            try References.checkUnused(service.id, "service", service.name, request.force, &transaction)
        }
    )

    /// The services that are made by a recipe.
    static func services(
        madeBy recipe: Identifier,
        _ transaction: Transaction
    ) throws(ServiceError) -> [SoldService] {
        try transaction.records(SoldService.self, where: "\"recipe\" = $1", .id(recipe))
    }
}
