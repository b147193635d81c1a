import CBOR
import LiveList
import Messages

/// Holds a batch against the list before and after, rule by rule, by plain comparison of all rows with all others.
struct BatchChecker {
    private let query: SampleQuery
    private let old: [Shown]
    private let new: [Shown]
    private var before: [Identifier: ListPath] = [:]
    private var after: [Identifier: ListPath] = [:]
    private var oldSamples: [Identifier: Sample] = [:]
    private var newSamples: [Identifier: Sample] = [:]
    private(set) var faults: [String] = []

    /// The rules that are broken; empty if all is well.
    static func faults(_ batch: ListBatch?, _ query: SampleQuery, from old: [Shown], to new: [Shown]) -> [String] {
        var checker = BatchChecker(query, old, new)
        guard let batch else {
            checker.demand(query.sections(old) == query.sections(new), "no batch, but something visible changed")
            return checker.faults
        }
        checker.demand(query.sections(old) != query.sections(new), "a batch, but nothing visible changed")
        checker.checkSections(batch)
        checker.checkPresence(batch)
        checker.checkChanges(batch)
        checker.checkMinimum(batch)
        checker.checkReplay(batch)
        return checker.faults
    }

    private init(_ query: SampleQuery, _ old: [Shown], _ new: [Shown]) {
        self.query = query
        self.old = old
        self.new = new
        for (index, section) in old.enumerated() {
            for (item, sample) in section.samples.enumerated() {
                before[sample.id] = ListPath(index, item)
                oldSamples[sample.id] = sample
            }
        }
        for (index, section) in new.enumerated() {
            for (item, sample) in section.samples.enumerated() {
                after[sample.id] = ListPath(index, item)
                newSamples[sample.id] = sample
            }
        }
    }

    private mutating func demand(_ condition: Bool, _ fault: @autoclosure () -> String) {
        if !condition { faults.append(fault()) }
    }

    private func oldID(_ path: ListPath) -> Identifier? {
        guard old.indices.contains(path.section), old[path.section].samples.indices.contains(path.item) else {
            return nil
        }
        return old[path.section].samples[path.item].id
    }

    private func newID(_ path: ListPath) -> Identifier? {
        guard new.indices.contains(path.section), new[path.section].samples.indices.contains(path.item) else {
            return nil
        }
        return new[path.section].samples[path.item].id
    }

    // MARK: Rules

    private mutating func checkSections(_ batch: ListBatch) {
        let (oldKeys, newKeys) = (old.map(\.key), new.map(\.key))
        let gone = oldKeys.indices.filter { !newKeys.contains(oldKeys[$0]) }
        let come = newKeys.indices.filter { !oldKeys.contains(newKeys[$0]) }
        demand(batch.sections?.delete ?? [] == gone, "deleted sections are not \(gone)")
        demand(
            batch.sections?.insert ?? [] == come.map { ListBatch.SectionInsert(at: $0, key: newKeys[$0]) },
            "inserted sections are not \(come)"
        )
    }

    private mutating func checkPresence(_ batch: ListBatch) {
        let deletes = batch.delete ?? []
        demand(deletes == deletes.sorted(), "deletes do not rise")
        let gone = Set(before.keys.filter { after[$0] == nil })
        demand(
            deletes.count == gone.count && Set(deletes.compactMap(oldID)) == gone,
            "not exactly the gone are deleted"
        )
        let inserts = batch.insert ?? []
        demand(inserts.map(\.to) == inserts.map(\.to).sorted(), "inserts do not rise")
        let come = Set(after.keys.filter { before[$0] == nil })
        let inserted = inserts.compactMap { newID($0.to) }
        demand(inserts.count == come.count && Set(inserted) == come, "not exactly the new are inserted")
        for insert in inserts {
            demand(
                newID(insert.to).flatMap { newSamples[$0] }.map(query.shown) == insert.row,
                "an inserted row is wrong"
            )
        }
    }

    private var staying: [Identifier] { before.keys.filter { after[$0] != nil } }

    private func sectionStays(_ id: Identifier) -> Bool {
        before[id].map { old[$0.section].key } == after[id].map { new[$0.section].key }
    }

    /// Whether two rows stand in one order before and after.
    private func agree(_ left: Identifier, _ right: Identifier) -> Bool {
        guard let a = before[left], let b = before[right], let c = after[left], let d = after[right] else {
            return false
        }
        return (a < b) == (c < d)
    }

    /// Whether the list was told of no difference: neither in what the row shows nor in what it is ordered by.
    private func isUntouched(_ id: Identifier) -> Bool {
        oldSamples[id].map(query.row) == newSamples[id].map(query.row)
    }

