import Messages
import Synchronization

/// What a subscription has ready, between the thread of the sockets and the task that reads it.
///
/// Bounded: at `fullBytes` the thread is told to bring nothing more, and at the half the task tells that there is room.
final class EventMailbox: Mailbox {
    static let fullBytes = 1 << 20

    fileprivate struct Box {
        var pieces: [EventAssembly.Piece] = []
        /// Of `pieces`, those that were taken.
        var taken = 0
        var bytes = 0
        var isFull = false
        /// How the subscription ended, told after the last piece; a nil error is the end that was asked for.
        var end: ClientError??
        var waiting: CheckedContinuation<Result<EventUpdate?, ClientError>, Never>?
    }

    private let box = Mutex(Box())

    // MARK: The thread

    /// Puts pieces in.
    ///
    /// - Returns: Whether it is full now.
    func put(_ pieces: [EventAssembly.Piece]) -> Bool {
        let (waiting, first, isFull) = box.withLock { box in
            box.pieces += pieces
            // An element without events takes memory, too.
            for piece in pieces { box.bytes += piece.bytes + 200 }
            let waiting = box.waiting
            let first = waiting == nil ? nil : box.take()
            if first != nil { box.waiting = nil }
            box.isFull = box.bytes >= Self.fullBytes
            return (first == nil ? nil : waiting, first, box.isFull)
        }
        if let waiting { waiting.resume(returning: .success(first)) }
        return isFull
    }

    /// Ends the subscription behind what is in the box. The first reason stays.
    func end(_ error: ClientError?) {
        let waiting = box.withLock { box in
            guard box.end == nil else { return nil as CheckedContinuation<Result<EventUpdate?, ClientError>, Never>? }
            // An error is told once.
            box.end = .some(box.waiting == nil ? error : nil)
            defer { box.waiting = nil }
            return box.waiting
        }
        waiting?.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }

    // MARK: The task

    /// The next piece; nil at the end, and after an error.
    ///
    /// - Returns: Also whether there is room again, which is to be told the thread.
    func next() async -> (result: Result<EventUpdate?, ClientError>, hasRoom: Bool) {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = box.withLock { box -> Result<EventUpdate?, ClientError>? in
                    if Task.isCancelled { return .failure(.cancelled) }
                    if let update = box.take() { return .success(update) }
                    if let end = box.end {
                        // An error is told once.
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
        let hasRoom = box.withLock { box in
            guard box.isFull, box.bytes <= Self.fullBytes / 2 else { return false }
            box.isFull = false
            return true
        }
        return (result, hasRoom)
    }
}

extension EventMailbox.Box {
    fileprivate mutating func take() -> EventUpdate? {
        guard taken < pieces.count else { return nil }
        let piece = pieces[taken]
        taken += 1
        bytes -= piece.bytes + 200
        if taken == pieces.count {
            pieces.removeAll(keepingCapacity: pieces.count <= 64)
            taken = 0
        } else if taken >= 1024 {
            pieces.removeFirst(taken)
            taken = 0
        }
        return piece.update
    }
}
