internal import CBOR
internal import Messages
internal import Store

/// Answers `archive.parts` and `archive.read`: a whole service, part by part, for a file that outlives it.
struct ArchiveReader: Sendable {
    let tables: [ArchivedTable]
    let entities: [String]

    /// In the order in which they fit together: what must not be ahead of the log, the records, the log, and what must
    /// not be behind it.
    var parts: [String] {
        ["imported", "reply", "base"] + tables.filter { $0.moment == .beforeLog }.map(\.name) + entities
            + [ArchiveFormat.events] + tables.filter { $0.moment == .behindLog }.map(\.name)
    }

    @Sendable func list(_ request: ListArchiveParts, _ reading: Reading) throws(ServiceError) -> ListArchiveParts.Reply
    {
        let session = reading.session
        let floor = try storing { () throws(StoreError) in try Floor.load(session) }
        let archive = try reading.first("SELECT value FROM meta WHERE key = $1", .text(ArchiveLoader.mark)) {
            $0.text(0)
        }
        return ListArchiveParts.Reply(
            format: ArchiveFormat.version,
            parts: parts,
            entities: entities,
            epoch: reading.epoch,
            sequence: max(try head(reading).sequence, floor.sequence),
            floor: floor.sequence,
            archive: archive.flatMap { Identifier($0) }
        )
    }

    @Sendable func read(_ request: ReadArchive, _ reading: Reading) throws(ServiceError) -> ReadArchive.Reply {
        var page = ArchivePage(after: request.after, limit: request.limit)
        let session = reading.session
        try storing { () throws(StoreError) in
            switch request.part {
            case "imported": try Self.imported(&page, session)
            case "reply": try Self.replies(&page, session)
            case "base": try Self.base(&page, session)
            case ArchiveFormat.events: try Self.events(&page, session)
            default: break
            }
        }
        if let table = tables.first(where: { $0.name == request.part && $0.moment != .never }) {
            try storing { () throws(StoreError) in try table.page(&page, session) }
        } else if entities.contains(request.part) {
            let table = try reading.registry.table(named: request.part)
            try storing { () throws(StoreError) in
                let after = request.after.flatMap { Identifier(bytes: $0) }
                let (rows, next) = try table.page(
                    after: after,
                    limit: page.limit,
                    mostBytes: EventReader.mostBytes,
                    session
                )
                page.fill(rows, next: next?.bytes)
            }
        } else if !parts.contains(request.part) {
            throw .invalid(
                field: "part",
                found: request.part,
                "this service has no part '\(request.part.prefix(100))': it has \(parts.joined(separator: ", "))"
            )
        }
        let head = try head(reading)
        var reply = ReadArchive.Reply(
            rows: page.rows,
            next: page.next,
            epoch: reading.epoch,
            sequence: head.sequence
        )
        if request.part == ArchiveFormat.events, page.next == nil { try close(&reply, head, reading) }
        return reply
    }

    /// Adds what belongs to the end of the log.
    private func close(
        _ reply: inout ReadArchive.Reply,
        _ head: (sequence: Int64, chain: UInt64),
        _ reading: Reading
    ) throws(ServiceError) {
        let session = reading.session
        let floor = try storing { () throws(StoreError) in try Floor.load(session) }
        var counters: [String: Int64] = [:]
        // How old keys may be depends on the clock alone, and how often something was erased matters to this store alone.
        try reading.query(
            "SELECT name, value FROM counter WHERE name NOT IN ('key floor', '\(Erasing.counter)')"
        ) { row in
            counters[row.text(0)] = row.integer(1)
        }
        reply.log = ArchivedLog(
            sequence: max(head.sequence, floor.sequence),
            chain: head.sequence > 0 ? head.chain : floor.chain,
            floor: floor.sequence > 0
                ? .init(
                    sequence: floor.sequence,
                    chain: floor.chain,
                    transaction: floor.transaction,
                    time: floor.time
                ) : nil,
            counters: counters
        )
        var reactions: Positions = [:]
        try reading.query("SELECT source, epoch, sequence FROM cursor") { row in
            guard row.text(0).hasSuffix(Engine.reactionSuffix), let epoch = row.id(1) else { return }
            let source = String(row.text(0).dropLast(Engine.reactionSuffix.count))
            reactions[source] = Position(epoch: epoch, sequence: row.integer(2))
        }
        reply.reactions = reactions
    }

