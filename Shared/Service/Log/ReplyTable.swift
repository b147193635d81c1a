internal import CBOR
internal import Messages
internal import Store

/// The replies to commands, by idempotency key: what makes a repeat harmless.
///
/// A key's own time (UUIDv7) must not be older than the floor, which rises with the clock and never falls: what is
/// older was dropped and its outcome is unknown. Keys of other versions have no time and are kept for good.
struct ReplyTable {
    /// How long replies are kept, in milliseconds.
    static let reach: Int64 = 7 * 24 * 3600 * 1000
    /// How far ahead of this service's clock a key may be, in milliseconds.
    static let ahead: Int64 = 24 * 3600 * 1000

    struct Stored {
        /// The command's last event, or where the log ended when it made none.
        var sequence: Int64
        /// How many events it made.
        var events: Int
        var body: [UInt8]
    }

    private var floor: Int64
    /// Replies up to this time are dropped, in milliseconds since 1970.
    private var droppedThrough: Int64
    /// The key up to which the present round has dropped.
    private var dropped = Identifier(high: 0, low: 0)

    init(_ session: Session) throws(StoreError) {
        floor = try Counter.value("key floor", session)
        // Whatever is left from before the start is looked for once.
        droppedThrough = 0
    }

    /// The reply stored under this key; nil where the command has to be run.
    ///
    /// - Throws: `key-reused` for other content or another principal, `key-expired`, or `invalid` for a key from
    ///   the future.
    func find(
        _ key: Identifier,
        fingerprint: UInt64,
        principal: String?,
        now: Instant,
        _ session: Session
    ) throws(ServiceError) -> Stored? {
        let found = try storing { () throws(StoreError) in
            try session.first(
                "SELECT principal, fingerprint, sequence, events, body FROM reply WHERE key = $1",
                .id(key)
            ) { row in
                (
                    row.optionalText(0), row.bits(1),
                    Stored(sequence: row.integer(2), events: Int(row.integer(3)), body: row.blob(4))
                )
            }
        }
        if let (owner, print, stored) = found {
            guard print == fingerprint, owner == principal else {
                throw .refused(
                    .keyReused,
                    "the key \(key) was used for another command: use a new key for each command",
                    field: "key",
                    found: key.description
                )
            }
            return stored
        }
        guard let time = key.milliseconds else { return nil }
        if time < max(floor, now.milliseconds - ReplyTable.reach) {
            throw .refused(
                .keyExpired,
                """
                the key \(key) is older than the \(ReplyTable.reach / 86_400_000) days for which replies are kept: \
                look whether the command was done, and repeat it with a new key if not
                """,
                field: "key",
                found: key.description
            )
        }
        if time > now.milliseconds + ReplyTable.ahead {
            throw .invalid(
                field: "key",
                found: key.description,
                "the key \(key) is more than a day in the future: check this machine's and the service's clocks"
            )
        }
        return nil
    }

    /// What the command with this key was answered; `not-found` where nothing is stored, or it is another principal's.
    @Sendable static func get(_ request: GetReply, _ reading: Reading) throws(ServiceError) -> GetReply.Reply {
        let key = request.key
        let found = try reading.first("SELECT principal, operation, body FROM reply WHERE key = $1", .id(key)) { row in
            (row.optionalText(0), GetReply.Reply(operation: row.text(1), reply: EncodedCBOR(trusted: row.blob(2))))
        }
        guard let (owner, reply) = found, owner == reading.principal else {
            throw .refused(.notFound, "no reply is kept under the key \(key)", field: "key", found: key.description)
        }
        return reply
    }

    func store(
        _ key: Identifier,
        _ operation: String,
        fingerprint: UInt64,
        principal: String?,
        _ reply: Stored,
        _ session: Session
    ) throws(StoreError) {
        try session.execute(
            """
            INSERT INTO reply (key, principal, operation, fingerprint, sequence, events, body)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            .id(key),
            .optional(principal),
            .text(operation),
            .bits(fingerprint),
            .integer(reply.sequence),
            .integer(Int64(reply.events)),
            .blob(reply.body)
        )
    }

    /// Raises the floor and drops some of what fell below it; for quiet moments.
    ///
    /// - Returns: Whether there may be more to drop.
    mutating func drop(now: Instant, _ session: Session) throws(StoreError) -> Bool {
        let limit = now.milliseconds - ReplyTable.reach
        guard limit > droppedThrough + 3_600_000 else { return false }
        if limit > floor {
            floor = limit
            try Counter.set("key floor", to: floor, session)
        }
        let bound = Identifier(high: UInt64(limit) << 16, low: 0)
        // Version 7 only: other keys have no time, and are passed over.
        var keys: [Identifier] = []
        var last: Identifier?
        try session.query(
            "SELECT key FROM reply WHERE key > $1 AND key < $2 ORDER BY key LIMIT 2000",
            .id(dropped),
            .id(bound)
        ) { row in
            last = row.id(0)
            if let key = last, key.version == 7 { keys.append(key) }
        }
        for key in keys { try session.execute("DELETE FROM reply WHERE key = $1", .id(key)) }
        guard let last else {
            droppedThrough = limit
            dropped = Identifier(high: 0, low: 0)
            return false
        }
        dropped = last
        return true
    }

    /// Operation and body, as one number.
    static func fingerprint(_ operation: String, _ body: [UInt8]) -> UInt64 {
        var digest = Digest()
        digest.add(operation)
        digest.add(body)
        return digest.value
    }
}
