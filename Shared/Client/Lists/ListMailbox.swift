import LiveList
import Messages
import Synchronization

/// What following a list has ready, between the thread of the sockets and the task that reads it.
///
/// Bounded: one snapshot and `fullBytes` of batches. When it is full all of it is dropped; once the task asks again, the
/// thread is told that there is room.
final class ListMailbox: Mailbox {
    static let fullBytes = 1 << 20

    fileprivate struct Box {
        var updates: [ListUpdate] = []
        /// Of `updates`, those that were taken.
        var taken = 0
        /// Of the batches.
        var bytes = 0
        var isFull = false
        var hasBegun = false
        /// How it ended, told after the last update; a nil error is an end without a reason.
        var end: ClientError??
        var waiting: CheckedContinuation<Result<ListUpdate?, ClientError>, Never>?
    }

    private let box = Mutex(Box())

    // MARK: The thread

    /// Puts an update in; a snapshot replaces what was not taken before it.
    ///
    /// - Returns: Whether it is full, and has dropped everything.
    func put(_ update: ListUpdate, bytes: Int) -> Bool {
        let (waiting, first, isFull) = box.withLock { box in
            switch update {
            // Told together with the snapshot behind it: neither is worth anything alone.
            case .resync: box.clear()
            case .snapshot: if box.updates.dropFirst(box.taken).first?.isResync != true { box.clear() }
            case .batch: box.bytes += bytes + 200
            }
            if box.bytes > Self.fullBytes {
                box.clear()
                box.isFull = true
                return (nil as CheckedContinuation<Result<ListUpdate?, ClientError>, Never>?, nil as ListUpdate?, true)
            }
            // Who has seen nothing is not told that it is over.
            if box.hasBegun || !update.isResync { box.updates.append(update) }
            guard let waiting = box.waiting, let first = box.take() else { return (nil, nil, false) }
            box.waiting = nil
            return (waiting, first, false)
        }
        waiting?.resume(returning: .success(first))
        return isFull
    }

    func end(_ error: ClientError?) {
        let waiting = box.withLock { box in
            guard box.end == nil else { return nil as CheckedContinuation<Result<ListUpdate?, ClientError>, Never>? }
            // An error is told once.
            box.end = .some(box.waiting == nil ? error : nil)
            defer { box.waiting = nil }
            return box.waiting
        }
        waiting?.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }

    // MARK: The task

    /// The next update; nil at the end, and after an error.
    ///
    /// - Parameter drained: called before the wait if there is room again, which is to be told the thread.
    func next(_ drained: () -> Void) async -> Result<ListUpdate?, ClientError> {
        let wasFull = box.withLock { box in
            defer { box.isFull = false }
            return box.isFull
        }
        if wasFull { drained() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = box.withLock { box -> Result<ListUpdate?, ClientError>? in
                    if Task.isCancelled { return .failure(.cancelled) }
                    if let update = box.take() { return .success(update) }
                    if let end = box.end {
                        box.end = .some(nil)
                        return end.map { .failure($0) } ?? .success(nil)
                    }
                    box.waiting = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            let waiting = box.withLock { box in
                defer { box.waiting = nil }
                return box.waiting
            }
            waiting?.resume(returning: .failure(.cancelled))
        }
    }
}

extension ListMailbox.Box {
    fileprivate mutating func clear() {
        (updates, taken, bytes) = ([], 0, 0)
    }

    fileprivate mutating func take() -> ListUpdate? {
        guard taken < updates.count else { return nil }
        let update = updates[taken]
        taken += 1
        if taken == updates.count { clear() }
        hasBegun = true
        return update
    }
}

extension ListUpdate {
    fileprivate var isResync: Bool { if case .resync = self { true } else { false } }
}
