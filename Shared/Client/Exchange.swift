import Messages
import Synchronization
import ZeroMQ

/// What the callers' tasks and the thread of the sockets share: who waits for which outcome, and what is to be told the
/// thread.
///
/// A continuation is resumed by whoever takes it out of the box, so once: the thread with an outcome, the cancellation of
/// its task, or `close`.
final class Exchange: Sendable {
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
        var waiting: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
        /// Ends the mailbox of each subscription.
        var ends: [UInt64: @Sendable (ClientError?) -> Void] = [:]
        /// From a random start, so that a request's number is one of its own in the logs of the services.
        var lastID = UInt64.random(in: 0..<1 << 47)
        /// Why nothing is taken any more.
        var end: ClientError?
    }

    let wakeUp: WakeUp
    private let box = Mutex(Box())

    /// - Throws: `transport` where there are no more file descriptors.
    init() throws(ClientError) {
        do { wakeUp = try WakeUp() } catch { throw .transport(error) }
    }

    /// Sends a request and waits for its outcome; cancelling the task ends the wait at once.
    func outcome(of request: Outgoing, timeout: Duration) async -> Outcome {
        if Task.isCancelled { return .failure(.cancelled) }
        let id = nextID()
        let now = ContinuousClock.now
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                submit(id, continuation, .submit(id, request, timeout: timeout, at: now))
                // A cancellation before this point found nobody waiting.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// A number that was not given out before.
    func nextID() -> UInt64 {
        box.withLock { box in
            box.lastID += 1
            return box.lastID
        }
    }

    /// Begins a subscription, which fills the order's mailbox until `unsubscribe`.
    func subscribe(_ order: EventSubscription.Order) -> UInt64 {
        let id = nextID()
        begin(id, order.mailbox.end, .subscribe(id, order))
        return id
    }

    /// Begins to follow a live list, which fills the order's mailbox until `unsubscribe`.
    func follow(_ order: ListSubscription.Order) -> UInt64 {
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

    func drained(_ id: UInt64) {
        post(.drained(id))
    }

    func unsubscribe(_ id: UInt64) {
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
        box.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: outcome)
    }

    /// Fails all that is pending and all that comes later, and lets the thread end. The first reason stays.
    func end(_ error: ClientError) {
        let (waiting, ends) = box.withLock { box in
            if box.end == nil { box.end = error }
            box.letters = []
            defer { (box.waiting, box.ends) = ([:], [:]) }
            return (box.waiting, box.ends)
        }
        for end in ends.values { end(error) }
        for continuation in waiting.values { continuation.resume(returning: .failure(error)) }
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

    private func submit(_ id: UInt64, _ continuation: CheckedContinuation<Outcome, Never>, _ letter: Letter) {
        let (first, end) = box.withLock { box -> (Bool, ClientError?) in
            if let end = box.end { return (false, end) }
            box.waiting[id] = continuation
            box.letters.append(letter)
            return (box.letters.count == 1, nil)
        }
        if let end { continuation.resume(returning: .failure(end)) }
        // Where letters were waiting before, the signal for them is still to be seen.
        if first { wakeUp.signal() }
    }

    private func cancel(_ id: UInt64) {
        let continuation = box.withLock { box in
            let continuation = box.waiting.removeValue(forKey: id)
            if continuation != nil { box.letters.append(.cancel(id)) }
            return continuation
        }
        guard let continuation else { return }
        continuation.resume(returning: .failure(.cancelled))
        wakeUp.signal()
    }
}
