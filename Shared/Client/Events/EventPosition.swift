public import Messages

/// A place in a service's event log, as a subscriber stores it with its own effect.
///
/// What a subscription gives out has all three; a place that a person wrote has the number alone, and is taken in
/// whatever log there is.
public struct EventPosition: Hashable, Sendable, Codable {
    /// The log's epoch; nil for any.
    public var epoch: Identifier?
    /// The last event included; 0 before the first.
    public var sequence: Int64
    /// The chain at `sequence`, by which a log that was restored or put back by hand is noticed; nil where it is not known.
    public var chain: UInt64?

    public init(epoch: Identifier? = nil, sequence: Int64, chain: UInt64? = nil) {
        self.epoch = epoch
        self.sequence = sequence
        self.chain = chain
    }

    /// Before the first event of whatever log there is.
    public static let start = EventPosition(sequence: 0)
}
