internal import Messages

/// Turns positions of visible rows into paths. What it found out about a section it keeps.
struct Places {
    private let tree: OrderedTree
    private let visible: Range<Int>
    private let sectionTable: SectionTable
    /// How many sections begin before the first visible one.
    private let before: Int
    /// Index and first visible position, by the section's number.
    private var known: [UInt32: (index: Int, start: Int)] = [:]

    init(_ tree: OrderedTree, _ visible: Range<Int>, _ sectionTable: SectionTable) {
        self.tree = tree
        self.visible = visible
        self.sectionTable = sectionTable
        before = visible.isEmpty ? 0 : tree.sections(before: visible.lowerBound + 1) - 1
    }

    /// The path of the visible row at `position`, which is in `section`. O(log n) for the first row of each section.
    mutating func path(_ position: Int, _ section: UInt32) -> ListPath {
        if tree.summary.sections <= 1 { return ListPath(0, position - visible.lowerBound) }
        if let known = known[section] { return ListPath(known.index, position - known.start) }
        let index = tree.sections(before: position + 1) - 1 - before
        let start = max(tree.rank(sectionTable.start(section)), visible.lowerBound)
        known[section] = (index, start)
        return ListPath(index, position - start)
    }

    /// Whether the section has a visible row.
    func shows(_ section: UInt32) -> Bool {
        let rows = sectionTable.rows(section)
        guard rows > 0, visible.count < tree.count else { return rows > 0 }
        let start = tree.rank(sectionTable.start(section))
        return max(start, visible.lowerBound) < min(start + rows, visible.upperBound)
    }
}
