/// What lists are of: the records of an entity, or the parts within them.
public protocol Listed: Codable, Hashable, Sendable {
    /// The entity's name on the wire: `customer`, `recipe-type`, `order-row`.
    static var entity: String { get }
    /// The service that keeps it.
    static var service: ServiceName { get }
    var id: Identifier { get }
}

/// What a service keeps: identified, versioned, changed by put and delete.
///
/// The encoding of a record is the row of a list, the `data` of its events and the body beside its
/// columns in the store; all three are the same bytes.
public protocol Record: Listed {
    /// Made by whoever creates the record.
    var id: Identifier { get set }
    /// 0 before it is stored; then raised by one with each change. In a put, the version that the edit was based on.
    var version: Int { get set }
}
