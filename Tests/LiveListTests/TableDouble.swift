import CBOR
import Messages

/// What UIKit's table view insists on during `performBatchUpdates`: it asks its data source how many rows there are
/// before and after, and ends the program if that isn't what the updates add up to.
struct TableDouble {
    struct Trap: Error {
        let reason: String
    }

    private var counts: [Int]

    init(_ sections: [ListSection]) {
        counts = sections.map(\.rows.count)
    }

    /// Follows a batch the way the documentation tells a table view to, with the data source already at `source`.
    mutating func follow(_ batch: ListBatch, _ source: [ListSection]) throws(Trap) {
        let gone = Set(batch.sections?.delete ?? [])
        let come = Set((batch.sections?.insert ?? []).map(\.at))
        var (deletes, inserts) = (batch.delete ?? [], (batch.insert ?? []).map(\.to))
        var moves: [(from: ListPath, to: ListPath)] = []
        for move in batch.move ?? [] {
            // A table view knows no move out of a section that goes, or into one that comes.
            if gone.contains(move.from.section) || come.contains(move.to.section) {
                deletes.append(move.from)
                inserts.append(move.to)
            } else {
                moves.append((move.from, move.to))
            }
        }
        let reloads = (batch.update ?? []).map(\.from)
        deletes.removeAll { gone.contains($0.section) }
        inserts.removeAll { come.contains($0.section) }
        try perform(gone, come, deletes, inserts, moves, reloads, source.map(\.rows.count))
    }

    private mutating func perform(
        _ gone: Set<Int>,
        _ come: Set<Int>,
        _ deletes: [ListPath],
        _ inserts: [ListPath],
        _ moves: [(from: ListPath, to: ListPath)],
        _ reloads: [ListPath],
        _ after: [Int]
    ) throws(Trap) {
        let sources = deletes + moves.map(\.from) + reloads
        let targets = inserts + moves.map(\.to)
        guard Set(sources).count == sources.count else { throw Trap(reason: "two updates of one row") }
        guard Set(targets).count == targets.count else { throw Trap(reason: "two rows for one place") }
        for path in sources {
            guard counts.indices.contains(path.section), path.item < counts[path.section] else {
                throw Trap(reason: "attempt to use row \(path), which does not exist before the update")
            }
            guard !gone.contains(path.section) else { throw Trap(reason: "row \(path) is in a deleted section") }
        }
        for path in targets {
            guard after.indices.contains(path.section), path.item < after[path.section] else {
                throw Trap(reason: "attempt to use row \(path), which does not exist after the update")
            }
            guard !come.contains(path.section) else { throw Trap(reason: "row \(path) is in an inserted section") }
        }
        guard after.count == counts.count + come.count - gone.count else {
            throw Trap(reason: "\(after.count) sections where \(counts.count + come.count - gone.count) must be")
        }
        let kept = counts.indices.filter { !gone.contains($0) }
        let places = after.indices.filter { !come.contains($0) }
        for (old, new) in zip(kept, places) {
            let leaving = (deletes + moves.map(\.from)).count { $0.section == old }
            let entering = targets.count { $0.section == new }
            guard after[new] == counts[old] + entering - leaving else {
                throw Trap(reason: "section \(new) has \(after[new]) rows: \(counts[old]) + \(entering) − \(leaving)")
            }
        }
        counts = after
    }
}
