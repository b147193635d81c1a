internal import Messages
internal import Service
internal import Store

/// When the followed logs were where: from a moment to the number of an event, and back.
///
/// A row is the first event of its time. Times rise with the numbers: an event that a clock put back wrote with an
/// earlier time counts as happened with the one before it.
enum Moments {
    static let schema = """
        CREATE TABLE moments (
            source TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            time INTEGER NOT NULL,
            PRIMARY KEY (source, sequence)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX moments_time ON moments (source, time);

        """

    static func note(_ event: Event, of source: ServiceName, _ transaction: inout Transaction) throws(ServiceError) {
        let last = try transaction.first(
            "SELECT time FROM moments WHERE source = $1 ORDER BY sequence DESC LIMIT 1",
            .text(source.rawValue)
        ) { $0.integer(0) }
        guard last.map({ $0 < event.time.microseconds }) ?? true else { return }
        try transaction.execute(
            // Two pages of a copy may be of one position.
            "INSERT INTO moments (source, sequence, time) VALUES ($1, $2, $3) ON CONFLICT (source, sequence) DO NOTHING",
            .text(source.rawValue),
            .integer(event.sequence),
            .integer(event.time.microseconds)
        )
    }

    static func clear(_ source: ServiceName, _ transaction: inout Transaction) throws(ServiceError) {
        try transaction.execute("DELETE FROM moments WHERE source = $1", .text(source.rawValue))
    }

    /// Up to where the logs of orders and catalog count as of a moment.
    ///
    /// - Throws: `invalid` for what is neither or both, and for an event that is not there yet; `gone` for what is older
    ///   than what is known, with the earliest moment that can be asked for.
    static func reached(_ asOf: AsOf, _ reading: Reading) throws(ServiceError) -> AsOf.Reached {
        let catalog = try Log(.catalog, reading)
        let (sequence, time) = try Log(.orders, reading).reached(asOf, reading)
        // The names are those of the moment; of an event alone, those of its time.
        let moment = asOf.time ?? time ?? Instant(microseconds: .min)
        return AsOf.Reached(
            orders: sequence,
            catalog: try catalog.known(catalog.sequence(moment, reading), reading),
            time: time
        )
    }

    /// Up to where the log of walks counts as of a moment.
    ///
    /// - Throws: as ``reached(_:_:)``.
    static func reachedOfWalks(_ asOf: AsOf, _ reading: Reading) throws(ServiceError) -> AsOf.Reached {
        let (sequence, time) = try Log(.walks, reading).reached(asOf, reading)
        return AsOf.Reached(walks: sequence, time: time)
    }

    /// A followed log, as far as it is known.
    private struct Log {
        let source: ServiceName
        let head: Int64
        private let floor: Int64

        init(_ source: ServiceName, _ reading: Reading) throws(ServiceError) {
            guard let followed = try reading.followed(source) else {
                throw .refused(.unavailable, "what is known of \(source) is not whole yet: ask again when it is")
            }
            self.source = source
            (head, floor) = followed
        }

        /// The last event that counts, and when it happened.
        func reached(_ asOf: AsOf, _ reading: Reading) throws(ServiceError) -> (sequence: Int64, time: Instant?) {
            let sequence: Int64
            switch (asOf.sequence, asOf.time) {
            case (let number?, nil):
                guard 0...head ~= number else {
                    throw .invalid(
                        field: "asOf",
                        found: "\(number)",
                        "there is no event \(number) of \(source): they go from 1 to \(head)"
                    )
                }
                sequence = number
            case (nil, let time?): sequence = try self.sequence(time, reading)
            default: throw .invalid(field: "asOf", "a moment is either an event's number (sequence) or a time")
            }
            return (try known(sequence, reading), try time(sequence, reading))
        }

        /// The last event up to the moment.
        func sequence(_ time: Instant, _ reading: Reading) throws(ServiceError) -> Int64 {
            let next = try reading.first(
                "SELECT sequence FROM moments WHERE source = $1 AND time > $2 ORDER BY time LIMIT 1",
                .text(source.rawValue),
                .integer(time.microseconds)
            ) { $0.integer(0) }
            return next.map { $0 - 1 } ?? head
        }

        /// When the event happened; nil before the first.
        func time(_ sequence: Int64, _ reading: Reading) throws(ServiceError) -> Instant? {
            try reading.first(
                "SELECT time FROM moments WHERE source = $1 AND sequence <= $2 ORDER BY sequence DESC LIMIT 1",
                .text(source.rawValue),
                .integer(sequence)
            ) { Instant(microseconds: $0.integer(0)) }
        }

        /// The same number, unless the state then is not known.
        func known(_ sequence: Int64, _ reading: Reading) throws(ServiceError) -> Int64 {
            guard sequence < floor else { return sequence }
            let earliest = try time(floor, reading)
            throw .refused(
                .gone,
                "the past of \(source) is known from \(earliest.map { "\($0), " } ?? "")event \(floor) on: older events are "
                    + "no longer kept. Ask for that moment or a later one",
                field: "asOf",
                found: "\(sequence)"
            )
        }
    }
}
