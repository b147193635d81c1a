/// A store, or a copy of one, as it lies on disk: for whoever compares the two without serving them.
///
/// Of the schema only the tables `meta`, `event` and `floor` are looked at, and of these what every version has.
public final class StoreFile {
    public let path: String
    /// The version of its schema.
    public let schema: Int
    /// The release whose program had it last. Of those that say so: the first, 0.1.0, did not yet.
    public let release: String
    /// The last event of its log; 0 where there is none.
    public let sequence: Int64
    /// When that was, in microseconds since 1970 UTC; nil where there is none.
    public let moment: Int64?
    /// The last event that is not kept any more; 0 where all are.
    public let floor: Int64
    private let session: Session

    /// - Parameters:
    ///   - service: whose it has to be.
    ///   - isAtRest: whether nobody writes to it, as to a copy: then no file is made beside it.
    /// - Throws: `.notOurs`, `.corrupt`, and whatever opening and reading throw.
    public init(_ path: String, of service: String, isAtRest: Bool) throws(StoreError) {
        self.path = path
        session = try Store.open(path, readOnly: true, isAtRest: isAtRest)
        schema = try Store.schema(of: session)
        try Store.checkOwner(of: session, name: service)
        release = try session.first("SELECT value FROM meta WHERE key = 'release'") { $0.text(0) } ?? "0.1.0"
        let last = try session.first("SELECT sequence, moment FROM event ORDER BY sequence DESC LIMIT 1") {
            ($0.integer(0), $0.integer(1))
        }
        floor = try session.first("SELECT max(sequence) FROM floor") { $0.integer(0) } ?? 0
        sequence = last?.0 ?? floor
        moment = last?.1
        // They are added and subtracted.
        for number in [floor, sequence] where !(0...1 << 62 ~= number) {
            throw .corrupt(path: path, reason: "its log has an event \(number)")
        }
    }

    /// Reads all of it, by SQLite's own check: about a second for each 100 MB.
    ///
    /// - Throws: `.corrupt`.
    public func check() throws(StoreError) {
        let found = try session.first("PRAGMA integrity_check(1)") { $0.text(0) }
        guard found == "ok" else { throw .corrupt(path: path, reason: found ?? "it can't be checked") }
    }

    /// The last event that this log and another have in common: behind it one has more, or both have something else.
    /// What is no longer kept is taken for common.
    public func lastCommon(with other: StoreFile) throws(StoreError) -> Int64 {
        var high = min(sequence, other.sequence)
        var low = min(high, max(floor, other.floor))
        // Once chains differ they never meet again.
        while low < high {
            let middle = low + (high - low + 1) / 2
            if try chain(at: middle) == other.chain(at: middle) { low = middle } else { high = middle - 1 }
        }
        return low
    }

    private func chain(at sequence: Int64) throws(StoreError) -> UInt64? {
        try session.first("SELECT chain FROM event WHERE sequence = $1", .integer(sequence)) { $0.bits(0) }
    }

    /// Hands on the events behind one, in their order, as they were encoded.
    public func events(
        after sequence: Int64,
        each body: ([UInt8]) throws(StoreError) -> Void
    ) throws(StoreError) {
        let sql = "SELECT body FROM event WHERE sequence > $1 ORDER BY sequence"
        try session.query(sql, .integer(sequence)) { (row) throws(StoreError) in try body(row.blob(0)) }
    }
}
