internal import CBOR
internal import Messages
internal import Store

/// Checks the log against itself and against the records, in one pass over each and in constant memory.
struct LogCheck {
    /// The most differences that are told one by one.
    static let mostExamples = 20

    private let session: Session
    private let floor: Floor
    private let interlude: () -> Void
    private var sequence: Int64 = 0
    private var events: Int64 = 0
    private var records: Int64 = 0
    private var differences: Int64 = 0
    private var examples: [String] = []
    private var dangling: Int64 = 0

    static func verify(_ reading: Reading, _ references: ReferenceRoutes) throws(ServiceError) -> VerifyLog.Reply {
        var check = try LogCheck(reading.session)
        try check.checkFile()
        try check.checkAll(reading.registry)
        try references.dangling(reading) { source, entity, id in
            check.dangling += 1
            check.tell("the \(entity) \(id) refers to what \(source) does not have")
        }
        return check.reply
    }

    /// Checks the log and the records alone, inside of the transaction that writes them.
    ///
    /// - Parameter interlude: called now and then.
    static func check(
        _ session: Session,
        _ registry: EntityRegistry,
        interlude: @escaping () -> Void
    ) throws(ServiceError) -> VerifyLog.Reply {
        var check = try LogCheck(session, interlude: interlude)
        try check.checkAll(registry)
        return check.reply
    }

    private mutating func checkAll(_ registry: EntityRegistry) throws(ServiceError) {
        try checkEvents()
        for name in registry.names { try checkRecords(of: name, try registry.table(named: name)) }
    }

    private var reply: VerifyLog.Reply {
        VerifyLog.Reply(
            floor: floor.sequence,
            sequence: sequence,
            events: events,
            records: records,
            differences: differences,
            dangling: dangling == 0 ? nil : dangling,
            examples: examples
        )
    }

    private init(_ session: Session, interlude: @escaping () -> Void = {}) throws(ServiceError) {
        self.session = session
        self.interlude = interlude
        floor = try storing { () throws(StoreError) in try Floor.load(session) }
    }

    private mutating func differ(_ sentence: @autoclosure () -> String) {
        differences += 1
        tell(sentence())
    }

    private mutating func tell(_ sentence: @autoclosure () -> String) {
        if examples.count < LogCheck.mostExamples { examples.append(sentence()) }
    }

    /// What SQLite itself finds wrong with the file: pages, indexes, constraints.
    private mutating func checkFile() throws(ServiceError) {
        var found: [String] = []
        try storing { () throws(StoreError) in
            try session.query("PRAGMA integrity_check(\(LogCheck.mostExamples))") { found.append($0.text(0)) }
        }
        for sentence in found where sentence != "ok" { differ("the file is damaged: \(sentence)") }
    }

    // MARK: Events

    // A damaged store has any numbers: they are counted on with &+, which wraps around and then is not the next.

    private struct Place {
        var sequence: Int64
        var chain: UInt64
        var transaction: Int64
        var isLast = true
        var heads: [String: Int64] = [:]
    }

    private mutating func checkEvents() throws(ServiceError) {
        var place = Place(sequence: floor.sequence, chain: floor.chain, transaction: floor.transaction)
        // A step of trimming may have ended within a transaction.
        place.isLast = floor.sequence == 0
        var check = self
        try storing { () throws(StoreError) in
            try session.query(
                "SELECT sequence, entity, subject, version, last, digest, chain, body, erased FROM event ORDER BY sequence"
            ) { check.checkEvent($0, &place) }
        }
        self = check
        sequence = place.sequence
        if events > 0, !place.isLast { differ("the last transaction has no end") }
        try checkHeads(place)
    }

    private mutating func checkEvent(_ row: borrowing Row, _ place: inout Place) {
        let number = row.integer(0)
        let body = row.blob(7)
        if events % 1000 == 0 { interlude() }
        events += 1
        let isNext = number == place.sequence &+ 1
        if !isNext { differ("events are missing between \(place.sequence) and \(number)") }
        // What was erased is not what was written: its digest stays, for the chain.
        if !row.boolean(8), Digest.of(body) != row.bits(5) { differ("event \(number) is not what was written") }
        if isNext, EventLog.link(place.chain, row.bits(5)) != row.bits(6) {
            differ("the chain breaks at event \(number)")
        }
        place.sequence = number
        place.chain = row.bits(6)
        guard let event = try? decodeStored(Event.self, body) else { return differ("event \(number) can't be read") }
        let isAsStored =
            event.sequence == number && event.entity == row.text(1) && event.subject == row.id(2)
            && event.version == row.integer(3) && (event.last ?? false) == row.boolean(4)
        if !isAsStored { differ("event \(number) has other columns than its body") }
        let isPrevious = place.heads[event.entity].map { $0 == event.previous } ?? (event.previous <= floor.sequence)
        if isNext, !isPrevious { differ("event \(number) names \(event.previous) as the one before it") }
        let isInOrder =
            event.transaction == place.transaction &+ 1
            || (event.transaction == place.transaction && (!place.isLast || number == floor.sequence &+ 1))
        if isNext, !isInOrder { differ("event \(number) is of transaction \(event.transaction)") }
        place.transaction = event.transaction
        place.isLast = event.last ?? false
        place.heads[event.entity] = number
    }

