import CBOR
import Messages

/// Stands for UIKit's table view: the same calls, the same rules, and the cells that would be on the screen.
///
/// UIKit ends the program where the updates of a batch don't fit the data source; this keeps the reason as `exception`
/// and changes nothing more. Its rules are those of `performBatchUpdates(_:completion:)` and of UIKit's assertions. Two
/// are stricter: nothing may be said of single rows of sections that go or come.
final class TableViewDouble {
    enum RowAnimation {
        case automatic
    }

    /// What the data source answers with: each row is what its cell shows.
    var dataSource: [[EncodedCBOR]]
    /// What the cells show. A cell is filled when its row is inserted, reloaded or reconfigured, and not otherwise.
    private(set) var cells: [[EncodedCBOR]]
    /// Why UIKit would have ended the program.
    private(set) var exception: String?
    /// What the batch has asked for so far; nil outside of one.
    private var pending: Updates?

    init(_ dataSource: [[EncodedCBOR]]) {
        self.dataSource = dataSource
        cells = dataSource
    }

    /// Collects the updates that the closure asks for, and animates to the data source as it is then.
    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        pending = Updates()
        updates?()
        animate()
        completion?(exception == nil)
    }

    func deleteSections(_ sections: IndexSet, with _: RowAnimation) { update { $0.deletedSections += sections } }

    func insertSections(_ sections: IndexSet, with _: RowAnimation) { update { $0.insertedSections += sections } }

    func deleteRows(at paths: [IndexPath], with _: RowAnimation) { update { $0.deleted += paths } }

    func insertRows(at paths: [IndexPath], with _: RowAnimation) { update { $0.inserted += paths } }

    func reloadRows(at paths: [IndexPath], with _: RowAnimation) { update { $0.reloaded += paths } }

    func moveRow(at path: IndexPath, to newPath: IndexPath) { update { $0.moved.append((path, newPath)) } }

    /// Fills cells again without an animation.
    func reconfigureRows(at paths: [IndexPath]) {
        guard exception == nil else { return }
        for path in paths {
            guard cells.has(path), dataSource.has(path) else {
                exception = "reconfigured \(path), which does not exist"
                return
            }
            cells[path.section][path.row] = dataSource[path.section][path.row]
        }
    }

    /// An update outside of a batch is one by itself.
    private func update(_ add: (inout Updates) -> Void) {
        var updates = pending ?? Updates()
        add(&updates)
        let isAlone = pending == nil
        pending = updates
        if isAlone { animate() }
    }

    private func animate() {
        guard let updates = pending, exception == nil else { return }
        pending = nil
        do throws(Exception) {
            cells = try updates.cells(after: cells, dataSource)
        } catch {
            exception = error.reason
        }
    }

    struct Exception: Error {
        let reason: String
    }

    /// What a batch asks for. Deleted, reloaded and moved rows are called by where they were, the others by where they
    /// are to be.
    private struct Updates {
        var deletedSections: [Int] = []
        var insertedSections: [Int] = []
        var deleted: [IndexPath] = []
        var inserted: [IndexPath] = []
        var reloaded: [IndexPath] = []
        var moved: [(from: IndexPath, to: IndexPath)] = []

        func cells(after old: [[EncodedCBOR]], _ new: [[EncodedCBOR]]) throws(Exception) -> [[EncodedCBOR]] {
            try checkSections(old.count, new.count)
            try checkRows(old, new)
            let stays = old.indices.filter { !deletedSections.contains($0) }
            let places = new.indices.filter { !insertedSections.contains($0) }
            var cells = new
            for (from, to) in zip(stays, places) { cells[to] = try section(from, to, old, new) }
            return cells
        }

        private func checkSections(_ old: Int, _ new: Int) throws(Exception) {
            for section in deletedSections where !(0..<old).contains(section) {
                throw Exception(reason: "deleted section \(section) of \(old)")
            }
            for section in insertedSections where !(0..<new).contains(section) {
                throw Exception(reason: "inserted section \(section), and there are \(new) after the update")
            }
            guard Set(deletedSections).count == deletedSections.count else {
                throw Exception(reason: "deleted a section twice")
            }
            guard Set(insertedSections).count == insertedSections.count else {
                throw Exception(reason: "inserted a section twice")
            }
            guard new == old + insertedSections.count - deletedSections.count else {
                throw Exception(
                    reason: "invalid number of sections: \(new) after the update, \(old) before it, "
                        + "\(insertedSections.count) inserted, \(deletedSections.count) deleted"
                )
            }
        }

        private func checkRows(_ old: [[EncodedCBOR]], _ new: [[EncodedCBOR]]) throws(Exception) {
            var leaving: Set<IndexPath> = []
            for path in deleted + reloaded + moved.map(\.from) {
                guard old.has(path) else { throw Exception(reason: "no row \(path) before the update") }
                guard !deletedSections.contains(path.section) else {
                    throw Exception(reason: "row \(path) is in a section that is deleted")
                }
                guard leaving.insert(path).inserted else {
                    throw Exception(reason: "row \(path) is deleted, reloaded or moved twice")
                }
            }
            var entering: Set<IndexPath> = []
            for path in inserted + moved.map(\.to) {
                guard new.has(path) else { throw Exception(reason: "no row \(path) after the update") }
                guard !insertedSections.contains(path.section) else {
                    throw Exception(reason: "row \(path) is in a section that is inserted")
                }
                guard entering.insert(path).inserted else {
                    throw Exception(reason: "two rows are inserted at or moved to \(path)")
                }
            }
        }

        /// The cells of a section that stays. Rows that nothing is said of fill the places that are left, in their order.
        private func section(
            _ from: Int,
            _ to: Int,
            _ old: [[EncodedCBOR]],
            _ new: [[EncodedCBOR]]
        ) throws(Exception) -> [EncodedCBOR] {
            let (gone, left) = (deleted.count { $0.section == from }, moved.count { $0.from.section == from })
            let (come, entered) = (inserted.count { $0.section == to }, moved.count { $0.to.section == to })
            guard new[to].count == old[from].count + come - gone + entered - left else {
                throw Exception(
                    reason: "invalid number of rows in section \(to): \(new[to].count) after the update, "
                        + "\(old[from].count) before it, \(come) inserted, \(gone) deleted, \(entered) moved in, "
                        + "\(left) moved out"
                )
            }
            let away = Set((deleted + moved.map(\.from)).filter { $0.section == from }.map(\.row))
            var staying = old[from].indices.filter { !away.contains($0) }[...]
            return new[to].indices.map { row in
                let path = IndexPath(row: row, section: to)
                if let move = moved.first(where: { $0.to == path }) { return old[move.from.section][move.from.row] }
                if inserted.contains(path) { return new[to][row] }
                let before = staying.removeFirst()
                let isReloaded = reloaded.contains(IndexPath(row: before, section: from))
                return isReloaded ? new[to][row] : old[from][before]
            }
        }
    }
}

/// Foundation's, as far as a table view needs it.
struct IndexPath: Hashable, CustomStringConvertible {
    var section: Int
    var row: Int

    init(row: Int, section: Int) {
        self.section = section
        self.row = row
    }

    var description: String { "\(section).\(row)" }
}

/// Foundation's is a set; this shows what is in it twice.
typealias IndexSet = [Int]

extension [[EncodedCBOR]] {
    fileprivate func has(_ path: IndexPath) -> Bool {
        indices.contains(path.section) && self[path.section].indices.contains(path.row)
    }
}
