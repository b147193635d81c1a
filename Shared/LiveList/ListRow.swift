public import CBOR
public import Messages

/// A row as its list takes it: which it is, where it stands, what it shows.
public struct ListRow: Hashable, Sendable {
    /// Tells the row from all others of the list, and orders rows of equal keys.
    public var id: Identifier
    /// What it stands under.
    public var section: SectionKey
    /// Its place in its section.
    public var order: OrderKey
    /// What watchers see: the row changed when these bytes did.
    public var row: EncodedCBOR

    public init(id: Identifier, section: SectionKey = .none, order: OrderKey, row: EncodedCBOR) {
        self.id = id
        self.section = section
        self.order = order
        self.row = row
    }
}

/// The key of a section: how sections are ordered, and what watchers see of it.
public struct SectionKey: Hashable, Sendable {
    /// Its place among the sections.
    public var order: OrderKey
    /// The value on the wire. Sections with equal orders and different values are different sections.
    public var value: EncodedCBOR

    public init(order: OrderKey, value: EncodedCBOR) {
        self.order = order
        self.value = value
    }

    /// The one section of a list that has no section key: null.
    public static let none = SectionKey(order: OrderKey(), value: EncodedCBOR(trusted: [0xf6]))
}

/// What happened to a row. Of several changes to one row the last counts.
public enum ListChange: Hashable, Sendable {
    /// The row is new, or has changed, or may have.
    case put(ListRow)
    /// The row is gone: deleted, or no longer what the list is about. Ids that the list doesn't hold are passed over.
    case remove(Identifier)
}
