public import Messages

/// What following a live list from afar gives out: what ``FetchedResults/apply(_:)-(ListUpdate)`` takes.
public enum ListUpdate: Sendable, Hashable {
    /// The whole list: first, and after each resync.
    case snapshot(OpenList.Reply)
    /// Follows the element before it: its `base` is that one's `number`.
    case batch(ListBatch)
    /// The list can't be followed from what was given out, and why; a snapshot comes next.
    case resync(String)
}
