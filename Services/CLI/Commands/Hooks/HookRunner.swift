import Client
import Messages
import Synchronization

/// Runs a hook's command for each event: every event at least once, the first runs in the order of each log.
///
/// The position moves only when the command ended with 0, or the event lies with the failures; it is synced to disk
/// before the next event.
final class HookRunner: Sendable {
    struct Policy: Sendable, Hashable {
        /// How often an event is tried before it goes to the failures; nil for as long as it takes.
        var attempts: Int?
        /// The pause after the first failure; each one after it is twice as long, up to 64 times.
        var pause: Duration
    }

    let folder: HookFolder
    let subscriber: EventSubscriber
    let command: HookCommand
    let selection: EventSelection
    let policy: Policy
    /// Told what a person should know.
    let tell: @Sendable (String) -> Void
    private let progress: Mutex<Progress>
    private let turns = Turns()

    private struct Progress {
        var state: HookState
        /// Whether it is ahead of what is stored.
        var isDirty = false
    }

    init(
        _ folder: HookFolder,
        _ state: HookState,
        _ subscriber: EventSubscriber,
        environment: [String: String],
        policy: Policy,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.folder = folder
        self.subscriber = subscriber
        self.policy = policy
        self.tell = tell
        selection = state.selection
        command = HookCommand(
            words: state.command,
            timeout: state.timeout,
            folder: folder,
            environment: environment
        )
        progress = Mutex(Progress(state: state))
    }

    /// Runs until the task is cancelled; a run that is under way is finished and counts.
    ///
    /// - Throws: what following and storing throw.
    func run() async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for source in selection.sources {
                    group.addTask { try await self.follow(source) }
                }
                group.addTask { try await self.keepProgress() }
                // The first that ends, ends by an error.
                try await group.next()
            }
        } catch {
            try storeProgress()
            if Task.isCancelled { return }
            throw error
        }
    }

    private func follow(_ source: ServiceName) async throws {
        guard let place = place(of: source) else { return }
        try await subscriber.updates(
            of: source,
            from: place.position,
            entities: selection.entities,
            follow: true
        ) { update async throws(CLIError) in
            switch update {
            case .transaction(let transaction): try await deliver(transaction)
            case .resync(let reason, let position):
                tell(EventPrinter.sentence(reason, source, position))
                try await deliver(CloudEvent(reason, of: source, behind: position, time: .now()), of: source)
                try move(source, durably: true) { $0 = HookState.Place(position: position) }
            }
        }
    }

    private func deliver(_ transaction: EventTransaction) async throws(CLIError) {
        let source = transaction.service
        for event in transaction.events where selection.contains(event) {
            guard let place = place(of: source), !place.isDone(event) else { continue }
            try await deliver(CloudEvent(event, of: source, epoch: transaction.position.epoch), of: source)
            try move(source, durably: true) { place in
                place.attempts = 0
                if event.sequence == transaction.position.sequence {
                    place.done = nil
                    place.position = transaction.position
                } else {
                    place.done = (event.sequence, event.time)
                }
            }
        }
        try move(source, durably: false) { place in
            place.done = nil
            place.position = transaction.position
        }
    }

    /// Runs the command for an event until it ends with 0, or the event is given up.
    private func deliver(_ event: CloudEvent, of source: ServiceName) async throws(CLIError) {
        var backoff = Backoff(shortest: policy.pause, longest: policy.pause * 64)
        while true {
            let attempt = (place(of: source)?.attempts ?? 0) + 1
            await turns.enter()
            let outcome: Result<HookCommand.Ending, CLIError>
            do throws(CLIError) {
                // Who waited for its turn meanwhile was perhaps told to end.
                if Task.isCancelled { throw .client(.cancelled) }
                outcome = .success(try await command.run(id: event.id, json: event.json, attempt: attempt))
            } catch {
                outcome = .failure(error)
            }
            await turns.leave()
            let ending = try outcome.get()
            if ending.isSuccess { return }
            let reason = ending.description
            if let attempts = policy.attempts, attempt >= attempts {
                try folder.store(HookFailure(event, attempts: attempt, reason: reason, time: .now()))
                return tell(
                    "\(event.type) at \(event.position) \(reason): given up after \(attempt), see 'daybook hook failed'"
                )
            }
            try move(source, durably: true) { $0.attempts = attempt }
            tell("\(event.type) at \(event.position) \(reason); again in \(backoff.interval)")
            do {
                try await Task.sleep(for: backoff.interval)
            } catch {
                throw .client(.cancelled)
            }
            backoff.advance()
        }
    }

    // MARK: Progress

    private func place(of source: ServiceName) -> HookState.Place? {
        progress.withLock { $0.state.places[source] }
    }

    /// Moves on; what no event was run for is written a little later.
    private func move(
        _ source: ServiceName,
        durably: Bool,
        _ change: (inout HookState.Place) -> Void
    ) throws(CLIError) {
        try progress.withLock { progress throws(CLIError) in
            guard let old = progress.state.places[source] else { return }
            var place = old
            change(&place)
            guard place != old else { return }
            progress.state.places[source] = place
            progress.isDirty = !durably
            if durably { try folder.store(progress.state) }
        }
    }

    private func storeProgress() throws(CLIError) {
        try progress.withLock { progress throws(CLIError) in
            guard progress.isDirty else { return }
            try folder.store(progress.state)
            progress.isDirty = false
        }
    }

    private func keepProgress() async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            try storeProgress()
        }
    }
}

/// One at a time, in the order of arrival.
private actor Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
