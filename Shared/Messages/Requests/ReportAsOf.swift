/// A moment that a report goes back to: what was known then, with the names of then. One of the two is given.
public struct AsOf: Codable, Sendable, Hashable {
    /// The last event of the orders' log that counts; names are those of the time of that event.
    public var sequence: Int64?
    /// Whatever happened up to this moment counts, this moment included.
    public var time: Instant?

    /// Up to this event of the orders' log.
    public init(sequence: Int64) {
        self.sequence = sequence
    }

    /// Up to this moment, included.
    public init(time: Instant) {
        self.time = time
    }

    /// Up to where the followed logs count in a report as of a moment.
    public struct Reached: Codable, Sendable, Hashable {
        /// The last event of the orders' log.
        public var orders: Int64
        /// The last event of the catalog's log: where the names are from.
        public var catalog: Int64
        /// When that event of the orders' log happened; nil before the first.
        public var time: Instant?

        public init(orders: Int64, catalog: Int64, time: Instant?) {
            self.orders = orders
            self.catalog = catalog
            self.time = time
        }
    }
}
