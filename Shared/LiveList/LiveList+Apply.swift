internal import CBOR
public import Messages

extension LiveList {
    /// Takes changes in, all at once, and tells what they did to the visible rows.
    ///
    /// The batch is smallest: the most rows that can stay where they are do, and of two ways to keep as many the one
    /// that names fewer rows is taken. Give all changes of one transaction in one call. k changes to n rows cost
    /// O(k log n).
    ///
    /// - Parameter positions: what the rows depend on now; they are added to those known.
    /// - Returns: nil if nothing visible changed; `number` then stays.
    public mutating func apply(_ changes: [ListChange], positions: Positions = [:]) -> ListBatch? {
        self.positions.merge(positions) { $1 }
        let touched = touched(by: changes)
        guard !touched.isEmpty else { return nil }
        var named = named(touched)
        let paths = basePaths(&named)
        store(touched)
        defer { for row in touched { if let old = row.old { sectionTable.release(old.section) } } }
        guard !named.isEmpty else { return nil }
        number += 1
        digest = visibleDigest
        return batch(named, paths)
    }

    /// A row that a change is about: as it was, as it will be, or both.
    private struct Touched {
        var old: Entry?
        var new: Entry?
        /// In the base.
        var oldPosition = 0
        /// In the result.
        var newPosition = 0
        /// How many rows that no change is about stand before it, then and now.
        var oldRank = 0
        var newRank = 0
    }

    /// The rows that really change, with the sections of the new ones numbered.
    private mutating func touched(by changes: [ListChange]) -> [Touched] {
        var last: [Identifier: Int] = [:]
        if changes.count > 1 {
            for (place, change) in changes.enumerated() { last[change.id] = place }
        }
        var touched: [Touched] = []
        for (place, change) in changes.enumerated() where changes.count == 1 || last[change.id] == place {
            var row = Touched(old: index[change.id].map { Entry(bytes: $0, hash: 0) })
            if case .put(let new) = change {
                row.new = Entry(new, section: sectionTable.number(new.section))
                if row.new?.bytes == row.old?.bytes { continue }
            }
            if row.old == nil, row.new == nil { continue }
            touched.append(row)
        }
        return touched
    }

    // MARK: What happens to the visible rows

    /// The visible rows that a batch names, by their positions before and after.
    private struct Named {
        var delete: [(from: Int, row: Entry)] = []
        var insert: [(to: Int, row: Entry)] = []
        var move: [(from: Int, to: Int, old: Entry, row: Entry)] = []
        var update: [(from: Int, to: Int, old: Entry, row: Entry)] = []

        var isEmpty: Bool { delete.isEmpty && insert.isEmpty && move.isEmpty && update.isEmpty }
    }

    /// Works out positions from the base alone. The rows that no change is about keep their order, so a row's place
    /// is its rank among those and the touched rows before it.
    private func named(_ touched: [Touched]) -> Named {
        var touched = touched
        let (olds, news) = rank(&touched)
        let base = visible
        let result = window.range(in: tree.count - olds.count + news.count)
        let (before, after) = (olds.untouched(in: base), news.untouched(in: result))
        let start = max(before.lowerBound, after.lowerBound)
        let staying = start..<max(start, min(before.upperBound, after.upperBound))

        var named = Named()
        for rank in before.outside(staying) {
            let position = olds.position(ofUntouched: rank)
            named.delete.append((position, tree[position]))
        }
        for rank in after.outside(staying) {
            named.insert.append((news.position(ofUntouched: rank), tree[olds.position(ofUntouched: rank)]))
        }
        var candidates: [Touched] = []
        for row in touched {
            let isShown = row.new != nil && result.contains(row.newPosition)
            if let old = row.old, base.contains(row.oldPosition) {
                guard isShown, let new = row.new else {
                    named.delete.append((row.oldPosition, old))
                    continue
                }
                if old.section == new.section, staying.place(row.oldRank) == staying.place(row.newRank) {
                    candidates.append(row)
                } else {
                    named.move.append((row.oldPosition, row.newPosition, old, new))
                }
            } else if isShown, let new = row.new {
                named.insert.append((row.newPosition, new))
            }
        }
        settle(candidates, &named)
        named.delete.sort { $0.from < $1.from }
        named.insert.sort { $0.to < $1.to }
        named.move.sort { $0.to < $1.to }
        named.update.sort { $0.to < $1.to }
        return named
    }

    /// Positions and ranks of the touched rows; the positions come back in order too, those before and those after.
    private func rank(_ touched: inout [Touched]) -> (olds: TouchedPositions, news: TouchedPositions) {
        for place in touched.indices {
            if let old = touched[place].old { touched[place].oldPosition = tree.rank(old) }
        }
        let olds = TouchedPositions(touched.filter { $0.old != nil }.map(\.oldPosition).sorted())
        for place in touched.indices {
            if touched[place].old != nil { touched[place].oldRank = olds.untouched(before: touched[place].oldPosition) }
            guard let new = touched[place].new else { continue }
            let isInPlace = touched[place].old?.hasKey(of: new) ?? false
            touched[place].newRank = olds.untouched(before: isInPlace ? touched[place].oldPosition : tree.rank(new))
        }
        var order = touched.indices.filter { touched[$0].new != nil }
        order.sort { left, right in
            let (left, right) = (touched[left], touched[right])
            guard left.newRank == right.newRank, let first = left.new, let second = right.new else {
                return left.newRank < right.newRank
            }
            return first < second
        }
        for (before, place) in order.enumerated() { touched[place].newPosition = touched[place].newRank + before }
        return (olds, TouchedPositions(order.map { touched[$0].newPosition }))
    }

