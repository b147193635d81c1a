internal import CBOR
internal import Messages

/// Rows under one key, or what is kept of each.
protocol RowGroup {
    associatedtype Item
    init(key: EncodedCBOR)
    var rows: [Item] { get set }
}

/// A batch that was found to fit: its edits section by section, rows told by their place among those that come.
struct BatchPlan {
    /// Rising.
    private var removals: [(section: Int, items: [Int])] = []
    /// Rising.
    private var sectionDeletes: [Int]
    /// Rising.
    private var sectionInserts: [ListBatch.SectionInsert]
    /// Rising; `first` is the place of the first row among `inserted`.
    private var inserts: [(section: Int, items: [Int], first: Int)] = []
    private var updates: [ListPath]
    /// The rows that come, in the order of their paths.
    let inserted: [EncodedCBOR]
    /// The rows that replace others.
    let updated: [EncodedCBOR]

    /// - Parameter counts: the rows of each section before.
    /// - Throws: `ListError.impossible`.
    init(_ batch: ListBatch, _ counts: [Int]) throws(ListError) {
        sectionDeletes = (batch.sections?.delete ?? []).sorted()
        sectionInserts = (batch.sections?.insert ?? []).sorted { $0.at < $1.at }
        let targets = ((batch.insert ?? []).map { ($0.to, $0.row) } + (batch.move ?? []).map { ($0.to, $0.row) })
            .sorted { $0.0 < $1.0 }
        inserted = targets.map(\.1)
        updates = (batch.update ?? []).map(\.to)
        updated = (batch.update ?? []).map(\.row)
        var counts = counts
        try remove(((batch.delete ?? []) + (batch.move ?? []).map(\.from)).sorted(), &counts)
        try changeSections(&counts)
        try insert(targets.map(\.0), &counts)
        for path in updates where !(counts.indices.contains(path.section) && 0..<counts[path.section] ~= path.item) {
            throw .impossible("no row at \(path) to update")
        }
    }

    private mutating func remove(_ paths: [ListPath], _ counts: inout [Int]) throws(ListError) {
        let before = counts
        for (place, path) in paths.enumerated() {
            guard before.indices.contains(path.section), 0..<before[path.section] ~= path.item,
                place == 0 || paths[place - 1] != path
            else { throw .impossible("no row at \(path) to remove") }
            if removals.last?.section != path.section { removals.append((path.section, [])) }
            removals[removals.count - 1].items.append(path.item)
            counts[path.section] -= 1
        }
    }

    private func changeSections(_ counts: inout [Int]) throws(ListError) {
        for (place, index) in sectionDeletes.enumerated() {
            guard counts.indices.contains(index), counts[index] == 0, place == 0 || sectionDeletes[place - 1] != index
            else { throw .impossible("no empty section \(index) to remove") }
        }
        counts.remove(rising: sectionDeletes)
        for (place, section) in sectionInserts.enumerated() {
            guard 0...(counts.count + place) ~= section.at, place == 0 || sectionInserts[place - 1].at != section.at
            else { throw .impossible("no place for a section \(section.at)") }
        }
        counts.insert(repeatElement(0, count: sectionInserts.count), rising: sectionInserts.map(\.at))
    }

    private mutating func insert(_ paths: [ListPath], _ counts: inout [Int]) throws(ListError) {
        for (place, path) in paths.enumerated() {
            guard counts.indices.contains(path.section), 0...counts[path.section] ~= path.item,
                place == 0 || paths[place - 1] != path
            else { throw .impossible("no place for a row at \(path)") }
            if inserts.last?.section != path.section { inserts.append((path.section, [], place)) }
            inserts[inserts.count - 1].items.append(path.item)
            counts[path.section] += 1
        }
    }

    /// Makes the edits, with an item for each row of `inserted` and of `updated`. Each array is gone through once at most,
    /// but for a few edits made in place.
    func apply<Groups: RisingEdits>(
        to groups: inout Groups,
        inserted: [Groups.Element.Item],
        updated: [Groups.Element.Item]
    ) where Groups.Element: RowGroup {
        for (section, items) in removals { groups[section].rows.remove(rising: items) }
        groups.remove(rising: sectionDeletes)
        groups.insert(sectionInserts.map { Groups.Element(key: $0.key) }, rising: sectionInserts.map(\.at))
        for (section, items, first) in inserts {
            groups[section].rows.insert(inserted[first..<(first + items.count)], rising: items)
        }
        for (path, item) in zip(updates, updated) { groups[path.section].rows[path.item] = item }
    }
}

/// What many edits are made to at a time.
protocol RisingEdits: RandomAccessCollection, MutableCollection, RangeReplaceableCollection where Index == Int {}

extension Array: RisingEdits {}

extension RisingEdits {
    /// Up to this many edits are made in place, each moving what is behind it; for more all is made anew.
    private static var fewEdits: Int { 16 }

    mutating func remove(rising indices: [Int]) {
        guard indices.count > Self.fewEdits else {
            for index in indices.reversed() { remove(at: index) }
            return
        }
        var (kept, start) = (Self(), 0)
        kept.reserveCapacity(count - indices.count)
        for index in indices {
            kept.append(contentsOf: self[start..<index])
            start = index + 1
        }
        kept.append(contentsOf: self[start...])
        self = kept
    }

    /// - Parameter indices: where the elements are afterwards, in their order.
    mutating func insert(_ elements: some Collection<Element>, rising indices: [Int]) {
        guard indices.count > Self.fewEdits else {
            for (index, element) in zip(indices, elements) { insert(element, at: index) }
            return
        }
        var (merged, taken) = (Self(), 0)
        merged.reserveCapacity(count + indices.count)
        for (index, element) in zip(indices, elements) {
            let gap = index - merged.count
            merged.append(contentsOf: self[taken..<(taken + gap)])
            taken += gap
            merged.append(element)
        }
        merged.append(contentsOf: self[taken...])
        self = merged
    }
}
