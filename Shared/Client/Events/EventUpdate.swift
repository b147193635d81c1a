public import Messages

/// The events of one command, committed together.
public struct EventTransaction: Sendable, Hashable {
    public var service: ServiceName
    /// In the order of the log. Those of other entities than were asked for are left out, so there may be none: such a
    /// transaction is told for its position, and only the last of several in a row.
    public var events: [Event]
    /// Behind the transaction: with it a later subscription goes on exactly here.
    public var position: EventPosition
    /// Whether the transaction goes on in the next element: true only for parts of one that is larger than
    /// `EventAssembly.largestBytes`, such as a large import.
    public var continues: Bool

    public init(service: ServiceName, events: [Event], position: EventPosition, continues: Bool = false) {
        self.service = service
        self.events = events
        self.position = position
        self.continues = continues
    }
}

/// What a subscription gives out.
public enum EventUpdate: Sendable, Hashable {
    /// Follows the element before it without a hole.
    case transaction(EventTransaction)
    /// The position can't be continued from, and why: what was built from the events must be built anew from a snapshot,
    /// read after this arrived. The subscription goes on behind the position, the log's head; events whose version is
    /// not above the row's are in the snapshot already.
    case resync(ResyncReason, EventPosition)

    /// Behind the element.
    public var position: EventPosition {
        switch self {
        case .transaction(let transaction): transaction.position
        case .resync(_, let position): position
        }
    }
}
