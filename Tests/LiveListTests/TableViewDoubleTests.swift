import CBOR
import Messages
import Testing

/// The double must trap where UIKit does: otherwise what passes it proves nothing.
@Suite struct TableViewDoubleTests {
    private func rows(_ numbers: [[Int64]]) -> [[EncodedCBOR]] {
        numbers.map { $0.map { EncodedCBOR(trusted: $0.encoded()) } }
    }

    /// A table of two sections, whose data source is then replaced.
    private func table(now new: [[Int64]]) -> TableViewDouble {
        let table = TableViewDouble(rows([[1, 2, 3], [4, 5]]))
        table.dataSource = rows(new)
        return table
    }

    private func path(_ section: Int, _ row: Int) -> IndexPath { IndexPath(row: row, section: section) }

    @Test func takesUpdatesThatFit() {
        let table = table(now: [[9], [30, 1, 2, 8], [7]])
        table.performBatchUpdates {
            // 4 and 5 go with their section, 3 changes, and 9 and 7 come with sections of their own.
            table.deleteSections([1], with: .automatic)
            table.insertSections([0, 2], with: .automatic)
            table.moveRow(at: path(0, 2), to: path(1, 0))
            table.insertRows(at: [path(1, 3)], with: .automatic)
        }
        #expect(table.exception == nil)
        #expect(table.cells == rows([[9], [3, 1, 2, 8], [7]]))
        table.reconfigureRows(at: [path(1, 0)])
        #expect(table.cells == table.dataSource)
    }

    @Test func fillsOnlyTheCellsThatItIsToldToFill() {
        let table = table(now: [[1, 20, 30], [4, 5]])
        table.reloadRows(at: [path(0, 1)], with: .automatic)
        #expect(table.exception == nil && table.cells == rows([[1, 20, 3], [4, 5]]))
    }

    /// A batch against the rules, the data source behind it, and what UIKit's reason is about.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let reason: String
        let rows: [[Int64]]
        let updates: @Sendable (TableViewDouble) -> Void

        init(_ reason: String, _ rows: [[Int64]], _ updates: @escaping @Sendable (TableViewDouble) -> Void) {
            self.reason = reason
            self.rows = rows
            self.updates = updates
        }

        var testDescription: String { reason }
    }

    private static func at(_ section: Int, _ row: Int) -> IndexPath { IndexPath(row: row, section: section) }

    private static let wrongs = [
        Wrong("invalid number of rows in section 0", [[1, 2], [4, 5]]) { _ in },
        Wrong("invalid number of rows in section 0", [[1, 2, 3], [4, 5]]) {
            $0.deleteRows(at: [at(0, 0)], with: .automatic)
        },
        Wrong("invalid number of rows in section 1", [[1, 2], [3, 4]]) { $0.moveRow(at: at(0, 2), to: at(1, 0)) },
        Wrong("invalid number of sections", [[1, 2, 3]]) { _ in },
        Wrong("invalid number of sections", [[1, 2, 3], [4, 5], [6]]) {
            $0.insertSections([1, 2], with: .automatic)
        },
        Wrong("deleted section 2 of 2", [[1, 2, 3]]) { $0.deleteSections([2], with: .automatic) },
        Wrong("inserted section 3", [[1, 2, 3], [4, 5], [6]]) { $0.insertSections([3], with: .automatic) },
        Wrong("deleted a section twice", [[1, 2, 3]]) { $0.deleteSections([1, 1], with: .automatic) },
        Wrong("inserted a section twice", [[1, 2, 3], [4, 5], [6]]) { $0.insertSections([2, 2], with: .automatic) },
        Wrong("no row 0.3 before", [[1, 2], [4, 5]]) { $0.deleteRows(at: [at(0, 3)], with: .automatic) },
        Wrong("no row 2.0 before", [[1, 2, 3], [4, 5]]) { $0.reloadRows(at: [at(2, 0)], with: .automatic) },
        Wrong("no row 0.4 after", [[1, 2, 3, 6], [4, 5]]) { $0.insertRows(at: [at(0, 4)], with: .automatic) },
        Wrong("no row 1.2 after", [[1, 2, 3], [4, 5]]) { $0.moveRow(at: at(0, 0), to: at(1, 2)) },
        Wrong("row 0.1 is deleted, reloaded or moved twice", [[1, 3], [4, 5]]) {
            $0.deleteRows(at: [at(0, 1)], with: .automatic)
            $0.reloadRows(at: [at(0, 1)], with: .automatic)
        },
        Wrong("row 0.1 is deleted, reloaded or moved twice", [[2, 1, 3], [4, 5]]) {
            $0.moveRow(at: at(0, 1), to: at(0, 0))
            $0.reloadRows(at: [at(0, 1)], with: .automatic)
        },
        Wrong("row 0.1 is deleted, reloaded or moved twice", [[2, 1], [4, 5]]) {
            $0.moveRow(at: at(0, 1), to: at(0, 0))
            $0.deleteRows(at: [at(0, 1)], with: .automatic)
        },
        Wrong("two rows are inserted at or moved to 1.0", [[2, 3], [1, 4, 5]]) {
            $0.moveRow(at: at(0, 0), to: at(1, 0))
            $0.insertRows(at: [at(1, 0)], with: .automatic)
        },
        Wrong("row 1.0 is in a section that is deleted", [[4, 1, 2, 3]]) {
            $0.deleteSections([1], with: .automatic)
            $0.moveRow(at: at(1, 0), to: at(0, 0))
        },
        Wrong("row 2.0 is in a section that is inserted", [[1, 2], [4, 5], [3]]) {
            $0.insertSections([2], with: .automatic)
            $0.moveRow(at: at(0, 2), to: at(2, 0))
        },
    ]

    @Test(arguments: wrongs) func trapsOnWhatDoesNotAddUp(wrong: Wrong) throws {
        let table = table(now: wrong.rows)
        let before = table.cells
        table.performBatchUpdates { wrong.updates(table) }
        let exception = try #require(table.exception)
        #expect(exception.contains(wrong.reason))
        #expect(table.cells == before)
    }
}
