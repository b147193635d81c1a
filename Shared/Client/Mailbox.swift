import Synchronization

/// What lies in a mailbox.
package protocol MailboxContent: Sendable {
    associatedtype Update: Sendable

    /// Removes the first update; nil if there is none.
    mutating func take() -> Update?
}

/// What the thread of the sockets fills and one task reads. How much it holds is the content's to say.
package final class Mailbox<Content: MailboxContent>: Sendable {
    private struct Box {
        var content: Content
        /// How it ended, told after the last update; a nil error is the end that was asked for.
        var end: ClientError??
        var waiting: CheckedContinuation<Result<Content.Update?, ClientError>, Never>?
    }

    private let box: Mutex<Box>

    package init(_ content: Content) {
        box = Mutex(Box(content: content))
    }

    /// Changes the content; a task that waits gets the first update of it.
    package func change<Value: Sendable>(_ change: (inout Content) -> Value) -> Value {
        let (value, waiting, first) = box.withLock { box in
            let value = change(&box.content)
            guard let waiting = box.waiting, let first = box.content.take() else {
                return (
                    value, nil as CheckedContinuation<Result<Content.Update?, ClientError>, Never>?,
                    nil as Content.Update?
                )
            }
            box.waiting = nil
            return (value, waiting, first)
        }
        waiting?.resume(returning: .success(first))
        return value
    }

    /// Ends it behind what is in it; the first reason stays, and nil is an end that was asked for.
    func end(_ error: ClientError?) {
        let waiting = box.withLock { box in
            guard box.end == nil else {
                return nil as CheckedContinuation<Result<Content.Update?, ClientError>, Never>?
            }
            // An error is told once.
            box.end = .some(box.waiting == nil ? error : nil)
            defer { box.waiting = nil }
            return box.waiting
        }
        waiting?.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }

    /// The next update, when there is one; nil at the end, and after an error. For one task.
    func next() async -> Result<Content.Update?, ClientError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = box.withLock { box -> Result<Content.Update?, ClientError>? in
                    if Task.isCancelled { return .failure(.cancelled) }
                    if let update = box.content.take() { return .success(update) }
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
