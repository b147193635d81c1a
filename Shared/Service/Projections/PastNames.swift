public import Messages
internal import Store

/// What records show of another service's: the names that a projection of ``KnownNames`` keeps up to date in them.
public struct ShownNames<R: Record>: Sendable {
    /// The name that the record of an id had; nil where it has not changed since.
    public typealias Former = (Identifier) throws(ServiceError) -> String?

    /// A condition in SQL over the entity's tables, for the records that refer to the id $1.
    public let referring: String
    /// Sets the names of what a record refers to.
    let rename: @Sendable (inout R, Former) throws(ServiceError) -> Void

    /// - Parameters:
    ///   - referring: a condition in SQL over the entity's tables, for the records that refer to the id $1.
    ///   - rename: sets each name that it is given another one for.
    public init(
        referring: String,
        rename: @escaping @Sendable (inout R, Former) throws(ServiceError) -> Void
    ) {
        self.referring = referring
        self.rename = rename
    }
}

/// The names that records of another service had, by the time of the event that ended each.
///
/// By time and not by the number of the event, because what is asked for is a moment of this service's own log.
enum PastNames {
    /// A record has another name from this event on, or is gone.
    static func end(
        _ name: String,
        of id: Identifier,
        _ time: Instant,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        let last = try transaction.first("SELECT max(until) FROM past_known_names WHERE id = $1", .id(id)) {
            $0.isNull(0) ? nil : $0.integer(0)
        }
        // Where a clock was put back, the name ended just behind the one before it.
        let until = max(time.microseconds, (last ?? nil).map { Int64(clamping: Int128($0) + 1) } ?? .min)
        try transaction.execute(
            "INSERT INTO past_known_names (id, until, name) VALUES ($1, $2, $3) ON CONFLICT (id, until) DO NOTHING",
            .id(id),
            .integer(until),
            .text(name)
        )
        // As of what the own log no longer has nobody can ask.
        let floor = try storing { () throws(StoreError) in try Floor.load(transaction.session) }
        try transaction.execute("DELETE FROM past_known_names WHERE until < $1", .integer(floor.time.microseconds))
    }

    /// Nothing is left of what a record was called.
    static func erase(_ id: Identifier, _ transaction: inout Transaction) throws(ServiceError) {
        try transaction.execute("DELETE FROM past_known_names WHERE id = $1", .id(id))
    }

    /// The names were made from snapshots: what they were before is not known.
    static func begin(_ transaction: inout Transaction) throws(ServiceError) {
        try transaction.execute(
            "INSERT INTO known_names_since (time) VALUES ($1)",
            .integer(transaction.time.microseconds)
        )
    }

    /// Since when names are known; nil for always.
    static func since(_ session: Session) throws(ServiceError) -> Instant? {
        try storing { () throws(StoreError) in
            try session.first("SELECT time FROM known_names_since") { Instant(microseconds: $0.integer(0)) }
        }
    }

    /// Of which records the name has changed since that time.
    static func changed(since time: Int64, _ session: Session) throws(ServiceError) -> [Identifier] {
        var ids: [Identifier] = []
        try storing { () throws(StoreError) in
            try session.query("SELECT DISTINCT id FROM past_known_names WHERE until > $1", .integer(time)) {
                if let id = $0.id(0) { ids.append(id) }
            }
        }
        return ids
    }

    /// What the record was called at that time, where that has changed since.
    static func name(of id: Identifier, at time: Int64, _ session: Session) throws(ServiceError) -> String? {
        try storing { () throws(StoreError) in
            try session.first(
                "SELECT name FROM past_known_names WHERE id = $1 AND until > $2 ORDER BY until LIMIT 1",
                .id(id),
                .integer(time)
            ) { $0.text(0) }
        }
    }

    /// The time of the last change of a name.
    static func last(_ session: Session) throws(ServiceError) -> Int64? {
        try storing { () throws(StoreError) in
            try session.first("SELECT max(until) FROM past_known_names") { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
        }
    }
}