    private func head(_ reading: Reading) throws(ServiceError) -> (sequence: Int64, chain: UInt64) {
        try reading.first("SELECT sequence, chain FROM event ORDER BY sequence DESC LIMIT 1") {
            ($0.integer(0), $0.bits(1))
        } ?? (0, 0)
    }

    // MARK: Parts

    private static func imported(_ page: inout ArchivePage, _ session: Session) throws(StoreError) {
        try session.query(
            "SELECT id, digest FROM imported WHERE id > $1 ORDER BY id LIMIT $2",
            .blob(page.after ?? []),
            .integer(page.rowsToRead)
        ) { (row) throws(StoreError) in
            guard let id = row.id(0) else { return }
            page.add(try row.archived(ImportedRow(id: id, digest: row.bits(1))), key: row.blob(0))
        }
    }

    /// Without those of loading an archive, which is not the archive's past.
    private static func replies(_ page: inout ArchivePage, _ session: Session) throws(StoreError) {
        try session.query(
            """
            SELECT key, principal, operation, fingerprint, sequence, events, body FROM reply
            WHERE key > $1 AND operation NOT IN ($2, $3) ORDER BY key LIMIT $4
            """,
            .blob(page.after ?? []),
            .text(StageArchive.operation),
            .text(LoadArchive.operation),
            .integer(page.rowsToRead)
        ) { (row) throws(StoreError) in
            guard let key = row.id(0) else { return }
            let reply = ReplyRow(
                key: key,
                principal: row.optionalText(1),
                operation: row.text(2),
                fingerprint: row.bits(3),
                sequence: row.integer(4),
                events: row.integer(5),
                reply: EncodedCBOR(trusted: row.blob(6))
            )
            page.add(try row.archived(reply), key: row.blob(0))
        }
    }

    private static func base(_ page: inout ArchivePage, _ session: Session) throws(StoreError) {
        let after = page.after ?? []
        try session.query(
            """
            SELECT id, entity, version, body FROM base
            WHERE id > $1 OR id = $1 AND entity > $2 ORDER BY id, entity LIMIT $3
            """,
            .blob(Array(after.prefix(16))),
            .text(String(decoding: after.dropFirst(16), as: UTF8.self)),
            .integer(page.rowsToRead)
        ) { (row) throws(StoreError) in
            guard let id = row.id(0) else { return }
            let base = BaseRow(
                id: id,
                entity: row.text(1),
                version: row.integer(2),
                record: row.isNull(3) ? nil : EncodedCBOR(trusted: row.blob(3))
            )
            page.add(try row.archived(base), key: row.blob(0) + Array(base.entity.utf8))
        }
    }

    private static func events(_ page: inout ArchivePage, _ session: Session) throws(StoreError) {
        let after = (page.after ?? []).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        try session.query(
            "SELECT sequence, digest, chain, key, erased, body FROM event WHERE sequence > $1 ORDER BY sequence LIMIT $2",
            .integer(after),
            .integer(page.rowsToRead)
        ) { (row) throws(StoreError) in
            let event = ArchivedEvent(
                digest: row.bits(1),
                chain: row.bits(2),
                key: row.id(3),
                erased: row.boolean(4) ? true : nil,
                event: EncodedCBOR(trusted: row.blob(5))
            )
            let sequence = row.integer(0)
            page.add(
                try row.archived(event),
                key: stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: sequence >> $0) }
            )
        }
    }
}

/// Rows of the parts that every service has; in `daybook.cddl` as `archived-imported` and the like.
struct ImportedRow: Codable {
    var id: Identifier
    var digest: UInt64
}

struct ReplyRow: Codable {
    var key: Identifier
    var principal: String?
    var operation: String
    var fingerprint: UInt64
    var sequence: Int64
    var events: Int64
    var reply: EncodedCBOR
}

struct BaseRow: Codable {
    var id: Identifier
    var entity: String
    var version: Int64
    /// Absent for what had been deleted.
    var record: EncodedCBOR?
}

extension Row {
    fileprivate func archived(_ value: some Encodable) throws(StoreError) -> EncodedCBOR {
        do throws(CBORError) {
            return try EncodedCBOR(encoding: value)
        } catch {
            throw .fault("a row can't be encoded: \(error)")
        }
    }
}
