/// Blanks what is personal in a record, and wherever it is kept: its events, stored replies, copies that other services
/// made of it. Its id stays, and so do the orders that name it.
///
/// Of a deleted record its history is blanked. It can't be undone. `not-found` for what never was.
public struct Erase<R: Record>: Request, Hashable {
    public static var operation: String { "\(R.entity).erase" }
    public static var kind: RequestKind { .command }
    public static var service: ServiceName? { R.service }

    public struct Reply: Codable, Sendable, Hashable {
        /// The record as it is now; absent where it had been deleted.
        public var record: R?
        /// True where there was nothing left to erase: it was erased before, and not changed since.
        public var wasErased: Bool
        /// Copies of stores that were kept when a schema changed, as paths: they may still hold what was erased, and are a
        /// person's to delete.
        public var copies: [String]

        public init(record: R?, wasErased: Bool, copies: [String]) {
            self.record = record
            self.wasErased = wasErased
            self.copies = copies
        }
    }

    public var id: Identifier

    public init(id: Identifier) {
        self.id = id
    }
}

/// What stands where something was erased.
public enum Erased {
    /// In place of a name, which can't be left out.
    public static let name = "erased"
    /// The action in an event's type: `customer.erased`.
    public static let action = "erased"
}
