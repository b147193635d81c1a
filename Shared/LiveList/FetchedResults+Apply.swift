internal import CBOR
public import Messages

extension FetchedResults {
    /// Applies a batch, in the order that ``ListBatch`` tells, and proves the digest. O(rows).
    ///
    /// - Returns: false for a batch that the rows contain already; it is passed over.
    /// - Throws: `ListError`; the rows are then as they were.
    @discardableResult
    public mutating func apply(_ batch: ListBatch) throws(ListError) -> Bool {
        guard batch.list == list else { throw .otherList }
        guard batch.number > number else { return false }
        guard batch.base == number, batch.number == number + 1 else { throw .hole(expected: number, found: batch.base) }
        guard batch.reset != true else { throw .reset }
        var next = self
        try next.remove((batch.delete ?? []) + (batch.move ?? []).map(\.from))
        try next.change(batch.sections ?? ListBatch.Sections())
        try next.insert((batch.insert ?? []) + (batch.move ?? []).map { ListBatch.Insert(to: $0.to, row: $0.row) })
        for update in batch.update ?? [] {
            guard next.contains(update.to) else { throw .impossible("no row at \(update.to) to update") }
            next.sections[update.to.section].rows[update.to.item] = try Self.element(update.row)
            next.sections[update.to.section].hashes[update.to.item] = ListDigest.row(update.row.bytes)
        }
        guard next.digest == batch.digest else { throw .wrongDigest }
        next.number = batch.number
        next.positions = batch.positions
        self = next
        return true
    }

    private func contains(_ path: ListPath) -> Bool {
        sections.indices.contains(path.section) && sections[path.section].rows.indices.contains(path.item)
    }

    /// Removes rows, as from the highest path down, in one pass over each section.
    private mutating func remove(_ paths: [ListPath]) throws(ListError) {
        let paths = paths.sorted()
        var next = 0
        while next < paths.count {
            let index = paths[next].section
            guard contains(paths[next]) else { throw .impossible("no row at \(paths[next]) to remove") }
            let section = sections[index]
            var kept = Section(key: section.key)
            var start = 0
            while next < paths.count, paths[next].section == index {
                let item = paths[next].item
                guard item >= start, item < section.rows.count else {
                    throw .impossible("no row at \(paths[next]) to remove")
                }
                kept.take(section, start..<item)
                start = item + 1
                next += 1
            }
            kept.take(section, start..<section.rows.count)
            sections[index] = kept
        }
    }

    private mutating func change(_ edits: ListBatch.Sections) throws(ListError) {
        for index in (edits.delete ?? []).sorted(by: >) {
            guard sections.indices.contains(index), sections[index].rows.isEmpty else {
                throw .impossible("no empty section \(index) to remove")
            }
            sections.remove(at: index)
        }
        for section in (edits.insert ?? []).sorted(by: { $0.at < $1.at }) {
            guard 0...sections.count ~= section.at else { throw .impossible("no place for a section \(section.at)") }
            sections.insert(Section(key: section.key), at: section.at)
        }
    }

    /// Inserts rows, as from the lowest path up, in one pass over each section.
    private mutating func insert(_ inserts: [ListBatch.Insert]) throws(ListError) {
        let inserts = inserts.sorted { $0.to < $1.to }
        var next = 0
        while next < inserts.count {
            let index = inserts[next].to.section
            guard sections.indices.contains(index) else { throw .impossible("no section \(index) to insert in") }
            let section = sections[index]
            var merged = Section(key: section.key)
            var taken = 0
            while next < inserts.count, inserts[next].to.section == index {
                let gap = inserts[next].to.item - merged.rows.count
                guard gap >= 0, gap <= section.rows.count - taken else {
                    throw .impossible("no place for a row at \(inserts[next].to)")
                }
                merged.take(section, taken..<(taken + gap))
                taken += gap
                merged.rows.append(try Self.element(inserts[next].row))
                merged.hashes.append(ListDigest.row(inserts[next].row.bytes))
                next += 1
            }
            merged.take(section, taken..<section.rows.count)
            sections[index] = merged
        }
    }
}

extension FetchedResults.Section {
    fileprivate mutating func take(_ section: Self, _ range: Range<Int>) {
        rows += section.rows[range]
        hashes += section.hashes[range]
    }
}
