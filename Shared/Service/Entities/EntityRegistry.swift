internal import CBOR
internal import Messages
internal import Store

/// The kinds of records that a service keeps, by entity name.
struct EntityRegistry: Sendable {
    private var tables: [String: any AnyRecordTable] = [:]

    mutating func add<R: Record>(_ entity: Entity<R>) {
        tables[R.entity] = RecordTable(entity)
    }

    var names: [String] { tables.keys.sorted() }

    var all: [any AnyRecordTable] { tables.keys.sorted().compactMap { tables[$0] } }

    func table<R: Record>(_ type: R.Type) throws(ServiceError) -> RecordTable<R> {
        guard let table = tables[R.entity] as? RecordTable<R> else {
            throw .store(.fault("this service keeps no \(R.entity)"))
        }
        return table
    }

    func table(named name: String) throws(ServiceError) -> any AnyRecordTable {
        guard let table = tables[name] else {
            throw .invalid(
                field: "entity",
                found: name,
                "this service keeps no '\(name)': it keeps \(names.joined(separator: ", "))"
            )
        }
        return table
    }
}

/// A record's table without its type: what imports, snapshots, undoing and checks need.
protocol AnyRecordTable: Sendable {
    var name: String { get }
    func body(_ id: Identifier, _ session: Session) throws(StoreError) -> [UInt8]?
    /// Whether two encodings differ at most in what the service derives.
    func isSame(_ one: [UInt8], _ other: [UInt8]) throws(ServiceError) -> Bool
    func page(
        after: Identifier?,
        limit: Int,
        mostBytes: Int,
        _ session: Session
    ) throws(StoreError) -> (rows: [EncodedCBOR], next: Identifier?)
    /// Writes every record's columns anew, as after a change of collation.
    func rewrite(_ session: Session) throws(ServiceError)
    /// Makes the full-text indexes anew, so that nothing is left in them of texts that are gone.
    func rebuildSearch(_ session: Session) throws(StoreError)
    /// Whether the words that a stored record and its parts are found by are those of this encoding.
    func isFound(_ body: [UInt8], _ session: Session) throws(ServiceError) -> Bool
    /// Makes the temporary tables of the reader of the past hold what differed at a moment.
    func goBack(to asOf: AsOf, _ session: Session) throws(ServiceError) -> Past
    func undo(_ event: Event, _ transaction: inout Transaction) throws(ServiceError)
    /// Writes a record as an archive has it, with what a service's own tables have of it; no event.
    func load(_ body: [UInt8], _ transaction: inout Transaction) throws(ServiceError)
    /// Brings a service's own tables in line with a delete that an archive's log tells of.
    func didDelete(_ body: [UInt8], _ transaction: inout Transaction) throws(ServiceError)
    func importItem(
        _ item: [UInt8],
        _ counts: inout ImportCounts,
        _ transaction: inout Transaction
    ) throws(ServiceError)
}
