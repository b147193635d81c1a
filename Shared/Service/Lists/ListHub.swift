internal import CBOR
package import LiveList
package import Messages
package import Store

/// The live lists that somebody watches: one for each distinct query, whoever asks. No sockets, no threads.
///
/// A list is built on a reader thread from one snapshot; what changes meanwhile is applied when it arrives. It lives
/// while somebody subscribes, and a while after it was opened or the last watcher left.
package struct ListHub {
    /// More lists than this are refused.
    static let mostLists = 256
    /// More rows in all lists together are refused.
    static let mostRows = 2_000_000
    /// A list shows at most this many rows: what is larger needs a window.
    static let mostVisible = 100_000
    /// How long a list that nobody watches is kept, in milliseconds.
    static let kept: Int64 = 30_000

    /// A query made ready, and how it is known.
    package struct Plan: Sendable {
        var query: ListQuery
        /// The encoded query: equal queries share one list.
        var key: [UInt8]
        package var topic: String
        var reader: ListSource.Reader
        var predicate: ListPredicate
        var order: ListOrder

        /// The row's place in the list; nil where the filter leaves it out.
        func listRow(_ row: ListSource.Row) -> ListRow? {
            guard predicate.holds(row.values) else { return nil }
            return ListRow(
                id: row.values.id,
                section: order.section(row.values),
                order: order.key(row.values),
                row: row.encoding
            )
        }

        /// Builds the list from one snapshot of the store.
        package func build(
            _ session: Session,
            as id: Identifier = .make(),
            positions: Positions
        ) throws(ServiceError) -> LiveList {
            var rows: [ListRow] = []
            try reader.rows(query.filter, session) { row in
                if let row = listRow(row) { rows.append(row) }
            }
            return LiveList(id: id, window: query.window ?? .all, positions: positions, rows: rows)
        }
    }

    /// A class, so that a change reaches the list in its place: of a copy the whole index would be copied first.
    final class Open {
        let plan: Plan
        var list: LiveList
        var isWatched: Bool
        var lastWanted: Int64

        init(plan: Plan, list: LiveList, isWatched: Bool, lastWanted: Int64) {
            self.plan = plan
            self.list = list
            self.isWatched = isWatched
            self.lastWanted = lastWanted
        }
    }

    /// A list that is being built, and what changed since.
    private struct Building {
        var source: ListQuery.Source
        var touched: Set<TouchedRow> = []
    }

    /// What lists of one source and the same parameters have in common.
    private struct Rows: Hashable {
        var source: ListQuery.Source
        var parameters: EncodedCBOR?
    }

    /// Something to publish on a list's topic.
    package struct Message: Equatable {
        package var topic: String
        package var body: [UInt8]
    }

    /// By the encoded query.
    private(set) var lists: [[UInt8]: Open] = [:]
    private var building: [[UInt8]: Building] = [:]
    private var keysByTopic: [String: [UInt8]] = [:]
    /// Topics of lists that somebody subscribes to, also of lists that are not there: a watcher may come first, or stay
    /// over a restart.
    private var watchedTopics: Set<String> = []
    /// More topics than this are not remembered.
    private static let mostTopics = 10_000
    let sources: [ListQuery.Source: ListSource]

    package init(_ sources: [ListSource]) {
        self.sources = Dictionary(sources.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    var isEmpty: Bool { lists.isEmpty && building.isEmpty }

    /// How many lists are open, and how many rows they hold.
    var size: (lists: Int, rows: Int) { (lists.count, lists.values.reduce(0) { $0 + $1.list.totalCount }) }

    /// Makes a query ready.
    ///
    /// - Throws: `invalid` for what can't be asked of these rows.
    package func plan(_ query: ListQuery, service: ServiceName) throws(ServiceError) -> Plan {
        let query = query.normalized
        guard let source = sources[query.source] else {
            let names = sources.keys.map { name in
                switch name {
                case .entity(let entity): entity
                case .report(let report): "report \(report)"
                }
            }
            throw .invalid(
                field: "query",
                "\(service) has no such list; it has \(names.sorted().joined(separator: ", "))"
            )
        }
        let reader = try source.reader(query.parameters)
        do throws(ListError) {
            let key = try encoded(query, or: .undecodable("query"))
            return Plan(
                query: query,
                key: key,
                topic: Topic.list(service, query: key),
                reader: reader,
                predicate: try ListPredicate(query.filter, source.schema, StoredForms()),
                order: try ListOrder(
                    sort: query.sort,
                    otherwise: source.sort,
                    section: query.section,
                    source.schema
                )
            )
        } catch {
            guard case .unanswerable(let field, let found, let reason) = error else {
                throw .invalid(field: "query", "the query can't be carried out: \(error)")
            }
            throw .invalid(field: field, found: found, reason)
        }
    }

    private func encoded(_ query: ListQuery, or error: ListError) throws(ListError) -> [UInt8] {
        do throws(CBORError) { return try CBOREncoder().encode(query) } catch { throw .undecodable("\(error)") }
    }

    // MARK: Opening

    package enum Opening {
        /// The list is there.
        case open(LiveList.Snapshot)
        /// It has to be built: see `built`.
        case build
        /// It is being built already.
        case wait
        case refused(String)
    }

    /// - Parameter positions: how far the service has come. A list that is there shows all of it, also where its last batch
    ///   is older.
    package mutating func open(_ plan: Plan, positions: Positions = [:], now: Int64) -> Opening {
        if let open = lists[plan.key] {
            open.lastWanted = now
            _ = open.list.apply([], positions: positions)
            return .open(open.list.snapshot)
        }
        if building[plan.key] != nil { return .wait }
        guard lists.count + building.count < ListHub.mostLists, size.rows < ListHub.mostRows else {
            return .refused("\(lists.count) live lists with \(size.rows) rows are open: close some, or ask later")
        }
        // Two queries of one topic: the second has to wait until the first is gone.
        if let other = keysByTopic[plan.topic], other != plan.key {
            return .refused("another list uses the topic \(plan.topic): ask in another order of words, or later")
        }
        keysByTopic[plan.topic] = plan.key
        building[plan.key] = Building(source: plan.query.source)
        return .build
    }

    /// Takes a list that was built, and brings it up to date.
    ///
    /// - Returns: what it shows; nil where nobody asked for it any more.
    /// - Throws: `too-large` where it shows more than a list can.
    package mutating func built(
        _ plan: Plan,
        _ list: LiveList,
        positions: Positions,
        _ session: Session,
        now: Int64
    ) throws(ServiceError) -> LiveList.Snapshot? {
        guard let build = building.removeValue(forKey: plan.key) else { return nil }
        guard list.count <= ListHub.mostVisible else {
            throw .refused(
                .tooLarge,
                "the list has \(list.count) rows: at most \(ListHub.mostVisible) are shown; give a window or a filter"
            )
        }
        var list = list
        _ = list.apply(try changes(of: build.touched, plan, session), positions: positions)
        let isWatched = watchedTopics.contains(plan.topic)
        lists[plan.key] = Open(plan: plan, list: list, isWatched: isWatched, lastWanted: now)
        return list.snapshot
    }

    /// The list could not be built.
    mutating func failed(_ plan: Plan) {
        building[plan.key] = nil
        if lists[plan.key] == nil { keysByTopic[plan.topic] = nil }
    }

    // MARK: Following

    /// Applies what was committed: a batch for each list whose visible rows changed.
    package mutating func apply(
        _ touched: [ListQuery.Source: Set<TouchedRow>],
        positions: Positions,
        _ session: Session
    ) throws(ServiceError) -> [Message] {
        var messages: [Message] = []
        for (key, build) in building {
            building[key]?.touched.formUnion(touched[build.source] ?? [])
        }
        // A row is read and made ready once, whatever the number of lists.
        var read: [Rows: [(Identifier, ListSource.Row?)]] = [:]
        for open in lists.values {
            guard let ids = touched[open.plan.query.source], !ids.isEmpty else { continue }
            let source = Rows(source: open.plan.query.source, parameters: open.plan.query.parameters)
            if read[source] == nil {
                read[source] = try ids.map { (row) throws(ServiceError) in
                    (row.id, try open.plan.reader.row(row, session))
                }
            }
            let changes = (read[source] ?? []).map { id, row in change(id, row, open.plan) }
            guard let batch = open.list.apply(changes, positions: positions) else { continue }
            messages.append(Message(topic: open.plan.topic, body: try encoded(batch)))
        }
        return messages.sorted { $0.topic < $1.topic }
    }

    private func encoded(_ batch: ListBatch) throws(ServiceError) -> [UInt8] {
        let body = try Service.encoded(batch)
        return body.count <= ListBatch.mostBytes ? body : try Service.encoded(batch.asReset)
    }

    private func changes(
        of rows: Set<TouchedRow>,
        _ plan: Plan,
        _ session: Session
    ) throws(ServiceError) -> [ListChange] {
        var changes: [ListChange] = []
        for row in rows { changes.append(change(row.id, try plan.reader.row(row, session), plan)) }
        return changes
    }

    private func change(_ id: Identifier, _ row: ListSource.Row?, _ plan: Plan) -> ListChange {
        row.flatMap(plan.listRow).map { .put($0) } ?? .remove(id)
    }

    /// Drops the lists of reports, whose projection was emptied: watchers hear no more of them and open them again.
    mutating func dropReports() {
        for (key, open) in lists {
            guard case .report = open.plan.query.source else { continue }
            lists[key] = nil
            keysByTopic[open.plan.topic] = nil
        }
    }

    // MARK: Watchers

    /// Somebody subscribed to this topic: the answer, so that the watcher knows where the list is.
    mutating func subscribed(_ topic: String, now: Int64) throws(ServiceError) -> Message? {
        if topic.hasPrefix("="), watchedTopics.count < Self.mostTopics { watchedTopics.insert(topic) }
        guard let key = keysByTopic[topic], let open = lists[key] else { return nil }
        open.isWatched = true
        open.lastWanted = now
        return Message(topic: topic, body: try Service.encoded(open.list.state))
    }

    /// The last watcher of this topic left.
    mutating func unsubscribed(_ topic: String, now: Int64) {
        watchedTopics.remove(topic)
        guard let key = keysByTopic[topic], let open = lists[key] else { return }
        open.isWatched = false
        open.lastWanted = now
    }

    /// Each second: where each watched list is; lists that nobody wants any more are dropped.
    mutating func beat(now: Int64) throws(ServiceError) -> [Message] {
        var messages: [Message] = []
        for (key, open) in lists {
            if open.isWatched {
                messages.append(Message(topic: open.plan.topic, body: try Service.encoded(open.list.state)))
            } else if now - open.lastWanted >= ListHub.kept {
                lists[key] = nil
                keysByTopic[open.plan.topic] = nil
            }
        }
        return messages.sorted { $0.topic < $1.topic }
    }
}
