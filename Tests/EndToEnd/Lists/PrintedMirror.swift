import FoundationEssentials
import Messages
import Support

/// A mirror of the names in a list, kept from the JSON lines of `--watch --fields name` alone.
struct PrintedMirror {
    private(set) var sections: [[String]] = []
    private(set) var batches = 0
    private(set) var resyncs: [String] = []
    private var number: Int?

    var names: [String] { sections.flatMap(\.self) }

    private struct Line: Decodable {
        struct Row: Decodable { var name: String }
        struct Section: Decodable { var rows: [Row] }
        struct Snapshot: Decodable { var sections: [Section] }
        struct SectionInsert: Decodable { var at: Int }
        struct Sections: Decodable {
            var delete: [Int]
            var insert: [SectionInsert]
        }
        struct Change: Decodable {
            var from: [Int]?
            var to: [Int]
            var row: Row
        }
        struct Batch: Decodable {
            var sections: Sections
            var delete: [[Int]]
            var insert: [Change]
            var move: [Change]
            var update: [Change]
        }
        var snapshot: Snapshot?
        var batch: Batch?
        var resync: String?
        var base: Int?
        var number: Int?
    }

    /// - Throws: for a line that can't follow the one before.
    mutating func take(_ text: String) throws {
        let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        if let snapshot = line.snapshot {
            sections = snapshot.sections.map { $0.rows.map(\.name) }
            number = line.number
        } else if let batch = line.batch {
            guard line.base == number else {
                throw HarnessError("a batch on \(line.base ?? -1) behind \(number ?? -1)")
            }
            apply(batch)
            batches += 1
            number = line.number
        } else if let reason = line.resync {
            resyncs.append(reason)
            number = nil
        }
    }

    private mutating func apply(_ batch: Line.Batch) {
        let gone = batch.delete + batch.move.compactMap(\.from)
        for path in gone.sorted(by: { $1.lexicographicallyPrecedes($0) }) { sections[path[0]].remove(at: path[1]) }
        for index in batch.sections.delete.reversed() { sections.remove(at: index) }
        for section in batch.sections.insert { sections.insert([], at: section.at) }
        let come = batch.insert + batch.move
        for change in come.sorted(by: { $0.to.lexicographicallyPrecedes($1.to) }) {
            sections[change.to[0]].insert(change.row.name, at: change.to[1])
        }
        for change in batch.update { sections[change.to[0]][change.to[1]] = change.row.name }
    }
}
