internal import CBOR
internal import Messages
internal import Store

/// A change that a command makes, before it has its place in the log.
struct PendingEvent {
    var entity: String
    var action: String
    var subject: Identifier
    var version: Int
    var data: [UInt8]?
    var before: [UInt8]?
    var cause: String?
}

/// An event as it was written.
struct LoggedEvent {
    var sequence: Int64
    var entity: String
    var chain: UInt64
    var body: [UInt8]
}

/// The event log: appended in the transaction of the change, read by publishing and replay.
///
/// The head is kept in memory and is the store's: one process has the store open. After a transaction that was
/// not committed it has to be reloaded.
struct EventLog {
    let epoch: Identifier
    private(set) var sequence: Int64 = 0
    private(set) var chain: UInt64 = 0
    private(set) var transaction: Int64 = 0
    /// The last event of each entity.
    private(set) var entities: [String: Int64] = [:]
    /// When the last event was, or an earlier one where a clock was put back: never falls.
    private(set) var moment: Int64 = .min
    /// The events that are kept, together.
    private(set) var bytes: Int64 = 0

    /// An event is at most this many bytes, so that it fits into a frame with what goes around it.
    static let mostEventBytes = 960 * 1024

    static let headPrefix = "event/"
    private static let bytesCounter = "event bytes"

    /// - Parameters:
    ///   - isRestored: the store was put back from a copy: what comes now is another log, with an epoch of its own.
    ///   - newEpoch: for a log that begins.
    init(
        _ session: Session,
        isRestored: Bool = false,
        newEpoch: @autoclosure () -> Identifier = .make()
    ) throws(StoreError) {
        if isRestored { try session.execute("DELETE FROM meta WHERE key = 'epoch'") }
        let text = try session.first("SELECT value FROM meta WHERE key = 'epoch'") { $0.text(0) }
        if let text {
            guard let kept = Identifier(text) else { throw .fault("the store's epoch is '\(text)'") }
            epoch = kept
        } else {
            epoch = newEpoch()
            try session.execute("INSERT INTO meta (key, value) VALUES ('epoch', $1)", .text(epoch.description))
        }
        try reload(session)
    }

    mutating func reload(_ session: Session) throws(StoreError) {
        sequence = 0
        chain = 0
        transaction = 0
        entities = [:]
        moment = .min
        let last = try session.first("SELECT sequence, chain, moment FROM event ORDER BY sequence DESC LIMIT 1") {
            ($0.integer(0), $0.bits(1), $0.integer(2))
        }
        if let last { (sequence, chain, moment) = last }
        var heads: [String: Int64] = [:]
        var count: Int64 = 0
        var size: Int64 = 0
        try session.query("SELECT name, value FROM counter") { row in
            let name = row.text(0)
            if name == "transaction" { count = row.integer(1) }
            if name == EventLog.bytesCounter { size = row.integer(1) }
            if name.hasPrefix(EventLog.headPrefix) {
                heads[String(name.dropFirst(EventLog.headPrefix.count))] = row.integer(1)
            }
        }
        for (name, number) in [("last event", sequence), ("last transaction", count), ("size of events", size)] {
            try Counter.check(number, name)
        }
        entities = heads
        transaction = count
        bytes = size
    }

    /// Writes the events of one command, and returns them as they will be published.
    mutating func append(
        _ pending: [PendingEvent],
        _ session: Session,
        time: Instant,
        principal: String? = nil,
        key: Identifier? = nil,
        traceparent: String? = nil
    ) throws(ServiceError) -> [LoggedEvent] {
        guard !pending.isEmpty else { return [] }
        transaction += 1
        moment = max(moment, time.microseconds)
        var logged: [LoggedEvent] = []
        for (index, change) in pending.enumerated() {
            let isLast = index == pending.count - 1
            let event = Event(
                sequence: sequence + 1,
                previous: entities[change.entity] ?? 0,
                transaction: transaction,
                last: isLast ? true : nil,
                type: "\(change.entity).\(change.action)",
                subject: change.subject,
                time: time,
                version: change.version,
                data: change.data.map(EncodedCBOR.init(trusted:)),
                before: change.before.map(EncodedCBOR.init(trusted:)),
                principal: principal,
                cause: change.cause,
                traceparent: traceparent
            )
            let body = try encoded(event)
            guard body.count <= EventLog.mostEventBytes else {
                throw .refused(
                    .tooLarge,
                    """
                    the change of this \(change.entity) is \(body.count) bytes, what it was included: \
                    at most \(EventLog.mostEventBytes) can be told; make its texts shorter, or split it
                    """
                )
            }
            let digest = Digest.of(body)
            sequence += 1
            chain = EventLog.link(chain, digest)
            bytes += Int64(body.count)
            entities[change.entity] = sequence
            try storing { () throws(StoreError) in
                try session.execute(
                    """
                    INSERT INTO event (sequence, entity, subject, version, last, moment, digest, chain, key, body)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                    """,
                    .integer(sequence),
                    .text(change.entity),
                    .id(change.subject),
                    .integer(Int64(change.version)),
                    .boolean(isLast),
                    .integer(moment),
                    .bits(digest),
                    .bits(chain),
                    .optional(key),
                    .blob(body)
                )
            }
            logged.append(LoggedEvent(sequence: sequence, entity: change.entity, chain: chain, body: body))
        }
        return logged
    }

    /// The chain behind an event of this digest.
    static func link(_ chain: UInt64, _ digest: UInt64) -> UInt64 {
        var link = Digest()
        link.add(number: chain)
        link.add(number: digest)
        return link.value
    }

    /// Writes the heads of the entities named; once for each group.
    func storeHeads(of changed: Set<String>, _ session: Session) throws(StoreError) {
        guard !changed.isEmpty else { return }
        try Counter.set("transaction", to: transaction, session)
        try Counter.set(EventLog.bytesCounter, to: bytes, session)
        for entity in changed {
            try Counter.set(EventLog.headPrefix + entity, to: entities[entity] ?? 0, session)
        }
    }

    /// Takes events that are no longer kept out of the count of bytes.
    mutating func dropped(_ count: Int64, _ session: Session) throws(StoreError) {
        bytes = max(0, bytes - count)
        try Counter.set(EventLog.bytesCounter, to: bytes, session)
    }
}

/// Numbers that are kept in the transaction of what they count.
enum Counter {
    /// No count comes this far. What a file says beyond it is not counted on, so that no sum overflows.
    static let most: Int64 = 1 << 62

    /// - Throws: `.fault` for what is no count, as a store that something else has written to may have it.
    static func check(_ number: Int64, _ name: String) throws(StoreError) {
        guard 0...most ~= number else { throw .fault("the store's \(name) is \(number)") }
    }

    static func set(_ name: String, to value: Int64, _ session: Session) throws(StoreError) {
        // One statement for both would have SQLite keep the page as it was before.
        if try session.execute("UPDATE counter SET value = $2 WHERE name = $1", .text(name), .integer(value)) == 0 {
            try session.execute("INSERT INTO counter (name, value) VALUES ($1, $2)", .text(name), .integer(value))
        }
    }

    static func value(_ name: String, _ session: Session) throws(StoreError) -> Int64 {
        let value = try session.first("SELECT value FROM counter WHERE name = $1", .text(name)) { $0.integer(0) } ?? 0
        try check(value, name)
        return value
    }
}
