internal import CBOR
internal import LiveList
internal import Messages
internal import Store
internal import Text

/// Reads pages of records: filter, sort and keyset cursor as SQL over the entity's columns.
struct RecordList<R: Listed> {
    private let table: ListedTable<R>
    private var values: [Value] = []
    /// Of the filter; some have no value.
    private var conditions = 0
    /// How many values there were before the filter's.
    private var otherValues = 0
    /// The database whose tables the conditions are about, with a dot; empty for whatever is found first.
    private var database = ""

    private init(_ table: ListedTable<R>) {
        self.table = table
    }

    /// A page's rows are cut at this many bytes; it then ends early and says how to go on.
    static var mostBytes: Int { 768 * 1024 }

    /// Reads a page, and returns it encoded: rows are copied from the store, not decoded.
    static func read(_ request: List<R>, _ table: ListedTable<R>, _ session: Session) throws(ServiceError) -> [UInt8] {
        var list = RecordList(table)
        return try list.page(request, ["": ""], nil, session)
    }

    /// Reads a page as of a moment that the temporary tables are made for.
    ///
    /// It is the same query twice: over the rows whose records are as they were then, and over the others as they were.
    ///
    /// - Parameter owner: the column of the records' ids.
    static func read(
        _ request: List<R>,
        _ table: ListedTable<R>,
        _ session: Session,
        past: Past,
        by owner: String
    ) throws(ServiceError) -> [UInt8] {
        var list = RecordList(table)
        let unchanged = "\"\(owner)\" NOT IN (SELECT id FROM \(past.changed))"
        return try list.page(request, ["main.": unchanged, "temp.": ""], past.moment, session)
    }

