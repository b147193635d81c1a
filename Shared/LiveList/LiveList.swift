internal import CBOR
public import Messages

/// Rows in order, in sections, seen through a window: the side of a live list that knows the data.
///
/// Tell it what happened with ``apply(_:positions:)``, and it says what that did to the visible rows, in index paths
/// that a table view, or a ``FetchedResults`` far away, follows.
///
///     var list = LiveList(id: .make(), rows: [])
///     var order = OrderKey()
///     order.add(text: "Milk")
///     let batch = list.apply([.put(ListRow(id: .make(), order: order, row: try EncodedCBOR(encoding: "Milk")))])
///     // batch.insert == [(to: [0, 0], row: "Milk")], batch.sections.insert == [(at: 0, key: null)]
///
/// A section is there while it has a visible row; a list without rows has none, with or without a section key.
/// Rows are ordered by their section's order and value, their own order, and their id.
///
/// A value: a copy costs nothing until one of the two changes; the first change of one then copies its index by id,
/// O(n). ``snapshot`` is the copy that doesn't have that price. Memory for each row: its encoding, its key (the
/// section's order and value, the row's order), and about 170 bytes.
public struct LiveList: Sendable {
    /// Tells this list from any other, also from one of the same query that was built before.
    public let id: Identifier
    /// What of the rows is visible.
    public let window: ListWindow
    /// Raised by one with each batch; 0 for a list just built.
    public internal(set) var number: Int64 = 0
    /// What the rows depend on, as it was last told.
    public internal(set) var positions: Positions
    /// Of the visible rows; see `ListDigest`.
    public internal(set) var digest: UInt64 = 0

    var tree: OrderedTree
    var sectionTable = SectionTable()
    /// The bytes of each row's `Entry`.
    var index: [Identifier: [UInt8]] = [:]

    /// Builds the list: O(n) for rows that come in order, O(n log n) otherwise. Of rows with one id the last counts.
    public init(
        id: Identifier,
        window: ListWindow = .all,
        positions: Positions = [:],
        rows: some Sequence<ListRow>
    ) {
        self.init(id: id, window: window, positions: positions, rows: rows, nodeCapacity: 64)
    }

    package init(
        id: Identifier,
        window: ListWindow,
        positions: Positions,
        rows: some Sequence<ListRow>,
        nodeCapacity: Int
    ) {
        self.id = id
        self.window = window
        self.positions = positions
        var entries: [Entry] = []
        entries.reserveCapacity(rows.underestimatedCount)
        index.reserveCapacity(rows.underestimatedCount)
        var (isAscending, repeats) = (true, false)
        for row in rows {
            let entry = Entry(row, section: sectionTable.number(row.section))
            if index.updateValue(entry.bytes, forKey: row.id) != nil { repeats = true }
            if let last = entries.last, !(last < entry) { isAscending = false }
            entries.append(entry)
        }
        if repeats {
            var seen: Set<Identifier> = []
            entries = entries.reversed().filter { seen.insert($0.id).inserted }
            isAscending = false
        }
        if !isAscending { entries.sort(by: <) }
        for entry in entries { sectionTable.add(1, to: entry.section) }
        tree = OrderedTree(ascending: entries, capacity: nodeCapacity, sectionTable.hashes)
        digest = visibleDigest
    }

    var visible: Range<Int> { window.range(in: tree.count) }

    var visibleDigest: UInt64 { tree.summary(visible, sectionTable.hashes).whole(sectionTable.hashes) }
}

extension LiveList {
    /// All rows, whether visible or not.
    public var totalCount: Int { tree.count }

    /// The visible rows.
    public var count: Int { visible.count }

    /// Whether the list holds the row, visible or not.
    public func contains(_ id: Identifier) -> Bool { index[id] != nil }

    /// Where the row stands; nil if it isn't visible. O(log n).
    public func path(of id: Identifier) -> ListPath? {
        guard let entry = index[id].map({ Entry(bytes: $0, hash: 0) }) else { return nil }
        let position = tree.rank(entry)
        guard visible.contains(position) else { return nil }
        var places = Places(tree, visible, sectionTable)
        return places.path(position, entry.section)
    }

    /// What to send to the list's topic for a watcher that has just come.
    public var state: ListState { ListState(list: id, number: number, digest: digest) }

    /// The list as it is now, to be read while it changes: it shares the rows, and costs nothing.
    public var snapshot: Snapshot {
        Snapshot(state: state, positions: positions, tree: tree, visible: visible, sectionTable: sectionTable)
    }

    /// The visible rows. O(n).
    public var sections: [ListSection] { snapshot.sections }

    /// A list at one moment.
    public struct Snapshot: Sendable {
        /// Which list, and at which number.
        public let state: ListState
        /// What the rows depend on.
        public let positions: Positions
        let tree: OrderedTree
        let visible: Range<Int>
        let sectionTable: SectionTable

        /// The visible rows.
        public var count: Int { visible.count }

        /// The visible rows. O(n).
        public var sections: [ListSection] {
            var sections: [ListSection] = []
            var last: UInt32?
            tree.forEach(visible) { entry in
                if entry.section != last {
                    sections.append(ListSection(key: sectionTable.key(entry.section).value, rows: []))
                    last = entry.section
                }
                sections[sections.count - 1].rows.append(entry.row)
            }
            return sections
        }

        /// The answer to who opens the list. O(n).
        public func reply(topic: String) -> OpenList.Reply {
            OpenList.Reply(
                topic: topic,
                list: state.list,
                number: state.number,
                digest: state.digest,
                positions: positions,
                sections: sections
            )
        }
    }
}