    /// Lets as many as can be stay where they are; the others move.
    private func settle(_ candidates: [Touched], _ named: inout Named) {
        let candidates = candidates.sorted { $0.oldPosition < $1.oldPosition }
        let isEqual = candidates.map { row in row.old.map { row.new?.showsSame(as: $0) ?? false } ?? false }
        let stays = longestRise(candidates.map(\.newPosition), preferring: isEqual)
        for (place, row) in candidates.enumerated() {
            guard let old = row.old, let new = row.new else { continue }
            if !stays[place] {
                named.move.append((row.oldPosition, row.newPosition, old, new))
            } else if !isEqual[place] {
                named.update.append((row.oldPosition, row.newPosition, old, new))
            }
        }
    }

    // MARK: Telling it in paths

    /// What has to be read from the base before it changes.
    private struct BasePaths {
        var delete: [ListPath] = []
        var move: [ListPath] = []
        var update: [ListPath] = []
        /// Of rows that come into a section, whether it was visible.
        var shows: [UInt32: Bool] = [:]
    }

    private func basePaths(_ named: inout Named) -> BasePaths {
        var places = Places(tree, visible, sectionTable)
        var paths = BasePaths()
        paths.delete = named.delete.map { places.path($0.from, $0.row.section) }
        paths.move = named.move.map { places.path($0.from, $0.old.section) }
        paths.update = named.update.map { places.path($0.from, $0.old.section) }
        for section in named.insert.map(\.row.section) + named.move.map(\.row.section)
        where paths.shows[section] == nil {
            paths.shows[section] = places.shows(section)
        }
        return paths
    }

    private mutating func store(_ touched: [Touched]) {
        let keys = sectionTable.hashes
        for row in touched {
            guard let old = row.old else { continue }
            sectionTable.add(-1, to: old.section)
            if row.new?.hasKey(of: old) != true { tree.remove(old, keys) }
            if row.new == nil { index[old.id] = nil }
        }
        for row in touched {
            guard let new = row.new else { continue }
            sectionTable.add(1, to: new.section)
            tree.insert(new, keys)
            index[new.id] = new.bytes
        }
    }

    private func batch(_ named: Named, _ base: BasePaths) -> ListBatch {
        var places = Places(tree, visible, sectionTable)
        var batch = ListBatch(list: id, number: number, positions: positions, digest: digest)
        var (gone, come) = ([Int: UInt32](), [Int: UInt32]())
        for (path, section) in zip(base.delete, named.delete.map(\.row.section)) { gone[path.section] = section }
        for (path, section) in zip(base.move, named.move.map(\.old.section)) { gone[path.section] = section }
        let insert = named.insert.map { row in
            let path = places.path(row.to, row.row.section)
            come[path.section] = row.row.section
            return ListBatch.Insert(to: path, row: row.row.row)
        }
        let move = zip(named.move, base.move).map { row, from in
            let path = places.path(row.to, row.row.section)
            come[path.section] = row.row.section
            return ListBatch.Change(from: from, to: path, row: row.row.row)
        }
        let update = zip(named.update, base.update).map { row, from in
            ListBatch.Change(from: from, to: places.path(row.to, row.row.section), row: row.row.row)
        }
        let deleted = gone.filter { !places.shows($0.value) }.keys.sorted()
        let inserted = come.filter { base.shows[$0.value] == false }.sorted { $0.key < $1.key }.map { index, section in
            ListBatch.SectionInsert(at: index, key: sectionTable.key(section).value)
        }
        if !(deleted.isEmpty && inserted.isEmpty) {
            batch.sections = .init(
                delete: deleted.isEmpty ? nil : deleted,
                insert: inserted.isEmpty ? nil : inserted
            )
        }
        batch.delete = base.delete.isEmpty ? nil : base.delete
        batch.insert = insert.isEmpty ? nil : insert
        batch.move = move.isEmpty ? nil : move
        batch.update = update.isEmpty ? nil : update
        return batch
    }
}

extension ListChange {
    var id: Identifier {
        switch self {
        case .put(let row): row.id
        case .remove(let id): id
        }
    }
}

extension Range<Int> {
    /// Where a rank falls among those of the range: before, in it, or behind.
    fileprivate func place(_ rank: Int) -> Int { Swift.min(Swift.max(rank, lowerBound), upperBound) }

    /// What is not in `middle`, without a look at what is.
    fileprivate func outside(_ middle: Range<Int>) -> [Int] {
        let (start, end) = (place(middle.lowerBound), place(middle.upperBound))
        return Array(lowerBound..<start) + Array(end..<upperBound)
    }
}
