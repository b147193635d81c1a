import LiveList
import Messages

/// The documentation's code, as it is: with UIKit it follows batches, and so it does here.
typealias UITableView = TableViewDouble

extension UITableView {
    /// Animates from the rows before the batch to those after it, which the data source has already.
    func follow(_ batch: ListBatch) {
        let gone = IndexSet(batch.sections?.delete ?? [])
        let come = IndexSet((batch.sections?.insert ?? []).map(\.at))
        var deleted = batch.delete ?? []
        var inserted = (batch.insert ?? []).map(\.to)
        var moved = batch.move ?? []
        // UIKit knows no move out of a section that goes, or into one that comes.
        let crossing = moved.filter { gone.contains($0.from.section) || come.contains($0.to.section) }
        moved.removeAll { crossing.contains($0) }
        deleted += crossing.map(\.from)
        inserted += crossing.map(\.to)
        performBatchUpdates {
            self.deleteSections(gone, with: .automatic)
            self.insertSections(come, with: .automatic)
            self.deleteRows(at: deleted.filter { !gone.contains($0.section) }.map(\.indexPath), with: .automatic)
            self.insertRows(at: inserted.filter { !come.contains($0.section) }.map(\.indexPath), with: .automatic)
            for move in moved { self.moveRow(at: move.from.indexPath, to: move.to.indexPath) }
            self.reloadRows(at: (batch.update ?? []).map(\.from.indexPath), with: .automatic)
        }
        // A moved cell keeps what it showed, and its row may have changed.
        reconfigureRows(at: moved.map(\.to.indexPath))
    }
}

extension ListPath {
    var indexPath: IndexPath { IndexPath(row: item, section: section) }
}
