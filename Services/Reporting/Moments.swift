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

    /// Up to where the logs count as of a moment.
    ///
    /// - Throws: `invalid` for what is neither or both, and for an event that is not there yet; `gone` for what is older
    ///   than what is known, with the earliest moment that can be asked for.
    static func reached(_ asOf: AsOf, _ reading: Reading) throws(ServiceError) -> AsOf.Reached {
        let orders = try Log(.orders, reading)
        let catalog = try Log(.catalog, reading)
        switch (asOf.sequence, asOf.time) {
        case (let sequence?, nil):
            guard 0...orders.head ~= sequence else {
                throw .invalid(
                    field: "asOf",
                    found: "\(sequence)",
                    "there is no event \(sequence) of orders: they go from 1 to \(orders.head)"
                )
            }
            let time = try orders.time(sequence, reading)
            return AsOf.Reached(
                orders: try orders.known(sequence, reading),
                catalog: try catalog.known(catalog.sequence(time ?? Instant(microseconds: .min), reading), reading),
                time: time
            )
        case (nil, let time?):
            let sequence = try orders.known(orders.sequence(time, reading), reading)
            return AsOf.Reached(
                orders: sequence,
                catalog: try catalog.known(catalog.sequence(time, reading), reading),
                time: try orders.time(sequence, reading)
            )
        default:
            throw .invalid(field: "asOf", "a moment is either an event's number (sequence) or a time")
        }
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
