import Messages
import Synchronization

/// What the writers of this process know of each other's records: so they change the same ones, with versions that may be old.
final class Ledger: Sendable {
    struct Books: Sendable {
        var customers: [Identifier: Customer] = [:]
        var services: [Identifier: SoldService] = [:]
        var orders: [Identifier: Order] = [:]
        var dogs: [Identifier: Dog] = [:]
        var walks: [Identifier: Walk] = [:]
    }

    private let books = Mutex(Books())

    /// A record that is known, by chance.
    func any<R: Record>(
        _ path: KeyPath<Books, [Identifier: R]>,
        _ random: inout some RandomNumberGenerator
    ) -> R? {
        let records = books.withLock { $0[keyPath: path] }
        // In an order that doesn't depend on the run.
        return records.keys.sorted().randomElement(using: &random).flatMap { records[$0] }
    }

    /// A record as a service told it; an older version than is known changes nothing.
    func learn<R: Record>(_ path: WritableKeyPath<Books, [Identifier: R]>, _ record: R) {
        books.withLock { books in
            if let known = books[keyPath: path][record.id], known.version > record.version { return }
            books[keyPath: path][record.id] = record
        }
    }

    func forget<R: Record>(_ path: WritableKeyPath<Books, [Identifier: R]>, _ id: Identifier) {
        books.withLock { _ = $0[keyPath: path].removeValue(forKey: id) }
    }
}
