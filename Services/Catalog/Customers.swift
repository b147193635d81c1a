internal import Messages
internal import Service

extension Catalog {
    static let customers = Entity<Customer>(
        table: "customers",
        columns: [
            .text("name") { $0.name },
            .text("email") { $0.email },
            .text("phone") { $0.phone },
            .text("address") { $0.address },
            .plain("info") { $0.info },
            .text("reference") { $0.reference },
        ],
        indexes: ["name_key", "reference"],
        sort: [SortKey("name")],
        searched: { [$0.name, $0.email, $0.phone, $0.address, $0.info, $0.reference] },
        prepare: { (customer, _, _) throws(ServiceError) in
            customer.name = try TextRules.name(customer.name)
            customer.info = try TextRules.optional(customer.info, field: "info")
            customer.email = try TextRules.optional(customer.email, field: "email", limit: 254)
            customer.phone = try TextRules.optional(customer.phone, field: "phone", limit: 100)
            customer.address = try TextRules.optional(customer.address, field: "address")
            customer.reference = try TextRules.optional(
                customer.reference,
                field: "reference",
                limit: TextRules.longestName
            )
        },
        willDelete: { (customer, request, transaction) throws(ServiceError) in
            try References.checkUnused(customer.id, "customer", customer.name, request.force, &transaction)
        },
        erase: { customer in
            customer = Customer(id: customer.id, version: customer.version, name: Erased.name)
        }
    )
}
