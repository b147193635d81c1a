internal import CBOR
public import Messages
internal import Store

/// What a service keeps of another's data, made from the other's event log alone.
///
/// Effect and cursor are written in one transaction. First build, catching up and live following are the same code;
/// a projection can be dropped and made again with the same content. Where the log no longer goes back to its
/// beginning, the records as they are come first, each as an event of its creation.
public struct Projection: Sendable {
    /// Writes what the event means to the projection's own tables. Makes no events.
    public typealias Apply = @Sendable (Event, inout Transaction) throws(ServiceError) -> Void
    /// Changes the service's own records so that they fit the whole projection.
    public typealias Mend = @Sendable (inout Transaction) throws(ServiceError) -> Void

    let source: ServiceName
    /// The source's entities that it is made from.
    let entities: [String]
    /// Its tables: what its content hash is over.
    let tables: [String]
    /// Columns of these tables that the hash leaves out.
    let unhashed: Set<String>
    /// Empties the projection's tables.
    let clear: @Sendable (inout Transaction) throws(ServiceError) -> Void
    let apply: Apply
    /// Writes what `apply` gathered over a batch.
    let flush: (@Sendable (inout Transaction) throws(ServiceError) -> Void)?
    /// Changes the service's own records because of the event, such as clearing a reference to what was deleted.
    /// Has a cursor of its own and is not run again by a rebuild.
    let react: Apply?
    /// Does what reactions would have done to events that a copy from snapshots stands for, and in a rebuild to those which
    /// they had been run for before: what was decided meanwhile did not know of them.
    let mend: Mend?
    /// Notes, at the end of a copy from snapshots, that what was before it is not known.
    let beginAtCopy: Mend?
    /// What of the service's own records refers to the source's; nil where nothing does.
    let references: ForeignReferences?
    /// The most rows of a snapshot, and events, that are asked for at a time; nil: as many as a page has.
    package var pageRows: Int?

    /// - Parameters:
    ///   - entities: at least one.
    ///   - tables: those that `apply` writes alone, and whose content is the same whether it is made from the log or from
    ///     snapshots.
    ///   - unhashed: columns of these tables that only the log tells, such as the number of an event.
    ///   - flush: writes what `apply` left in ``Transaction/gathered``, once for each batch of events, in the same
    ///     transaction: for sums that many events of a batch change.
    public init(
        source: ServiceName,
        entities: [String],
        tables: [String],
        unhashed: Set<String> = [],
        clear: @escaping @Sendable (inout Transaction) throws(ServiceError) -> Void,
        apply: @escaping Apply,
        flush: (@Sendable (inout Transaction) throws(ServiceError) -> Void)? = nil,
        react: Apply? = nil,
        mend: Mend? = nil,
        beginAtCopy: Mend? = nil,
        references: ForeignReferences? = nil
    ) {
        precondition(!entities.isEmpty, "a projection of nothing")
        self.source = source
        self.entities = entities
        self.tables = tables
        self.unhashed = unhashed
        self.clear = clear
        self.apply = apply
        self.flush = flush
        self.react = react
        self.mend = mend
        self.beginAtCopy = beginAtCopy
        self.references = references
    }
}

extension Projection {
    /// Leaves nothing of it but the reactions' cursor.
    func empty(_ transaction: inout Transaction) throws(ServiceError) {
        try clear(&transaction)
        try transaction.execute("DELETE FROM cursor WHERE source = $1", .text(source.rawValue))
        try transaction.execute("DELETE FROM building WHERE source = $1", .text(source.rawValue))
    }
}

extension Reading {
    /// How far this service has followed another's log, and the first event number as of which it can know the state: 0,
    /// or where it was made from snapshots their position. nil while nothing whole is known.
    public func followed(_ source: ServiceName) throws(ServiceError) -> (sequence: Int64, floor: Int64)? {
        try first("SELECT sequence, floor FROM cursor WHERE source = $1", .text(source.rawValue)) { row in
            (row.integer(0), row.integer(1))
        }
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
