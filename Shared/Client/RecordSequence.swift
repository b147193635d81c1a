import Messages

/// A walk over all records of a kind by the pages' cursors.
struct RecordSequence<R: Listed>: AsyncSequence, Sendable {
    typealias Element = R
    typealias Failure = any Error

    let client: DaybookClient
    let filter: Filter?
    let sort: [SortKey]?
    let pageSize: Int
    let after: Positions

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    struct Iterator: AsyncIteratorProtocol {
        let sequence: RecordSequence
        private var rows: [R].Iterator = [].makeIterator()
        private var page: Fetch?

        init(sequence: RecordSequence) {
            self.sequence = sequence
            page = Fetch(sequence, cursor: nil, limit: Swift.min(Swift.max(sequence.pageSize, 1), List<R>.longestPage))
        }

        /// The next record; nil at the end, and after an error.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> R? {
            while true {
                if let row = rows.next() { return row }
                guard let fetch = page else { return nil }
                page = nil
                let (fetched, limit) = try await fetch.value()
                rows = fetched.rows.makeIterator()
                if let cursor = fetched.next { page = Fetch(sequence, cursor: cursor, limit: limit) }
            }
        }
    }

    /// A page that is being fetched. Released, it is cancelled.
    private final class Fetch: Sendable {
        private let task: Task<(Page<R>, limit: Int), any Error>

        init(_ sequence: RecordSequence, cursor: [UInt8]?, limit: Int) {
            task = Task { try await sequence.page(after: cursor, limit: limit) }
        }

        /// The page, and the limit that was small enough for it.
        func value() async throws -> (Page<R>, limit: Int) {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }

        deinit {
            task.cancel()
        }
    }

    private func page(after cursor: [UInt8]?, limit: Int) async throws(ClientError) -> (Page<R>, limit: Int) {
        var limit = limit
        while true {
            do throws(ClientError) {
                let request = List<R>(filter: filter, sort: sort, after: cursor, limit: limit)
                let page = try await client.send(request, after: after).value
                guard page.next == nil || page.next != cursor else {
                    throw .malformedReply(R.service, "a page leads to itself.")
                }
                return (page, limit)
            } catch .refused(_, .tooLarge, _) where limit > 1 {
                limit /= 2
            }
        }
    }
}
