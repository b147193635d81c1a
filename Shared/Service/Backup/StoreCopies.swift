internal import Failpoints
internal import Glibc
internal import Messages
internal import Store
internal import Synchronization

/// The copies of the store that are being fetched. Each is an open file without a name: a process that ends, however it
/// does, leaves none behind.
///
/// All of it runs on reader threads; only `drop(idleSince:)` and `stop()` are the loop's.
final class StoreCopies: Sendable {
    /// More copies than this at a time are refused.
    static let most = 4
    /// A copy that nobody asked for so long is dropped, in milliseconds.
    static let kept: Int64 = 120_000

    private struct Copy {
        /// nil while it is being made.
        var file: (descriptor: Int32, reply: BeginBackup.Reply)?
        /// By `ServiceLoop.now`.
        var asked: Int64
    }

    private struct State {
        var copies: [Identifier: Copy] = [:]
        var isStopping = false
    }

    private let projections: [Projection]
    private let state = Mutex(State())

    init(_ projections: [Projection]) {
        self.projections = projections
    }

    deinit {
        for copy in state.withLock({ $0.copies.values.compactMap(\.file) }) { close(copy.descriptor) }
    }

    /// How many there are, those that are being made included.
    var count: Int { state.withLock { $0.copies.count } }

    @Sendable func begin(_ request: BeginBackup, _ reading: Reading) throws(ServiceError) -> BeginBackup.Reply {
        if let reply = try reserve(request.backup) { return reply }
        let result = Result { () throws(ServiceError) in try make(request, reading) }
        state.withLock { state in
            switch result {
            case .success(let file): state.copies[request.backup] = Copy(file: file, asked: ServiceLoop.now)
            case .failure: state.copies[request.backup] = nil
            }
        }
        return try result.get().reply
    }

    @Sendable func read(_ request: ReadBackup, _ reading: Reading) throws(ServiceError) -> ReadBackup.Reply {
        guard request.offset >= 0 else {
            throw .invalid(field: "offset", found: "\(request.offset)", "a copy begins at 0, not at \(request.offset)")
        }
        // Under the lock, so that nobody closes the file meanwhile.
        let (bytes, count) =
            state.withLock { state -> ([UInt8], Int)? in
                guard let file = state.copies[request.backup]?.file else { return nil }
                state.copies[request.backup]?.asked = ServiceLoop.now
                var bytes = [UInt8](repeating: 0, count: ReadBackup.chunkBytes)
                let count = pread(file.descriptor, &bytes, bytes.count, off_t(request.offset))
                return (bytes, count)
            } ?? ([], -2)
        guard count != -2 else {
            throw .refused(
                .notFound,
                "there is no copy \(request.backup) any more: it is kept for two minutes; begin the backup again",
                field: "backup"
            )
        }
        guard count >= 0 else { throw .store(.inputOutput("a copy of the store can't be read")) }
        return ReadBackup.Reply(bytes: Array(bytes.prefix(count)))
    }

    @Sendable func end(_ request: EndBackup, _ reading: Reading) throws(ServiceError) -> Empty {
        let file = state.withLock { state -> (descriptor: Int32, reply: BeginBackup.Reply)? in
            // One that is being made can't be taken from under whoever makes it.
            guard let file = state.copies[request.backup]?.file else { return nil }
            state.copies[request.backup] = nil
            return file
        }
        if let file { close(file.descriptor) }
        return Empty()
    }

    /// Drops what nobody asked for since then.
    func drop(idleSince time: Int64) {
        let idle = state.withLock { state in
            let idle = state.copies.filter { $0.value.file != nil && $0.value.asked < time }
            for id in idle.keys { state.copies[id] = nil }
            return idle.values.compactMap { $0.file?.descriptor }
        }
        for descriptor in idle { close(descriptor) }
    }

    /// Ends what is being made.
    func stop() {
        state.withLock { $0.isStopping = true }
    }

    /// Takes the place of a copy; gives the reply of one that is there.
    private func reserve(_ id: Identifier) throws(ServiceError) -> BeginBackup.Reply? {
        let found = state.withLock { state -> Result<BeginBackup.Reply?, ServiceError> in
            let now = ServiceLoop.now
            if let copy = state.copies[id] {
                guard let file = copy.file else {
                    return .failure(.unavailable("the copy is being made: ask again", retryAfter: 500))
                }
                state.copies[id]?.asked = now
                return .success(file.reply)
            }
            guard !state.isStopping else { return .failure(Allowance.stopped) }
            guard state.copies.count < Self.most else {
                let message = "\(Self.most) copies of the store are kept already: let another backup end first"
                return .failure(.unavailable(message, retryAfter: 2000))
            }
            state.copies[id] = Copy(file: nil, asked: now)
            return .success(nil)
        }
        return try found.get()
    }

    private func make(
        _ request: BeginBackup,
        _ reading: Reading
    ) throws(ServiceError) -> (descriptor: Int32, reply: BeginBackup.Reply) {
        do throws(ServiceError) {
            let file = try storing { () throws(StoreError) in
                try reading.session.copy(named: request.backup.description) {
                    self.state.withLock { !$0.isStopping }
                }
            }
            guard let file else { throw Allowance.stopped }
            defer { file.remove() }
            failpoint("backup.copied")
            let (position, follows) = try fit(file, to: request.within, reading)
            let (descriptor, bytes) = try storing { () throws(StoreError) in try file.open() }
            return (descriptor, BeginBackup.Reply(bytes: bytes, position: position, follows: follows))
        } catch {
            guard case .store(.full) = error else { throw error }
            // Asking again at once would not help, so that whoever asks is told at once.
            throw .unavailable(
                "the disk of the store has no room for a copy of it: free some space and begin again",
                retryAfter: 3_600_000
            )
        }
    }

    /// Takes out of a copy what it knows of others beyond their copies.
    private func fit(
        _ file: StoreCopy,
        to limits: Positions,
        _ reading: Reading
    ) throws(ServiceError) -> (Position, Positions) {
        var follows: Positions = [:]
        var beyond: [Projection] = []
        for projection in projections {
            let name = projection.source.rawValue
            let session = reading.session
            let cursor = try storing { () throws(StoreError) in try Cursor.load(name, session) }
            guard let cursor else { continue }
            if let limit = limits[name], limit.epoch != cursor.epoch || limit.sequence < cursor.sequence {
                beyond.append(projection)
            } else {
                follows[name] = Position(epoch: cursor.epoch, sequence: cursor.sequence)
            }
        }
        let head = try reading.first("SELECT max(sequence) FROM event") { $0.integer(0) } ?? 0
        if !beyond.isEmpty { try empty(beyond, in: file, reading) }
        return (Position(epoch: reading.epoch, sequence: head), follows)
    }

    private func empty(
        _ projections: [Projection],
        in file: StoreCopy,
        _ reading: Reading
    ) throws(ServiceError) {
        let session = try storing { () throws(StoreError) in try file.session() }
        var transaction = Transaction(session: session, time: .now(), principal: nil, registry: reading.registry)
        try storing { () throws(StoreError) in try session.begin() }
        for projection in projections { try projection.empty(&transaction) }
        try storing { () throws(StoreError) in try session.commit() }
    }
}