    private func shownChanged(_ id: Identifier) -> Bool {
        oldSamples[id].map(query.shown) != newSamples[id].map(query.shown)
    }

    private mutating func checkChanges(_ batch: ListBatch) {
        let (moves, updates) = (batch.move ?? [], batch.update ?? [])
        demand(moves.map(\.to) == moves.map(\.to).sorted(), "moves do not rise")
        demand(updates.map(\.to) == updates.map(\.to).sorted(), "updates do not rise")
        var named: Set<Identifier> = []
        for change in moves + updates {
            guard let id = oldID(change.from), id == newID(change.to) else {
                faults.append("\(change.from) → \(change.to) are two rows")
                continue
            }
            demand(named.insert(id).inserted, "\(change.from) is named twice")
            demand(newSamples[id].map(query.shown) == change.row, "the row of \(change.to) is wrong")
            demand(!isUntouched(id), "\(change.from) did not change and is named")
        }
        let moved = Set(moves.compactMap { oldID($0.from) })
        let unmoved = staying.filter { !moved.contains($0) }
        for id in staying {
            let keepsOrder = unmoved.allSatisfy { $0 == id || agree($0, id) }
            if moved.contains(id) {
                demand(!(sectionStays(id) && keepsOrder), "\(id) is moved and could have stayed")
            } else {
                demand(sectionStays(id) && keepsOrder, "\(id) is not moved and did not stay")
                demand(shownChanged(id) == named.contains(id), "\(id) changed and is not named, or the other way round")
            }
        }
    }

    /// The most rows that could have stayed, and of as many the most that look the same, by the plain way to find a
    /// longest rising subsequence.
    private mutating func checkMinimum(_ batch: ListBatch) {
        let staying = staying
        let untouched = staying.filter(isUntouched)
        let candidates = staying.filter { id in
            !isUntouched(id) && sectionStays(id) && untouched.allSatisfy { agree($0, id) }
        }.sorted { (before[$0] ?? ListPath(0, 0)) < (before[$1] ?? ListPath(0, 0)) }
        var best: [(kept: Int, same: Int)] = []
        for (index, id) in candidates.enumerated() {
            var longest = (kept: 0, same: 0)
            for earlier in 0..<index where agree(candidates[earlier], id) && best[earlier] > longest {
                longest = best[earlier]
            }
            best.append((longest.kept + 1, longest.same + (shownChanged(id) ? 0 : 1)))
        }
        let most = best.max { $0 < $1 } ?? (0, 0)
        let moves = staying.count - untouched.count - most.kept
        demand(batch.move?.count ?? 0 == moves, "\(moves) moves would do")
        let updates = most.kept - most.same
        demand(batch.update?.count ?? 0 == updates, "\(updates) updates would do")
    }

    /// Applies the batch to arrays, one step after the other, as the protocol's text says.
    private mutating func checkReplay(_ batch: ListBatch) {
        var sections = query.sections(old)
        for path in ((batch.delete ?? []) + (batch.move ?? []).map(\.from)).sorted(by: >) {
            guard sections.indices.contains(path.section), sections[path.section].rows.indices.contains(path.item)
            else {
                return faults.append("nothing to remove at \(path)")
            }
            sections[path.section].rows.remove(at: path.item)
        }
        for index in (batch.sections?.delete ?? []).sorted(by: >) {
            guard sections.indices.contains(index), sections[index].rows.isEmpty else {
                return faults.append("section \(index) can't be removed")
            }
            sections.remove(at: index)
        }
        for section in batch.sections?.insert ?? [] {
            guard section.at <= sections.count else { return faults.append("section \(section.at) can't be inserted") }
            sections.insert(ListSection(key: section.key, rows: []), at: section.at)
        }
        let targets = (batch.insert ?? []).map { ($0.to, $0.row) } + (batch.move ?? []).map { ($0.to, $0.row) }
        for (path, row) in targets.sorted(by: { $0.0 < $1.0 }) {
            guard sections.indices.contains(path.section), path.item <= sections[path.section].rows.count else {
                return faults.append("no place at \(path)")
            }
            sections[path.section].rows.insert(row, at: path.item)
        }
        for update in batch.update ?? [] {
            let path = update.to
            guard sections.indices.contains(path.section), sections[path.section].rows.indices.contains(path.item)
            else {
                return faults.append("nothing to update at \(path)")
            }
            sections[path.section].rows[path.item] = update.row
        }
        demand(sections == query.sections(new), "the replay gives \(sections)")
        demand(batch.digest == plainDigest(sections), "the digest is wrong")
        demand(batch.base == batch.number - 1, "base and number don't chain")
    }
}
