internal import CBOR
public import Messages
public import Store

/// What a query reads: one snapshot of the store.
public struct Reading {
    /// For the service's own tables beside its records.
    public let session: Session
    let registry: EntityRegistry
    let epoch: Identifier
    /// Who asks.
    let principal: String?
    /// Whether the session is that of the reader of the past, whose temporary tables hide the records' own.
    var isPast = false

    /// Hands each row of a query of the service's own to the closure.
    public func query(
        _ sql: String,
        _ values: Value...,
        each body: (borrowing Row) throws(StoreError) -> Void
    ) throws(ServiceError) {
        try storing { () throws(StoreError) in try session.query(sql, values, each: body) }
    }

    /// What the closure makes of the first row; nil where there is none.
    public func first<Result>(
        _ sql: String,
        _ values: Value...,
        make: (borrowing Row) throws(StoreError) -> Result
    ) throws(ServiceError) -> Result? {
        try storing { () throws(StoreError) in try session.first(sql, values, make: make) }
    }

    /// The records of this type.
    func table<R: Record>(_ type: R.Type) throws(ServiceError) -> RecordTable<R> {
        try registry.table(type)
    }
}

/// The operations of a service: names, message types and what answers them.
public struct Routes: Sendable {
    /// Changes something, inside the transaction that its reply is stored in; what it throws undoes all of it.
    public typealias Command<R: Request> = @Sendable (R, inout Transaction) throws(ServiceError) -> R.Reply
    /// Reads, from one snapshot of the store.
    public typealias Query<R: Request> = @Sendable (R, Reading) throws(ServiceError) -> R.Reply

    enum Handler: Sendable {
        case command(@Sendable ([UInt8], inout Transaction) throws(ServiceError) -> [UInt8])
        /// Returns body frames, as the other does.
        case query(@Sendable ([UInt8], Reading) throws(ServiceError) -> [[UInt8]])
        case scan(@Sendable ([UInt8], Reading) throws(ServiceError) -> [[UInt8]])
        /// Answered by the loop itself, which knows what no handler does.
        case loop
    }

    private(set) var handlers: [String: Handler] = [:]
    /// What a key must be allowed, for operations that need something else than their kind does.
    private var roles: [String: Role] = [:]
    private(set) var registry = EntityRegistry()
    /// What live lists can be opened of.
    package private(set) var listSources: [ListSource] = []

    public init() {}

    /// What a key must be allowed to ask for an operation: commands need a writer, all else a reader, unless it was declared
    /// with another role. nil for an operation that there isn't.
    package func role(of operation: String) -> Role? {
        switch handlers[operation] {
        case nil: nil
        case .command: roles[operation] ?? .writer
        case .query, .scan, .loop: roles[operation] ?? .reader
        }
    }

    /// Says that the loop answers it.
    mutating func loop<R: Request>(_ type: R.Type, role: Role? = nil) {
        handlers[R.operation] = .loop
        roles[R.operation] = role
    }

    /// Answers a command. The reply is encoded and stored in the transaction of its effect.
    ///
    /// - Parameter role: who may ask for it; a writer where it is nil.
    public mutating func command<R: Request>(_ type: R.Type, role: Role? = nil, _ handler: @escaping Command<R>) {
        roles[R.operation] = role
        handlers[R.operation] = .command { (body, transaction) throws(ServiceError) in
            try encoded(try handler(try decodeRequest(R.self, body), &transaction))
        }
    }

    /// Answers a query: in the loop, or on a reader thread where its kind is `scan`.
    ///
    /// - Parameter role: who may ask for it; a reader where it is nil.
    public mutating func query<R: Request>(_ type: R.Type, role: Role? = nil, _ handler: @escaping Query<R>) {
        roles[R.operation] = role
        let run: @Sendable ([UInt8], Reading) throws(ServiceError) -> [[UInt8]] = {
            (body, reading) throws(ServiceError) in
            let reply = try handler(try decodeRequest(R.self, body), reading)
            guard let framed = reply as? any FramedReply else { return [try encoded(reply)] }
            return try encodedFrames(framed)
        }
        handlers[R.operation] = R.kind == .scan ? .scan(run) : .query(run)
    }

    /// Offers live lists of a report's rows.
    public mutating func liveList(_ source: ListSource) {
        listSources.append(source)
    }

    /// Serves an entity: put, delete, get, list and import; and lists of its parts.
    public mutating func entity<R: Record>(_ entity: Entity<R>) {
        registry.add(entity)
        lists(of: RecordTable(entity).listed, in: R.entity, by: "id")
        for part in entity.parts { part.serve(&self) }
        // The reply is the record as it was just encoded for the store.
        handlers[Put<R>.operation] = .command { (body, transaction) throws(ServiceError) in
            try transaction.putting(try decodeRequest(Put<R>.self, body).record).body
        }
        command(Delete<R>.self) { (request, transaction) throws(ServiceError) in try transaction.delete(request) }
        if let blank = entity.erase {
            command(Erase<R>.self) { (request, transaction) throws(ServiceError) in
                try transaction.erase(request, blank)
            }
        }
        handlers[Get<R>.operation] = .query { (body, reading) throws(ServiceError) in
            let id = try decodeRequest(Get<R>.self, body).id
            let table = try reading.table(R.self)
            let stored = try storing { () throws(StoreError) in try table.body(id, reading.session) }
            guard let stored else {
                let transaction = Transaction(
                    session: reading.session,
                    time: .now(),
                    principal: nil,
                    registry: reading.registry
                )
                throw try transaction.absence(of: R.self, id)
            }
            return [stored]
        }
    }

    /// Serves lists of a table, in pages and live.
    ///
    /// - Parameters:
    ///   - entity: the records that its rows are, or are parts of.
    ///   - owner: the column of their ids.
    mutating func lists<R: Listed>(of table: ListedTable<R>, in entity: String, by owner: String) {
        listSources.append(ListSource(table))
        handlers[List<R>.operation] = .query { (body, reading) throws(ServiceError) in
            let request: List<R>
            if let usual = List<R>(quickly: body) {
                request = usual
            } else {
                request = try decodeRequest(List<R>.self, body)
            }
            guard let asOf = request.asOf else { return [try RecordList.read(request, table, reading.session)] }
            guard reading.isPast else { throw .past }
            let records = try reading.registry.table(named: entity)
            let past = try records.goBack(to: asOf, reading.session)
            return [try RecordList.read(request, table, reading.session, past: past, by: owner)]
        }
    }
}

/// Encodes a reply in as few frames as its rows fit into.
private func encodedFrames(_ reply: some FramedReply) throws(ServiceError) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    for rows in [4000, 1000, 250, 50] {
        frames = []
        for part in reply.frames(ofRows: rows) { frames.append(try encoded(part)) }
        if frames.allSatisfy({ $0.count <= Envelope.mostFrameBytes }) { break }
    }
    return frames
}

/// Decodes a request's body; what is wrong with it is the sender's fault.
func decodeRequest<R: Request>(_ type: R.Type, _ body: [UInt8]) throws(ServiceError) -> R {
    do throws(CBORError) {
        return try CBORDecoder().decode(type, from: body)
    } catch {
        throw .refused(
            .invalid,
            ErrorBody(code: "malformed", message: "the body is no \(R.operation): \(error)", field: "body")
        )
    }
}
