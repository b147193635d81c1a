internal import Messages
internal import Store

/// What lists as of a moment are read from: the records that changed since, as they were then, in temporary tables of the
/// reader of the past; all others, as they are.
struct Past {
    /// Up to where the log counts.
    var moment: AsOf.Listed
    /// The temporary table with the ids of the records that changed since, also of those that were not there then.
    var changed: String
}

/// A moment of this service's own log, and of the names of other services' records.
struct PastMoment: Equatable {
    /// The last event that counts.
    var sequence: Int64
    /// Names are those of this time, in microseconds since 1970.
    var time: Int64

    /// Finds out which events count, in the snapshot of the session.
    ///
    /// - Parameter log: whose events they are.
    /// - Throws: `invalid` for what is neither or both, and for an event that is not there yet; `gone` for what is older
    ///   than what is kept, with the earliest moment that can be asked for.
    static func reached(_ asOf: AsOf, of log: ServiceName, _ session: Session) throws(ServiceError) -> PastMoment {
        let floor = try storing { () throws(StoreError) in try Floor.load(session) }
        let head = try first("SELECT max(sequence) FROM event", session) ?? 0
        switch (asOf.sequence, asOf.time) {
        case (let sequence?, nil):
            guard 0...head ~= sequence else {
                throw .invalid(
                    field: "asOf",
                    found: "\(sequence)",
                    "there is no event \(sequence) of \(log): they go from 1 to \(head)"
                )
            }
            guard sequence >= floor.sequence else { throw tooOld(log, "\(sequence)", floor) }
            return PastMoment(sequence: sequence, time: try time(of: sequence, floor, session))
        case (nil, let time?):
            guard floor.sequence == 0 || time >= floor.time else { throw tooOld(log, "\(time)", floor) }
            // The last event up to then, found by halves: moments rise with the numbers, which have no holes.
            var (low, high) = (floor.sequence, head)
            while low < high {
                let middle = low + (high - low + 1) / 2
                if try self.time(of: middle, floor, session) <= time.microseconds {
                    low = middle
                } else {
                    high = middle - 1
                }
            }
            return PastMoment(sequence: low, time: time.microseconds)
        default:
            throw .invalid(field: "asOf", "a moment is either an event's number (sequence) or a time")
        }
    }

    /// When the event was, or one before it where a clock was put back.
    static func time(of sequence: Int64, _ floor: Floor, _ session: Session) throws(ServiceError) -> Int64 {
        if sequence == 0 { return .min }
        if sequence == floor.sequence { return floor.time.microseconds }
        return try first("SELECT moment FROM event WHERE sequence = $1", session, .integer(sequence)) ?? .min
    }

    private static func tooOld(_ log: ServiceName, _ found: String, _ floor: Floor) -> ServiceError {
        .refused(
            .gone,
            "the past of \(log) is known from \(floor.time), event \(floor.sequence) on: older events are no longer kept. "
                + "Ask for that moment or a later one",
            field: "asOf",
            found: found
        )
    }

    private static func first(_ sql: String, _ session: Session, _ values: Value...) throws(ServiceError) -> Int64? {
        try storing { () throws(StoreError) in
            try session.first(sql, values) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
        }
    }
}
