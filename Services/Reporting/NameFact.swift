internal import Messages
internal import Service
internal import Store
internal import Text

/// The name of a customer or a service, as it is and as it was.
enum NameFact {
    /// Writes what the event tells of the name.
    static func apply(_ event: Event, _ transaction: inout Transaction) throws(ServiceError) {
        if let customer = try event.record(Customer.self) {
            try store(event, customer.name, customer.reference, &transaction)
        } else if let service = try event.record(SoldService.self) {
            try store(event, service.name, service.reference, &transaction)
        } else {
            try keepPast(event, &transaction)
            try transaction.execute("DELETE FROM names WHERE id = $1", .id(event.subject))
        }
        guard event.isErasure else { return }
        try transaction.execute(
            "UPDATE past_names SET name = $1, name_key = $2, reference = NULL WHERE id = $3",
            .text(Erased.name),
            .blob(Collation.sortKey(Erased.name)),
            .id(event.subject)
        )
    }

    private static func store(
        _ event: Event,
        _ name: String,
        _ reference: String?,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        let known = try transaction.first("SELECT name, reference FROM names WHERE id = $1", .id(event.subject)) {
            (name: $0.text(0), reference: $0.optionalText(1))
        }
        if let known, known == (name, reference) { return }
        if known != nil { try keepPast(event, &transaction) }
        try transaction.execute(
            """
            INSERT INTO names (id, entity, name, name_key, reference, since) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, name_key = excluded.name_key, reference = excluded.reference,
                since = excluded.since
            """,
            .id(event.subject),
            .text(event.entity),
            .text(name),
            .blob(Collation.sortKey(name)),
            .optional(reference),
            .integer(event.sequence)
        )
    }

    /// The name that the event ends.
    private static func keepPast(_ event: Event, _ transaction: inout Transaction) throws(ServiceError) {
        try transaction.execute(
            """
            INSERT INTO past_names (id, since, until, name, name_key, reference)
            SELECT id, since, $1, name, name_key, reference FROM names WHERE id = $2
            """,
            .integer(event.sequence),
            .id(event.subject)
        )
    }
}
