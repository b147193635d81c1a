/// A moment that a report or a list goes back to: what was known then, with the names of then. One of the two is given.
public struct AsOf: Codable, Sendable, Hashable {
    /// The last event that counts: in a list, of the log of the service that keeps the records; in a report of the orders'
    /// log, in that of walks of the walks'. Names are those of the time of that event.
    public var sequence: Int64?
    /// Whatever happened up to this moment counts, this moment included.
    public var time: Instant?

    /// Up to this event.
    public init(sequence: Int64) {
        self.sequence = sequence
    }

    /// Up to this moment, included.
    public init(time: Instant) {
        self.time = time
    }

    /// Up to where the log counts in a list as of a moment.
    public struct Listed: Codable, Sendable, Hashable {
        /// The last event of the service's own log.
        public var sequence: Int64
        /// When it happened; nil before the first.
        public var time: Instant?

        public init(sequence: Int64, time: Instant?) {
            self.sequence = sequence
            self.time = time
        }
    }

    /// Up to where the followed logs count in a report as of a moment; those that it isn't made from are absent.
    public struct Reached: Codable, Sendable, Hashable {
        /// The last event of the orders' log.
        public var orders: Int64?
        /// The last event of the catalog's log: where the names are from.
        public var catalog: Int64?
        /// The last event of the walks' log.
        public var walks: Int64?
        /// When that event of the orders' or walks' log happened; nil before the first.
        public var time: Instant?

        public init(orders: Int64, catalog: Int64, time: Instant?) {
            self.orders = orders
            self.catalog = catalog
            self.time = time
        }

        public init(walks: Int64, time: Instant?) {
            self.walks = walks
            self.time = time
        }
    }
}
