package import LiveList
import Messages

/// What following a list has ready in its mailbox.
///
/// Bounded: one snapshot and `fullBytes` of batches. When it is full all of it is dropped; once the task asks again, the
/// thread is told that there is room.
package struct WaitingBatches: MailboxContent {
    static let fullBytes = 1 << 20

    private let fullBytes: Int
    private var updates: [ListUpdate] = []
    /// Of `updates`, those that were taken.
    private var taken = 0
    /// Of the batches.
    private var bytes = 0
    private var isFull = false
    private var hasBegun = false

    package init(fullBytes: Int = Self.fullBytes) {
        self.fullBytes = fullBytes
    }

    /// Adds an update; a snapshot replaces what was not taken before it.
    ///
    /// - Returns: Whether it is full, and has dropped everything.
    mutating func put(_ update: ListUpdate, bytes more: Int) -> Bool {
        switch update {
        // Told together with the snapshot behind it: neither is worth anything alone.
        case .resync: clear()
        case .snapshot: if updates.dropFirst(taken).first?.isResync != true { clear() }
        case .batch: bytes += more + 200
        }
        if bytes > fullBytes {
            clear()
            isFull = true
            return true
        }
        // Who has seen nothing is not told that it is over.
        if hasBegun || !update.isResync { updates.append(update) }
        return false
    }

    /// Whether it was full, and is no longer, which is to be told the thread.
    package mutating func hasRoomAgain() -> Bool {
        defer { isFull = false }
        return isFull
    }

    package mutating func take() -> ListUpdate? {
        guard taken < updates.count else { return nil }
        let update = updates[taken]
        taken += 1
        if taken == updates.count { clear() }
        hasBegun = true
        return update
    }

    private mutating func clear() {
        (updates, taken, bytes) = ([], 0, 0)
    }
}

extension ListUpdate {
    fileprivate var isResync: Bool { if case .resync = self { true } else { false } }
}
