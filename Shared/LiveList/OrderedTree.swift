/// The rows in order: a B+ tree whose nodes know how many rows and sections they hold, and their digest.
///
/// A value made of arrays: a copy shares its nodes, and a change copies only the path that it takes. Everything costs
/// O(log n) but what says otherwise.
struct OrderedTree: Sendable {
    private var root = Node()
    private(set) var summary = Summary()
    /// The most rows of a leaf, and children of a node. 64 is where a change is cheapest; small ones serve tests.
    private let capacity: Int

    init(capacity: Int = 64) {
        // Below 8, a node could be left with a single child.
        self.capacity = max(capacity, 8)
    }

    /// Builds the tree of rows that are in order. O(n).
    init(ascending entries: [Entry], capacity: Int = 64, _ keys: [UInt64]) {
        self.init(capacity: capacity)
        var level = Self.pieces(entries.count, capacity).map {
            Child(Node(entries: Array(entries[$0]), children: []), keys)
        }
        while level.count > 1 {
            level = Self.pieces(level.count, capacity).map {
                Child(Node(entries: [], children: Array(level[$0])), keys)
            }
        }
        guard let top = level.first else { return }
        (root, summary) = (top.node, top.summary)
    }

    /// Even pieces, filled to seven eighths at most, so that the first changes don't split each of them.
    private static func pieces(_ count: Int, _ capacity: Int) -> [Range<Int>] {
        let fill = max(capacity * 7 / 8, 2)
        let pieces = (count + fill - 1) / fill
        return (0..<pieces).map { ($0 * count / pieces)..<(($0 + 1) * count / pieces) }
    }

    var count: Int { summary.count }

    /// Puts a row in its place; one of the same key is replaced.
    mutating func insert(_ entry: Entry, _ keys: [UInt64]) {
        if let sibling = root.insert(entry, capacity, keys) {
            root = Node(entries: [], children: [Child(root, keys), Child(sibling, keys)])
        }
        summary = root.summary(keys)
    }

    /// Takes the row with this one's key away; nothing happens where there is none.
    mutating func remove(_ entry: Entry, _ keys: [UInt64]) {
        root.remove(entry, capacity, keys)
        while root.children.count == 1 { root = root.children[0].node }
        summary = root.summary(keys)
    }

    /// How many rows are before `entry`, whether or not it is there.
    func rank(_ entry: Entry) -> Int { root.rank(entry) }

    /// The row at a position below `count`.
    subscript(position: Int) -> Entry { root.entry(at: position) }

    /// What the rows of `range` add up to.
    func summary(_ range: Range<Int>, _ keys: [UInt64]) -> Summary {
        if range == 0..<count { return summary }
        var result = Summary()
        root.fold(range, into: &result, keys)
        return result
    }

    /// How many sections begin before `position`.
    func sections(before position: Int) -> Int {
        guard summary.sections > 1, position < count else { return position == 0 ? 0 : summary.sections }
        var (sections, last) = (0, UInt32.max)
        root.countSections(before: position, &sections, &last)
        return sections
    }

    /// How many levels there are; nil if the tree is out of shape: leaves at different depths, or a node too wide. For
    /// tests. O(n).
    var depth: Int? { root.depth(capacity) }

    /// Calls `body` with the rows of `range` in order. O(log n + rows).
    func forEach(_ range: Range<Int>, _ body: (Entry) -> Void) { root.forEach(range, body) }
}

/// A child, with what its parent must know of it without a look into it.
private struct Child: Sendable {
    /// Above the rows of the child before, and not above the child's own; for the leftmost child of the tree, whose is
    /// never looked at, it may be.
    let low: Entry
    var summary: Summary
    var node: Node

    init(_ node: Node, _ keys: [UInt64]) {
        low = node.entries.first ?? node.children[0].low
        summary = node.summary(keys)
        self.node = node
    }
}

/// A leaf has entries, any other node children; the root of an empty tree has neither.
private struct Node: Sendable {
    var entries: [Entry] = []
    var children: [Child] = []

    var width: Int { entries.count + children.count }

    func summary(_ keys: [UInt64]) -> Summary {
        var summary = Summary()
        // By spans: iterating over the arrays would retain and release each row.
        let (entries, children) = (entries.span, children.span)
        for place in entries.indices { summary.append(row: entries[place].hash, in: entries[place].section, keys) }
        for place in children.indices { summary.append(children[place].summary, keys) }
        return summary
    }

