/// Why rows and a batch don't fit together, or a query can't be carried out.
public enum ListError: Error, Hashable, Sendable {
    /// The batch or state is another list's: open again.
    case otherList
    /// Batches are missing: open again.
    case hole(expected: Int64, found: Int64)
    /// The change was too large to tell: open again.
    case reset
    /// The rows aren't what the service has: open again.
    case wrongDigest
    /// A path or an index that the rows don't have, or a row named twice: open again.
    case impossible(String)
    /// A row isn't what it is to be read as.
    case undecodable(String)
    /// A filter, sort or section that the rows don't know; `field` and `found` are for the one who asked.
    case unanswerable(field: String, found: String?, reason: String)
}
