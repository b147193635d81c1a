import Messages
import Synchronization
import ZeroMQ

/// What the callers' tasks and the thread of the sockets share: who waits for which outcome, and what is to be told the
/// thread.
///
/// Who waits is told by whoever takes it out of the box, so once: the thread with an outcome, the cancellation of the
/// task, or `close`.
package final class Exchange: Sendable {
    /// What the thread is told.
    enum Letter: Sendable {
        case submit(UInt64, Outgoing, timeout: Duration, at: ContinuousClock.Instant)
        case cancel(UInt64)
        case subscribe(UInt64, EventSubscription.Order)
        case follow(UInt64, ListSubscription.Order)
        /// The subscription's reader has room again.
        case drained(UInt64)
        case unsubscribe(UInt64)
    }

    private struct Box {
        var letters: [Letter] = []
        var waiting: [UInt64: @Sendable (Outcome) -> Void] = [:]
        /// Ends the mailbox of each subscription.
        var ends: [UInt64: @Sendable (ClientError?) -> Void] = [:]
        var lastID: UInt64
        /// Why nothing is taken any more.
        var end: ClientError?
    }

    let wakeUp: WakeUp
    private let box: Mutex<Box>

    /// - Parameter lastID: numbers are given out behind this one; from a random start a request's number is one of its own
    ///   in the logs of the services.
    /// - Throws: `transport` where there are no more file descriptors.
    package init(lastID: UInt64 = .random(in: 0..<1 << 47)) throws(ClientError) {
        do { wakeUp = try WakeUp() } catch { throw .transport(error) }
        box = Mutex(Box(lastID: lastID))
    }

    /// Sends a request and waits for its outcome; cancelling the task ends the wait at once.
    func outcome(of request: Outgoing, timeout: Duration) async -> Outcome {
        if Task.isCancelled { return .failure(.cancelled) }
        let id = nextID()
        let now = ContinuousClock.now
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                submit(id, request, timeout: timeout, at: now) { continuation.resume(returning: $0) }
                // A cancellation before this point found nobody waiting.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// A number that was not given out before.
    package func nextID() -> UInt64 {
        box.withLock { box in
            box.lastID += 1
            return box.lastID
        }
    }

    /// Begins a subscription, which fills the order's mailbox until `unsubscribe`.
    package func subscribe(_ order: EventSubscription.Order) -> UInt64 {
        let id = nextID()
        begin(id, order.mailbox.end, .subscribe(id, order))
        return id
    }

    /// Begins to follow a live list, which fills the order's mailbox until `unsubscribe`.
    package func follow(_ order: ListSubscription.Order) -> UInt64 {
        let id = nextID()
        begin(id, order.mailbox.end, .follow(id, order))
        return id
    }

    private func begin(_ id: UInt64, _ endMailbox: @escaping @Sendable (ClientError?) -> Void, _ letter: Letter) {
        let end = box.withLock { box -> ClientError? in
            if let end = box.end { return end }
            box.ends[id] = endMailbox
            box.letters.append(letter)
            return nil
        }
        if let end { endMailbox(end) } else { wakeUp.signal() }
    }

    package func drained(_ id: UInt64) {
        post(.drained(id))
    }

    package func unsubscribe(_ id: UInt64) {
        post(.unsubscribe(id))
    }

    private func post(_ letter: Letter) {
        box.withLock { box in
            if case .unsubscribe(let id) = letter { box.ends[id] = nil }
            if box.end == nil { box.letters.append(letter) }
        }
        wakeUp.signal()
    }

    /// Hands an outcome to whoever still waits for it.
    func finish(_ id: UInt64, _ outcome: Outcome) {
        box.withLock { $0.waiting.removeValue(forKey: id) }?(outcome)
    }

    /// Fails all that is pending and all that comes later, and lets the thread end. The first reason stays.
    package func end(_ error: ClientError) {
        let (waiting, ends) = box.withLock { box in
            if box.end == nil { box.end = error }
            box.letters = []
            defer { (box.waiting, box.ends) = ([:], [:]) }
            return (box.waiting, box.ends)
        }
        for end in ends.values { end(error) }
        for id in waiting.keys.sorted() { waiting[id]?(.failure(error)) }
        wakeUp.signal()
    }

    /// What came since the last call; nil after the end.
    func takeLetters() -> [Letter]? {
        box.withLock { box in
            guard box.end == nil else { return nil }
            defer { box.letters = [] }
            return box.letters
        }
    }

    /// Sends a request under a number of `nextID()`; `tell` is called once, with its outcome.
    package func submit(
        _ id: UInt64,
        _ request: Outgoing,
        timeout: Duration,
        at now: ContinuousClock.Instant,
        tell: @escaping @Sendable (Outcome) -> Void
    ) {
        let (first, end) = box.withLock { box -> (Bool, ClientError?) in
            if let end = box.end { return (false, end) }
            box.waiting[id] = tell
            box.letters.append(.submit(id, request, timeout: timeout, at: now))
            return (box.letters.count == 1, nil)
        }
        if let end { tell(.failure(end)) }
        // Where letters were waiting before, the signal for them is still to be seen.
        if first { wakeUp.signal() }
    }

    private func cancel(_ id: UInt64) {
        let tell = box.withLock { box in
            let tell = box.waiting.removeValue(forKey: id)
            if tell != nil { box.letters.append(.cancel(id)) }
            return tell
        }
        guard let tell else { return }
        tell(.failure(.cancelled))
        wakeUp.signal()
    }
}
