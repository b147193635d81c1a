internal import CBOR
internal import Messages
internal import Store

/// Reads and writes the table of one entity.
final class RecordTable<R: Record>: Sendable {
    let entity: Entity<R>
    /// What lists of the records are of.
    let listed: ListedTable<R>
    private let writing: RowWriting

    init(_ entity: Entity<R>) {
        self.entity = entity
        listed = entity.listed
        writing = listed.writing(["version"])
    }

    /// The record's encoding; nil where there is none.
    func body(_ id: Identifier, _ session: Session) throws(StoreError) -> [UInt8]? {
        try listed.body(id, session)
    }

    var name: String { entity.table }

    func isSame(_ one: [UInt8], _ other: [UInt8]) throws(ServiceError) -> Bool {
        if one == other { return true }
        let derived = entity.derived.subtracting(["id", "version"])
        return try RecordChange.entered(one, derived: derived) == RecordChange.entered(other, derived: derived)
    }

    /// Writes the record and its parts; parts that are equal to those of `old` are left alone.
    ///
    /// - Parameter tracks: whether it has to be told whose rows in live lists may have changed.
    /// - Returns: whose they are.
    /// - Throws: `invalid` where a part has the id of another record's.
    func write(
        _ record: R,
        body: [UInt8],
        replacing old: R?,
        tracks: Bool = false,
        _ session: Session
    ) throws(ServiceError) -> [ListQuery.Source: Set<Identifier>] {
        do throws(StoreError) {
            _ = try writing.write(
                record.id,
                record,
                body: body,
                replacing: old,
                others: [.integer(Int64(record.version))],
                columns: entity.columns,
                searched: entity.searched,
                session
            )
        } catch {
            throw .store(error)
        }
        var touched: [ListQuery.Source: Set<Identifier>] = [:]
        if tracks { touched[.entity(R.entity)] = [record.id] }
        for part in entity.parts {
            let changed = try part.write(old, record, tracks, session)
            if tracks { touched[.entity(part.entity)] = changed }
        }
        return touched
    }

    func rewrite(_ session: Session) throws(ServiceError) {
        var after: Identifier?
        while true {
            let (rows, next) = try storing { () throws(StoreError) in
                try page(after: after, limit: 1000, mostBytes: .max, session)
            }
            for row in rows {
                // As if nothing were there: all parts are written, and the words that were theirs are taken out.
                _ = try write(try decodeStored(R.self, row.bytes), body: row.bytes, replacing: nil, session)
            }
            guard let next else { return }
            after = next
        }
    }

    func rebuildSearch(_ session: Session) throws(StoreError) {
        for index in [listed.index] + entity.parts.map(\.index) {
            if let index { try session.execute(index.rebuild) }
        }
    }

    func isFound(_ body: [UInt8], _ session: Session) throws(ServiceError) -> Bool {
        let record = try decodeStored(R.self, body)
        return try storing { () throws(StoreError) in
            guard try listed.isFound(record, session) else { return false }
            for part in entity.parts where try !part.areFound(record, session) { return false }
            return true
        }
    }

    /// Removes the record and its parts.
    ///
    /// - Returns: whose rows in live lists may have changed.
    func remove(_ record: R, _ session: Session) throws(ServiceError) -> [ListQuery.Source: Set<Identifier>] {
        var touched: [ListQuery.Source: Set<Identifier>] = [.entity(R.entity): [record.id]]
        for part in entity.parts { touched[.entity(part.entity)] = try part.write(record, nil, true, session) }
        try storing { () throws(StoreError) in try listed.remove(record.id, session) }
        return touched
    }
}
