internal import CBOR
public import Messages
internal import Store

/// What a service keeps of another's data, made from the other's event log alone.
///
/// Effect and cursor are written in one transaction. First build, catching up and live following are the same code;
/// a projection can be dropped and made again with the same content.
public struct Projection: Sendable {
    /// Writes what the event means to the projection's own tables. Makes no events.
    public typealias Apply = @Sendable (Event, inout Transaction) throws(ServiceError) -> Void

    let source: ServiceName
    /// Empties the projection's tables.
    let clear: @Sendable (inout Transaction) throws(ServiceError) -> Void
    let apply: Apply
    /// Changes the service's own records because of the event, such as clearing a reference to what was deleted.
    /// Has a cursor of its own and is not run again by a rebuild.
    let react: Apply?

    public init(
        source: ServiceName,
        clear: @escaping @Sendable (inout Transaction) throws(ServiceError) -> Void,
        apply: @escaping Apply,
        react: Apply? = nil
    ) {
        self.source = source
        self.clear = clear
        self.apply = apply
        self.react = react
    }
}

extension Event {
    /// The record after the change; nil for a delete, and for another entity's event.
    public func record<R: Record>(_ type: R.Type) throws(ServiceError) -> R? {
        guard entity == R.entity, let data else { return nil }
        return try decodeStored(R.self, data.bytes)
    }
}

/// How far a source was followed, as it is stored.
struct Cursor: Equatable {
    var epoch: Identifier
    var sequence: Int64
    var chain: UInt64

    static func load(_ name: String, _ session: Session) throws(StoreError) -> Cursor? {
        try session.first("SELECT epoch, sequence, chain FROM cursor WHERE source = $1", .text(name)) { row in
            row.id(0).map { Cursor(epoch: $0, sequence: row.integer(1), chain: row.bits(2)) }
        } ?? nil
    }

    func store(_ name: String, _ session: Session) throws(StoreError) {
        try session.execute(
            """
            INSERT INTO cursor (source, epoch, sequence, chain) VALUES ($1, $2, $3, $4)
            ON CONFLICT (source) DO UPDATE SET
                epoch = excluded.epoch, sequence = excluded.sequence, chain = excluded.chain
            """,
            .text(name),
            .id(epoch),
            .integer(sequence),
            .bits(chain)
        )
    }
}