    /// Hands the encoding of each row that the filter holds for to the closure, in any order.
    static func each(
        _ filter: Filter?,
        _ table: ListedTable<R>,
        _ session: Session,
        _ take: ([UInt8]) throws(ServiceError) -> Void
    ) throws(ServiceError) {
        var list = RecordList(table)
        let place = try filter.map { (filter) throws(ServiceError) in " WHERE \(try list.condition(filter, depth: 0))" }
        let (sql, values) = ("SELECT body FROM \"\(table.name)\"\(place ?? "")", list.values)
        var failure: ServiceError?
        try storing { () throws(StoreError) in
            try session.query(sql, values) { row in
                guard failure == nil else { return }
                do throws(ServiceError) { try take(row.blob(0)) } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    /// - Parameter databases: where the rows are, and which of them are meant.
    private mutating func page(
        _ request: List<R>,
        _ databases: KeyValuePairs<String, String>,
        _ moment: AsOf.Listed?,
        _ session: Session
    ) throws(ServiceError) -> [UInt8] {
        let limit = request.limit ?? 50
        guard (1...List<R>.longestPage).contains(limit) else {
            throw .invalid(
                field: "limit",
                found: String(limit),
                "a page has 1 to \(List<R>.longestPage) rows, not \(limit)"
            )
        }
        let keys = try sortKeys(request.sort)
        let columns = keys.map { $0.expression }.joined(separator: ", ")
        var queries: [String] = []
        for (database, meant) in databases {
            self.database = database
            (self.conditions, otherValues) = (0, values.count)
            var conditions = meant.isEmpty ? [] : [meant]
            if let filter = request.filter { conditions.append(try condition(filter, depth: 0)) }
            if let after = request.after { conditions.append(try behind(after, keys)) }
            let place = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
            queries.append("SELECT body, \(columns) FROM \(database)\"\(table.name)\"\(place)")
        }
        // Of several queries the results are sorted, by their columns.
        let order = keys.enumerated().map { index, key in
            (queries.count > 1 ? "\(index + 2)" : key.expression) + (key.isDescending ? " DESC" : "")
        }.joined(separator: ", ")
        let sql =
            queries.joined(separator: " UNION ALL ")
            + " ORDER BY \(order) LIMIT \(parameter(.integer(Int64(limit) + 1)))"

        var rows = CBORWriter(capacity: 1024 * min(limit, 50))
        var count = 0
        var cursor: [Value] = []
        var hasMore = false
        let values = values
        try storing { () throws(StoreError) in
            try session.query(sql, values) { row in
                if hasMore { return }
                row.withBytes(0) { body in
                    let bytes = rows.count + body.count
                    if count == limit || (bytes > Self.mostBytes && count > 0) {
                        hasMore = true
                        return
                    }
                    rows.raw(body)
                    count += 1
                    // Only the last row's is used: this may be it. A row fits into an event twice.
                    if count == limit || bytes + EventLog.mostEventBytes / 2 > Self.mostBytes {
                        cursor = keys.indices.map { row.value(Int32($0) + 1) }
                    }
                }
            }
        }
        var writer = CBORWriter(capacity: rows.count + 256)
        writer.mapHead(1 + (hasMore ? 1 : 0) + (moment == nil ? 0 : 1))
        writer.text("rows")
        writer.arrayHead(count)
        writer.raw(rows)
        if hasMore {
            guard !cursor.isEmpty else { throw .store(.fault("a row of \(table.name) is larger than a record can be")) }
            writer.text("next")
            writer.byteString(Self.cursor(cursor))
        }
        if let moment {
            writer.text("asOf")
            writer.raw(try encoded(moment))
        }
        return writer.bytes
    }

    // MARK: Sorting and paging

    private struct Key {
        var expression: String
        var isDescending: Bool
    }

    /// The sort's terms, ending with the id so that the order is total.
    private func sortKeys(_ requested: [SortKey]?) throws(ServiceError) -> [Key] {
        let requested = requested ?? []
        guard requested.count <= 8 else {
            throw .invalid(field: "sort", found: "\(requested.count) keys", "a sort has at most 8 keys")
        }
        var keys: [Key] = []
        for key in requested.isEmpty ? table.sort : requested {
            let expression = key.field == "id" ? "id" : try column(key.field).sortExpression
            keys.append(Key(expression: expression, isDescending: key.descending ?? false))
        }
        if keys.last?.expression != "id" { keys.append(Key(expression: "id", isDescending: false)) }
        return keys
    }

    private static func cursor(_ values: [Value]) -> [UInt8] {
        var writer = CBORWriter()
        writer.arrayHead(values.count)
        for value in values {
            switch value {
            case .null: writer.null()
            case .integer(let integer): writer.int(integer)
            case .text(let text): writer.text(text)
            case .blob(let bytes): writer.byteString(bytes)
            case .id(let id): writer.byteString(id.bytes)
            }
        }
        return writer.bytes
    }

    /// Rows behind the cursor: (a, b, id) > (x, y, z), spelled out because directions may differ.
    private mutating func behind(_ cursor: [UInt8], _ keys: [Key]) throws(ServiceError) -> String {
        let refused = ServiceError.invalid(
            field: "after",
            "this is no cursor of this list: start from the first page, with the same sort"
        )
        guard let value = try? CBORValue(decoding: cursor, profile: .wire), case .array(let items) = value,
            items.count == keys.count
        else { throw refused }
        var places: [String] = []
        for item in items {
            switch item {
            case .unsigned(let number): places.append(parameter(.integer(Int64(clamping: number))))
            case .negative(let magnitude): places.append(parameter(.integer(-1 - Int64(clamping: magnitude))))
            case .text(let text): places.append(parameter(.text(text)))
            case .bytes(let bytes): places.append(parameter(.blob(bytes)))
            default: throw refused
            }
        }
        if Set(keys.map(\.isDescending)).count == 1 {
            let comparison = keys[0].isDescending ? "<" : ">"
            return
                "(\(keys.map(\.expression).joined(separator: ", "))) \(comparison) (\(places.joined(separator: ", ")))"
        }
        let alternatives = keys.indices.map { index in
            let equal = (0..<index).map { "\(keys[$0].expression) = \(places[$0])" }
            let comparison = keys[index].isDescending ? "<" : ">"
            return "("
                + (equal + ["\(keys[index].expression) \(comparison) \(places[index])"]).joined(separator: " AND ")
                + ")"
        }
        return "(" + alternatives.joined(separator: " OR ") + ")"
    }

    // MARK: Filters

    private static var deepestFilter: Int { 16 }
    private static var mostParameters: Int { 2000 }

    private mutating func parameter(_ value: Value) -> String {
        values.append(value)
        return "$\(values.count)"
    }

    private func column(_ field: String) throws(ServiceError) -> Column<R> {
        guard let column = table.columns.first(where: { $0.field == field && $0.isQueried }) else {
            let known = table.columns.filter(\.isQueried).map(\.field)
            throw .invalid(
                field: "filter",
                found: field,
                "lists of \(R.entity) know no field '\(field)': they know \((["id", "tail"] + known).joined(separator: ", "))"
            )
        }
        return column
    }

    private mutating func condition(_ filter: Filter, depth: Int) throws(ServiceError) -> String {
        conditions += 1
        guard depth < Self.deepestFilter, values.count - otherValues < Self.mostParameters,
            conditions <= 3 * Self.mostParameters
        else {
            throw .invalid(field: "filter", "the filter is too large: at most 16 levels and 2,000 values")
        }
        switch filter {
        case .and(let parts): return try joined(parts, " AND ", empty: "1 = 1", depth)
        case .or(let parts): return try joined(parts, " OR ", empty: "1 = 0", depth)
        case .not(let part): return "NOT coalesce((\(try condition(part, depth: depth + 1))), 1 = 0)"
        case .equal("id", let value):
            return "id = \(parameter(.id(try identifier(value))))"
        case .range("id", let from, let through):
            var terms: [String] = []
            if let from { terms.append("id >= \(parameter(.id(try identifier(from))))") }
            if let through { terms.append("id <= \(parameter(.id(try identifier(through))))") }
            return terms.isEmpty ? "1 = 1" : "(" + terms.joined(separator: " AND ") + ")"
        case .equal("tail", let value):
            return try tail(value)
        case .equal(let field, let value):
            let column = try column(field)
            guard let value else { return "\"\(column.name)\" IS NULL" }
            return "\"\(column.name)\" = \(parameter(try bound(value, column)))"
        case .range(let field, let from, let through):
            let column = try column(field)
            let isText = column.kind == .text
            let name = isText ? "\"\(column.name)_key\"" : "\"\(column.name)\""
            var terms: [String] = []
            if let from { terms.append("\(name) >= \(parameter(try ordered(from, column)))") }
            if let through { terms.append("\(name) <= \(parameter(try ordered(through, column)))") }
            return terms.isEmpty ? "\(name) IS NOT NULL" : "(" + terms.joined(separator: " AND ") + ")"
        case .contains(let field, let text):
            let folded = try folded(field)
            return "instr(\(folded), \(parameter(.text(TextNormalizer.folded(text))))) > 0"
        case .startsWith(let field, let text):
            let name = try folded(field)
            let start = TextNormalizer.folded(text)
            return "substr(\(name), 1, \(start.unicodeScalars.count)) = \(parameter(.text(start)))"
        case .search(let field, let text): return try search(field, text)
        }
    }

    private mutating func search(_ field: String?, _ text: String) throws(ServiceError) -> String {
        let part = table.searchedParts.first { $0.field == field }
        guard let index = field == nil ? table.index : part.map({ SearchIndex(table: $0.table) }) else {
            throw .invalid(
                field: "filter",
                found: field,
                "lists of \(R.entity) can't be searched\(field.map { " in '\($0)'" } ?? "")"
            )
        }
        let words = SearchWords.words(of: text)
        guard words.count <= ListPredicate.mostWords else {
            throw .invalid(
                field: "filter",
                found: text,
                "a search looks for at most \(ListPredicate.mostWords) words, not \(words.count)"
            )
        }
        if words.isEmpty { return "1 = 1" }
        let rows = index.matches(parameter(.text(SearchIndex.expression(words))), in: database)
        guard let part else { return "search_id IN (\(rows))" }
        return "id IN (SELECT \"\(part.owner)\" FROM \(database)\"\(part.table)\" WHERE search_id IN (\(rows)))"
    }

    private func identifier(_ value: FilterValue?) throws(ServiceError) -> Identifier {
        guard case .id(let id) = value else { throw .invalid(field: "id", "an id is 16 bytes") }
        return id
    }

    private mutating func joined(
        _ parts: [Filter],
        _ separator: String,
        empty: String,
        _ depth: Int
    ) throws(ServiceError) -> String {
        var terms: [String] = []
        for part in parts { terms.append(try condition(part, depth: depth + 1)) }
        if terms.isEmpty { return empty }
        // SQLite takes expressions up to a depth of 1,000, and a chain of operators is as deep as it is long.
        let size = Int(Double(terms.count).squareRoot().rounded(.up))
        let groups = stride(from: 0, to: terms.count, by: size).map { start in
            "(" + terms[start..<min(start + size, terms.count)].joined(separator: separator) + ")"
        }
        return "(" + groups.joined(separator: separator) + ")"
    }

    private func folded(_ field: String) throws(ServiceError) -> String {
        let column = try column(field)
        guard column.kind == .text else {
            throw .invalid(field: "filter", found: field, "'\(field)' is no text: it can't be searched, only compared")
        }
        return "\"\(column.name)_folded\""
    }

    private func bound(_ value: FilterValue, _ column: Column<R>) throws(ServiceError) -> Value {
        switch (value, column.kind) {
        case (.text(let text), .text): return .text(TextNormalizer.normalized(text))
        case (.text(let text), .day):
            guard let day = CalendarDay(text) else {
                throw .invalid(field: column.field, found: text, "'\(text)' is no day: write it as 2024-03-31")
            }
            return .text(day.description)
        case (.integer(let integer), .integer): return .integer(integer)
        case (.boolean(let flag), .boolean): return .boolean(flag)
        case (.id(let id), .id): return .id(id)
        default:
            throw .invalid(field: "filter", found: column.field, "'\(column.field)' can't be compared with that value")
        }
    }

    /// The value as the field is ordered by: text by its collation key.
    private func ordered(_ value: FilterValue, _ column: Column<R>) throws(ServiceError) -> Value {
        guard column.kind == .text, case .text(let text) = value else { return try bound(value, column) }
        return .blob(Collation.sortKey(text))
    }

    /// Ids that end with these hexadecimal digits.
    private mutating func tail(_ value: FilterValue?) throws(ServiceError) -> String {
        guard case .text(let text) = value, (1...32).contains(text.utf8.count) else {
            throw .invalid(field: "tail", "the tail of an id is 1 to 32 hexadecimal digits")
        }
        var digits: [UInt8] = []
        for character in text {
            guard character.isASCII, let digit = character.hexDigitValue else {
                throw .invalid(field: "tail", found: text, "'\(text)' is no tail of an id: only hexadecimal digits are")
            }
            digits.append(UInt8(digit))
        }
        // An odd digit in front can be the low half of sixteen bytes.
        let leading: [UInt8?] = digits.count % 2 == 1 ? (0..<16).map { $0 } : [nil]
        let tails = leading.map { high -> String in
            var nibbles = digits
            if let high { nibbles.insert(high, at: 0) }
            let bytes = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
            return parameter(.blob(bytes))
        }
        let start = 17 - (digits.count + 1) / 2
        return "substr(id, \(start)) IN (\(tails.joined(separator: ", ")))"
    }
}