    /// The first of `count` places for which `isBelow` doesn't hold.
    @inline(__always)
    private func partition(_ count: Int, _ isBelow: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBelow(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func place(of entry: Entry) -> Int { partition(entries.count) { entries[$0] < entry } }

    /// The child that has `entry`, or would have it.
    private func child(for entry: Entry) -> Int {
        max(partition(children.count) { !(entry < children[$0].low) } - 1, 0)
    }

    // MARK: Changing

    /// Returns the right half where the node had to be split.
    mutating func insert(_ entry: Entry, _ capacity: Int, _ keys: [UInt64]) -> Node? {
        if children.isEmpty {
            let place = place(of: entry)
            if place < entries.count, entries[place].hasKey(of: entry) {
                entries[place] = entry
            } else {
                entries.insert(entry, at: place)
            }
        } else {
            let index = child(for: entry)
            let sibling = children[index].node.insert(entry, capacity, keys)
            children[index].summary = children[index].node.summary(keys)
            if let sibling { children.insert(Child(sibling, keys), at: index + 1) }
        }
        return width > capacity ? split() : nil
    }

    /// Cuts the right half off.
    private mutating func split() -> Node {
        let right = Node(
            entries: Array(entries[(entries.count / 2)...]),
            children: Array(children[(children.count / 2)...])
        )
        entries.removeLast(right.entries.count)
        children.removeLast(right.children.count)
        return right
    }

    mutating func remove(_ entry: Entry, _ capacity: Int, _ keys: [UInt64]) {
        if children.isEmpty {
            let place = place(of: entry)
            if place < entries.count, entries[place].hasKey(of: entry) { entries.remove(at: place) }
            return
        }
        let index = child(for: entry)
        children[index].node.remove(entry, capacity, keys)
        children[index].summary = children[index].node.summary(keys)
        if children[index].node.width < capacity / 4 { join(max(index - 1, 0), capacity, keys) }
    }

    /// Joins the child at `index` and the next, and halves them again if they are too many for one.
    private mutating func join(_ index: Int, _ capacity: Int, _ keys: [UInt64]) {
        guard index + 1 < children.count else { return }
        let right = children.remove(at: index + 1).node
        children[index].node.entries += right.entries
        children[index].node.children += right.children
        let sibling = children[index].node.width > capacity ? children[index].node.split() : nil
        children[index].summary = children[index].node.summary(keys)
        if let sibling { children.insert(Child(sibling, keys), at: index + 1) }
    }

    // MARK: Reading

    func rank(_ entry: Entry) -> Int {
        guard !children.isEmpty else { return place(of: entry) }
        let index = child(for: entry)
        var before = 0
        for place in 0..<index { before += children[place].summary.count }
        return before + children[index].node.rank(entry)
    }

    func entry(at position: Int) -> Entry {
        guard !children.isEmpty else { return entries[position] }
        var (index, position) = (0, position)
        while position >= children[index].summary.count {
            position -= children[index].summary.count
            index += 1
        }
        return children[index].node.entry(at: position)
    }

    func depth(_ capacity: Int) -> Int? {
        let depths = Set(children.map { $0.node.depth(capacity) })
        guard width <= capacity, depths.count <= 1, entries.isEmpty || children.isEmpty else { return nil }
        return (depths.first ?? 0).map { $0 + 1 }
    }

    func fold(_ range: Range<Int>, into summary: inout Summary, _ keys: [UInt64]) {
        let entries = entries.span
        for place in range.clamped(to: entries.indices) {
            summary.append(row: entries[place].hash, in: entries[place].section, keys)
        }
        eachChild(range) { index, part in
            if part == 0..<children[index].summary.count {
                summary.append(children[index].summary, keys)
            } else {
                children[index].node.fold(part, into: &summary, keys)
            }
        }
    }

    func forEach(_ range: Range<Int>, _ body: (Entry) -> Void) {
        for entry in entries[range.clamped(to: entries.indices)] { body(entry) }
        eachChild(range) { index, part in children[index].node.forEach(part, body) }
    }

    func countSections(before position: Int, _ sections: inout Int, _ last: inout UInt32) {
        let entries = entries.span
        for place in 0..<min(position, entries.count) where entries[place].section != last {
            sections += 1
            last = entries[place].section
        }
        eachChild(0..<position) { index, part in
            if part == 0..<children[index].summary.count {
                sections += children[index].summary.sections - (last == children[index].summary.first ? 1 : 0)
                last = children[index].summary.last
            } else {
                children[index].node.countSections(before: part.upperBound, &sections, &last)
            }
        }
    }

    /// The indices of the children that hold rows of `range`, each with its part of it.
    @inline(__always)
    private func eachChild(_ range: Range<Int>, _ body: (Int, Range<Int>) -> Void) {
        var start = 0
        for index in children.indices {
            guard start < range.upperBound else { return }
            let end = start + children[index].summary.count
            if range.lowerBound < end {
                body(index, max(range.lowerBound - start, 0)..<(min(range.upperBound, end) - start))
            }
            start = end
        }
    }
}