    private mutating func checkHeads(_ place: Place) throws(ServiceError) {
        var counters: [String: Int64] = [:]
        try storing { () throws(StoreError) in
            try session.query("SELECT name, value FROM counter") { counters[$0.text(0)] = $0.integer(1) }
        }
        for (entity, head) in place.heads.sorted(by: { $0.key < $1.key })
        where counters[EventLog.headPrefix + entity] != head {
            differ("the head of \(entity) is not \(head)")
        }
        if counters["transaction"] ?? 0 != place.transaction {
            differ("the last transaction is not \(place.transaction)")
        }
    }

    // MARK: Records

    /// Folds base and log of one entity, record by record, and compares with its table.
    private mutating func checkRecords(of entity: String, _ table: any AnyRecordTable) throws(ServiceError) {
        records += try count("SELECT count(*) FROM \"\(table.name)\"")
        // By the index over subject and version; what is of other entities is passed over.
        var subjects: [Identifier] = []
        var after: Value = .blob([])
        repeat {
            subjects = []
            interlude()
            try storing { () throws(StoreError) in
                try session.query(
                    """
                    SELECT subject FROM event WHERE subject > $1
                    UNION SELECT id FROM base WHERE id > $1
                    UNION SELECT id FROM "\(table.name)" WHERE id > $1
                    ORDER BY 1 LIMIT 1000
                    """,
                    after
                ) { row in if let id = row.id(0) { subjects.append(id) } }
            }
            for subject in subjects { try checkRecord(subject, of: entity, table) }
            if let last = subjects.last { after = .id(last) }
        } while !subjects.isEmpty
    }

    private mutating func checkRecord(
        _ id: Identifier,
        of entity: String,
        _ table: any AnyRecordTable
    ) throws(ServiceError) {
        let base = try first(
            "SELECT version, body FROM base WHERE id = $1 AND entity = $2",
            .id(id),
            .text(entity)
        ) { ($0.integer(0), $0.isNull(1) ? nil : $0.blob(1)) }
        var version = base?.0 ?? 0
        var sequence = floor.sequence
        var isContiguous = true
        var isKnown = base != nil
        try storing { () throws(StoreError) in
            try session.query(
                "SELECT version, sequence FROM event WHERE subject = $1 AND entity = $2 ORDER BY version",
                .id(id),
                .text(entity)
            ) { row in
                if row.integer(0) != version &+ 1 || row.integer(1) <= sequence { isContiguous = false }
                version = row.integer(0)
                sequence = row.integer(1)
                isKnown = true
            }
        }
        if !isContiguous { differ("the versions of the \(entity) \(id) have a hole") }
        var folded = base?.1
        if sequence > floor.sequence {
            let body = try first("SELECT body FROM event WHERE sequence = $1", .integer(sequence)) { $0.blob(0) }
            // One that can't be read was told above.
            guard let event = try? decodeStored(Event.self, body ?? []) else { return }
            folded = event.data?.bytes
        }
        let stored = try storing { () throws(StoreError) in try table.body(id, session) }
        switch (folded, stored) {
        case (nil, nil): break
        case (nil, _?): differ("the \(entity) \(id) is stored, but \(isKnown ? "was deleted" : "has no event")")
        case (_?, nil): differ("the \(entity) \(id) is not stored")
        case (let folded?, let stored?):
            if try !table.isSame(folded, stored) { differ("the \(entity) \(id) is stored otherwise than in the log") }
            if try !table.isFound(stored, session) { differ("the \(entity) \(id) is not found by its words") }
        }
    }

    private func count(_ sql: String) throws(ServiceError) -> Int64 {
        try storing { () throws(StoreError) in try session.first(sql) { $0.integer(0) } } ?? 0
    }

    private func first<Result>(
        _ sql: String,
        _ values: Value...,
        make: (borrowing Row) -> Result
    ) throws(ServiceError) -> Result? {
        try storing { () throws(StoreError) in
            try session.first(sql, values) { (row) throws(StoreError) in make(row) }
        }
    }
}
