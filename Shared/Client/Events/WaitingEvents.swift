import Messages

/// What a subscription has ready in its mailbox.
///
/// Bounded: at `fullBytes` the thread is told to bring nothing more, and at the half the task tells that there is room.
package struct WaitingEvents: MailboxContent {
    static let fullBytes = 1 << 20

    private let fullBytes: Int
    private var pieces: [EventAssembly.Piece] = []
    /// Of `pieces`, those that were taken.
    private var taken = 0
    private var bytes = 0
    private var isFull = false

    package init(fullBytes: Int = Self.fullBytes) {
        self.fullBytes = fullBytes
    }

    /// Adds pieces.
    ///
    /// - Returns: Whether it is full now.
    mutating func put(_ more: [EventAssembly.Piece]) -> Bool {
        pieces += more
        // An element without events takes memory, too.
        for piece in more { bytes += piece.bytes + 200 }
        isFull = bytes >= fullBytes
        return isFull
    }

    /// Whether there is room again, which is to be told the thread.
    package mutating func hasRoomAgain() -> Bool {
        guard isFull, bytes <= fullBytes / 2 else { return false }
        isFull = false
        return true
    }

    package mutating func take() -> EventUpdate? {
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
