internal import Messages
internal import Store

/// Where the log begins: events up to here are no longer kept, and what they led to is the base.
///
/// Folding starts with table `base`, which holds each record as it stood here (a deleted one without a body), and goes
/// on with the events above.
struct Floor: Equatable {
    /// The last event that is no longer kept; 0 where all are.
    var sequence: Int64 = 0
    /// The chain at `sequence`: a position that is exactly here can be continued from.
    var chain: UInt64 = 0
    /// The command that the event at `sequence` belongs to.
    var transaction: Int64 = 0
    /// When that event happened, or one before it where a clock was put back: what is older is not kept.
    var time = Instant(microseconds: 0)

    static func load(_ session: Session) throws(StoreError) -> Floor {
        let floor =
            try session.first("SELECT sequence, chain, \"transaction\", time FROM floor") { row in
                Floor(
                    sequence: row.integer(0),
                    chain: row.bits(1),
                    transaction: row.integer(2),
                    time: Instant(microseconds: row.integer(3))
                )
            } ?? Floor()
        try Counter.check(floor.sequence, "last event that is not kept")
        try Counter.check(floor.transaction, "last transaction that is not kept")
        return floor
    }

    func store(_ session: Session) throws(StoreError) {
        try session.execute("DELETE FROM floor")
        try session.execute(
            "INSERT INTO floor (sequence, chain, \"transaction\", time) VALUES ($1, $2, $3, $4)",
            .integer(sequence),
            .bits(chain),
            .integer(transaction),
            .integer(time.microseconds)
        )
    }
}

extension ServiceError {
    /// What was asked for lies below the floor.
    static func compacted(_ what: String, _ floor: Floor, field: String) -> ServiceError {
        let message = "\(what) is older than what is kept: events go back to \(floor.time)"
        return .refused(
            .gone,
            ErrorBody(code: ResyncReason.compacted.rawValue, message: message, field: field, found: "\(floor.time)")
        )
    }
}
