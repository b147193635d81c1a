internal import Messages
internal import Service

extension Catalog {
    static let services = Entity<SoldService>(
        table: "services",
        columns: [
            .text("name") { $0.name },
            .plain("info") { $0.info },
            .integer("price") { $0.price?.amount },
            .plain("currency") { $0.price?.currency.code },
            .text("reference") { $0.reference },
        ],
        indexes: ["name_key", "reference"],
        sort: [SortKey("name")],
        searched: { [$0.name, $0.info, $0.reference] },
        prepare: { (service, _, _) throws(ServiceError) in
            service.name = try TextRules.name(service.name)
            service.info = try TextRules.optional(service.info, field: "info")
            service.reference = try TextRules.optional(
                service.reference,
                field: "reference",
                limit: TextRules.longestName
            )
        },
        willDelete: { (service, request, transaction) throws(ServiceError) in
            try References.checkUnused(service.id, "service", service.name, request.force, &transaction)
        }
    )
}
