import Messages

extension Noun where Row == Customer {
    /// Customers as they are printed.
    static let customer = Noun(
        "customer",
        plural: "customers",
        summary: "Someone who orders.",
        fields: [
            .id("id", "Id", "The customer's UUID.") { $0.id },
            .text("name", "Name", "The name; two customers may share one.") { $0.name },
            .text("email", "E-mail", "The e-mail address.") { $0.email },
            .text("phone", "Phone", "The phone number.") { $0.phone },
            .text("address", "Address", "The postal address.") { $0.address },
            .text("info", "Info", "Anything else worth knowing.", inTable: false) { $0.info },
            .text("reference", "Reference", "What the customer is called elsewhere.", inTable: false) { $0.reference },
            .integer("version", "Version", "Raised by one with each change.", inTable: false) { Int64($0.version) },
        ],
        id: \.id
    )
}
