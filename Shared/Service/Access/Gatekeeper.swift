internal import Client
internal import Messages
internal import Synchronization
internal import ZeroMQ

/// Decides who may connect, and knows whose key a connection was made with.
///
/// libzmq asks it at each handshake, on a thread of its own (RFC 27). A connection that stands is not asked about again,
/// so whoever takes its requests looks up the key once more: `holder(of:)`.
final class Gatekeeper: Sendable {
    /// The domain of the sockets that it is asked for.
    static let domain = "daybook"

    /// Whose key it is, and what it may do.
    struct Holder: Hashable, Sendable {
        var name: String
        var role: Role
    }

    private struct State {
        /// By public key.
        var holders: [String: Holder] = [:]
        var stamp = KeyFolder.Stamp()
        /// Whether the folder was read so soon after a change that another in the same tick of its clock would not show.
        var isFresh = true
        /// Whose keys were taken away while this process ran, by public key: for what is said to them.
        var former: [String: String] = [:]
        /// Whether a key was taken away since this was last asked.
        var hasLost = false
        var refusals = 0
        /// Keys that were made to be turned away.
        var strangers: Set<String> = []
    }

    private let folder: KeyFolder
    private let user: UInt32
    private let log: Log
    private let state = Mutex(State())

    /// Reads the folder.
    ///
    /// - Parameter user: over ipc, this one is let in, and root.
    init(_ folder: KeyFolder, user: UInt32, log: Log) {
        self.folder = folder
        self.user = user
        self.log = log
        refresh()
        _ = takeLost()
    }

    // MARK: Keys

    /// Whose key it is; nil where it isn't allowed, or no longer.
    func holder(of publicKey: String) -> Holder? { state.withLock { $0.holders[publicKey] } }

    /// Whose key it was that is no longer allowed; nil where that isn't known.
    func formerName(of publicKey: String) -> String? { state.withLock { $0.former[publicKey] } }

    /// All keys that are allowed, by name.
    var keys: [KeysInForce.Key] {
        state.withLock(\.holders)
            .map { KeysInForce.Key(name: $0.value.name, role: $0.value.role, publicKey: $0.key) }
            .sorted { $0.name < $1.name }
    }

    /// Whether a key was taken away since the last call.
    func takeLost() -> Bool {
        state.withLock { state in
            defer { state.hasLost = false }
            return state.hasLost
        }
    }

    /// Reads the folder again if it changed; costs one system call where it did not.
    ///
    /// - Parameter always: reads it anyway: what was written in place doesn't show.
    ///
    /// - Returns: whether it was read.
    @discardableResult
    func refresh(always: Bool = false) -> Bool {
        let problems = state.withLock { state -> [KeyError]? in
            let stamp = folder.stamp
            guard always || state.isFresh || stamp != state.stamp else { return nil }
            let isAnother = stamp != state.stamp
            let (files, problems): ([KeyFile], [KeyError])
            do throws(KeyError) {
                (files, problems) = try folder.publicFiles()
            } catch {
                // Those that are known stay, and it is read again the next time.
                return [error]
            }
            // The stamp is that of before: what changed meanwhile shows the next time.
            state.stamp = stamp
            state.isFresh = Int(Instant.now().microseconds / 1_000_000) - stamp.seconds < 2
            var holders: [String: Holder] = [:]
            for file in files { holders[file.publicKey] = Holder(name: file.name, role: file.role) }
            for (key, holder) in state.holders where holders[key] == nil {
                state.former[key] = holder.name
                state.hasLost = true
            }
            state.holders = holders
            return always || isAnother ? problems : []
        }
        for problem in problems ?? [] { log.write(.warning, problem.description) }
        return problems != nil
    }

    // MARK: Handshakes

    /// Answers libzmq from now on, on a thread that ends with the context.
    ///
    /// - Throws: `ClientError` without a thread; `ZeroMQError`.
    func start(_ context: Context) throws -> SocketThread {
        let ready = try WakeUp()
        let failure = Mutex<ZeroMQError?>(nil)
        let thread = try SocketThread { [self] in
            do throws(ZeroMQError) {
                let socket = try Socket(context, .rep)
                try socket.bind(ZAPRequest.endpoint)
                ready.signal()
                run(socket)
            } catch {
                failure.withLock { $0 = error }
                ready.signal()
            }
        }
        var poller = Poller()
        _ = poller.add(fileDescriptor: ready.fileDescriptor, .receive)
        try poller.wait(timeout: nil)
        if let error = failure.withLock(\.self) { throw error }
        return thread
    }

    private func run(_ socket: Socket) {
        var poller = Poller()
        _ = poller.add(socket, .receive)
        do {
            while true {
                while let message = try socket.receive() {
                    // What is no request is libzmq's own fault; a REP has to answer before it receives again.
                    _ = try socket.send(ZAPRequest(message).map(answer) ?? [Frame([])])
                }
                try poller.wait(timeout: nil)
            }
        } catch {
            if case .closed = error { return }
            // Without an answer nobody is let in.
            log.write(.error, "handshakes are no longer answered: \(error)")
        }
    }

    /// A key that nobody has, for the proof that such a one is turned away.
    func stranger() throws(ZeroMQError) -> CurveKeyPair {
        let pair = try CurveKeyPair.generate()
        state.withLock { _ = $0.strangers.insert(pair.publicKey) }
        return pair
    }

    /// What a handshake is answered with.
    func answer(_ request: ZAPRequest) -> [Frame] {
        guard request.domain == Gatekeeper.domain else { return refuse(request) }
        switch request.credentials {
        case .null(let user?) where user == self.user || user == 0:
            return request.admitted(as: "")
        case .curve(let publicKey):
            refresh()
            // The key itself, not its name: that could be another's one day.
            return holder(of: publicKey) == nil ? refuse(request) : request.admitted(as: publicKey)
        case .null, .other:
            return refuse(request)
        }
    }

    /// Said at the first, the tenth, the hundredth, …: strangers can't fill the disk.
    private func refuse(_ request: ZAPRequest) -> [Frame] {
        let count = state.withLock { state in
            if case .curve(let publicKey) = request.credentials, state.strangers.contains(publicKey) { return 0 }
            state.refusals += 1
            return state.refusals
        }
        guard count > 0 else { return request.refused }
        var rest = count
        while rest % 10 == 0 { rest /= 10 }
        if rest == 1 {
            log.write(.warning, "turned a key away", ["from": request.address, "refusals": String(count)])
        }
        return request.refused
    }
}
