internal import Messages
internal import Store

/// The references of a service's own records to another's: found where there is nothing, and taken out.
public struct ForeignReferences: Sendable {
    /// A query of the records whose references lead nowhere, by what the projection knows: their entity and id.
    let dangling: String
    /// Takes these references out, as changes with their events.
    let clear: Projection.Mend

    public init(dangling: String, clear: @escaping Projection.Mend) {
        self.dangling = dangling
        self.clear = clear
    }
}

/// Takes out what refers to nothing.
struct ReferenceRoutes: Sendable {
    let projections: [Projection]

    @Sendable func repair(
        _ request: RepairReferences,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> RepairReferences.Reply {
        for projection in projections {
            guard let references = projection.references else { continue }
            guard try transaction.isFollowedToHead(projection.source) else {
                throw .refused(.unavailable, "\(projection.source) does not answer: try again when it runs")
            }
            try references.clear(&transaction)
        }
        return RepairReferences.Reply(records: Int64(transaction.events.count))
    }

    /// Hands each record to the closure that refers to what the followed service doesn't have. What is not followed yet,
    /// or not whole, tells nothing.
    func dangling(
        _ reading: Reading,
        each body: (_ source: ServiceName, _ entity: String, _ id: Identifier) -> Void
    ) throws(ServiceError) {
        for projection in projections {
            guard let references = projection.references, try reading.followed(projection.source) != nil else {
                continue
            }
            try reading.query(references.dangling) { row in
                if let id = row.id(1) { body(projection.source, row.text(0), id) }
            }
        }
    }
}
