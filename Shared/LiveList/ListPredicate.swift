public import Messages

/// A filter made ready to be asked of many rows.
///
/// It holds for exactly the rows that the store's query finds. There an absent text is ordered and searched as empty
/// text (it has an empty collation key), and every other absent value compares with nothing; `not` holds for whatever
/// its filter doesn't hold for.
public struct ListPredicate: Sendable {
    /// A filter may be this many levels deep.
    public static let deepestFilter = 16
    /// From this many values on no further condition is taken.
    public static let mostValues = 2000
    /// A full-text search looks for at most this many words.
    public static let mostWords = 32

    private indirect enum Condition: Sendable {
        case all([Condition])
        case any([Condition])
        case not(Condition)
        case id(Identifier)
        case tail([UInt8])
        case isAbsent(Int)
        case text(Int, String)
        case equal(Int, FieldValue)
        /// A text's collation key; absent text has an empty one.
        case keyRange(Int, from: [UInt8]?, through: [UInt8]?)
        case range(Int, from: FieldValue?, through: FieldValue?)
        case contains(Int, [UInt8])
        case startsWith(Int, [UInt8])
        case search(SearchField, [String])
    }

    private let condition: Condition

    /// - Parameter filter: nil holds for every row.
    /// - Throws: `ListError.unanswerable` for an unknown field, a value of the wrong kind, or a filter too large.
    public init(_ filter: Filter?, _ schema: ListSchema, _ text: some TextForms) throws(ListError) {
        var compiler = Compiler(schema: schema, text: text)
        condition = try filter.map { (filter) throws(ListError) in try compiler.condition(filter, 0) } ?? .all([])
    }

    /// Whether the filter holds for the row.
    public func holds(_ row: RowValues) -> Bool { Self.holds(condition, row) }

    private static func holds(_ condition: Condition, _ row: RowValues) -> Bool {
        switch condition {
        case .all(let parts): parts.allSatisfy { holds($0, row) }
        case .any(let parts): parts.contains { holds($0, row) }
        case .not(let part): !holds(part, row)
        case .id(let id): row.id == id
        case .tail(let digits): endsWith(row.id, digits)
        case .isAbsent(let column): row[column] == .absent
        case .text(let column, let text):
            // By bytes: Swift's equality would find canonically equal texts, the store's doesn't.
            if case .text(let found, _, _) = row[column] { found.utf8.elementsEqual(text.utf8) } else { false }
        case .equal(let column, let value): row[column] == value
        case .keyRange(let column, let from, let through): isWithin(key(row[column]), from, through)
        case .range(let column, let from, let through): isWithin(row[column], from, through)
        case .contains(let column, let text): occurs(text, in: folded(row[column]))
        case .startsWith(let column, let text): folded(row[column]).utf8.starts(with: text)
        case .search(let field, let words):
            row.searched[field]?.contains { text in words.allSatisfy { begins(with: $0, text) } } ?? false
        }
    }

    /// Whether one of the words begins so.
    private static func begins(with sought: String, _ words: [String]) -> Bool {
        words.contains { $0.utf8.starts(with: sought.utf8) }
    }

    // MARK: One row

    private static func key(_ value: FieldValue) -> [UInt8] {
        if case .text(_, let key, _) = value { key } else { [] }
    }

    private static func folded(_ value: FieldValue) -> String {
        if case .text(_, _, let folded) = value { folded } else { "" }
    }

    private static func isWithin(_ key: [UInt8], _ from: [UInt8]?, _ through: [UInt8]?) -> Bool {
        if let from, key.lexicographicallyPrecedes(from) { return false }
        if let through, through.lexicographicallyPrecedes(key) { return false }
        return true
    }

    private static func isWithin(_ value: FieldValue, _ from: FieldValue?, _ through: FieldValue?) -> Bool {
        guard value != .absent else { return false }
        if let from, !(from <= value) { return false }
        if let through, !(value <= through) { return false }
        return true
    }

    /// Empty text occurs in every text.
    private static func occurs(_ needle: [UInt8], in text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard needle.count <= bytes.count else { return false }
            return (0...(bytes.count - needle.count)).contains { start in
                needle.indices.allSatisfy { bytes[start + $0] == needle[$0] }
            }
        }
    }

    /// Whether the id's last hexadecimal digits are these.
    private static func endsWith(_ id: Identifier, _ digits: [UInt8]) -> Bool {
        digits.reversed().enumerated().allSatisfy { place, digit in
            let half = place < 16 ? id.low >> UInt64(4 * place) : id.high >> UInt64(4 * (place - 16))
            return UInt8(truncatingIfNeeded: half) & 0xf == digit
        }
    }

    // MARK: Compiling

    private struct Compiler<Forms: TextForms> {
        let schema: ListSchema
        let text: Forms
        var values = 0

        mutating func condition(_ filter: Filter, _ depth: Int) throws(ListError) -> Condition {
            guard depth < deepestFilter, values < mostValues else {
                throw refused("filter", nil, "the filter is too large: at most 16 levels and 2,000 values")
            }
            switch filter {
            case .and(let parts): return .all(try conditions(parts, depth))
            case .or(let parts): return .any(try conditions(parts, depth))
            case .not(let part): return .not(try condition(part, depth + 1))
            case .equal("id", let value):
                guard case .id(let id) = value else { throw refused("id", nil, "an id is 16 bytes") }
                values += 1
                return .id(id)
            case .equal("tail", let value): return try tail(value)
            case .equal(let field, let value):
                let column = try schema.column(field, for: "filter")
                guard let value else { return .isAbsent(column.index) }
                let bound = try bound(value, field, column.kind)
                if case .text(let text, _, _) = bound { return .text(column.index, text) }
                return .equal(column.index, bound)
            case .range(let field, let from, let through):
                return try range(field, from, through)
            case .contains(let field, let text):
                return .contains(try searched(field), folded(text))
            case .startsWith(let field, let text):
                let start = folded(text)
                // SQLite's substr() ends at a NUL, so in the store no text starts with one that holds a NUL.
                return start.contains(0) ? .any([]) : .startsWith(try searched(field), start)
            case .search(let field, let text): return try search(field, text)
            }
        }

        private mutating func conditions(_ parts: [Filter], _ depth: Int) throws(ListError) -> [Condition] {
            var conditions: [Condition] = []
            for part in parts { conditions.append(try condition(part, depth + 1)) }
            return conditions
        }

        private mutating func range(
            _ field: String,
            _ from: FilterValue?,
            _ through: FilterValue?
        ) throws(ListError) -> Condition {
            let column = try schema.column(field, for: "filter")
            let lower = try from.map { (value) throws(ListError) in try bound(value, field, column.kind) }
            let upper = try through.map { (value) throws(ListError) in try bound(value, field, column.kind) }
            guard column.kind == .text else { return .range(column.index, from: lower, through: upper) }
            return .keyRange(column.index, from: lower.map(key), through: upper.map(key))
        }

        private mutating func search(_ field: String?, _ text: String) throws(ListError) -> Condition {
            let sought = field.map(SearchField.parts) ?? .record
            guard schema.searched.contains(sought) else {
                throw refused(
                    "filter",
                    field,
                    "lists of \(schema.name) can't be searched\(field.map { " in '\($0)'" } ?? "")"
                )
            }
            let words = self.text.words(text)
            guard words.count <= mostWords else {
                throw refused("filter", text, "a search looks for at most \(mostWords) words, not \(words.count)")
            }
            values += 1
            return words.isEmpty ? .all([]) : .search(sought, words)
        }

        private func searched(_ field: String) throws(ListError) -> Int {
            let column = try schema.column(field, for: "filter")
            guard column.kind == .text else {
                throw refused("filter", field, "'\(field)' is no text: it can't be searched, only compared")
            }
            return column.index
        }

        private mutating func folded(_ searched: String) -> [UInt8] {
            values += 1
            return Array(text.folded(searched).utf8)
        }

        private mutating func bound(
            _ value: FilterValue,
            _ field: String,
            _ kind: ListSchema.Kind
        ) throws(ListError) -> FieldValue {
            values += 1
            switch (value, kind) {
            case (.text(let given), .text):
                return .text(text.normalized(given), collationKey: text.collationKey(given), folded: "")
            case (.text(let given), .day):
                guard let day = CalendarDay(given) else {
                    throw refused(field, given, "'\(given)' is no day: write it as 2024-03-31")
                }
                return .day(day)
            case (.integer(let integer), .integer): return .integer(integer)
            case (.boolean(let flag), .boolean): return .boolean(flag)
            case (.id(let id), .id): return .id(id)
            default: throw refused("filter", field, "'\(field)' can't be compared with that value")
            }
        }

        private mutating func tail(_ value: FilterValue?) throws(ListError) -> Condition {
            guard case .text(let text) = value, (1...32).contains(text.utf8.count) else {
                throw refused("tail", nil, "the tail of an id is 1 to 32 hexadecimal digits")
            }
            var digits: [UInt8] = []
            for character in text {
                guard character.isASCII, let digit = character.hexDigitValue else {
                    throw refused("tail", text, "'\(text)' is no tail of an id: only hexadecimal digits are")
                }
                digits.append(UInt8(digit))
            }
            values += digits.count % 2 == 1 ? 16 : 1
            return .tail(digits)
        }

        private func refused(_ field: String, _ found: String?, _ reason: String) -> ListError {
            .unanswerable(field: field, found: found, reason: reason)
        }
    }
}

extension FieldValue {
    /// The store's order of two values of one kind; false for any others.
    fileprivate static func <= (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left <= right
        case (.boolean(let left), .boolean(let right)): !left || right
        case (.day(let left), .day(let right)): left <= right
        case (.id(let left), .id(let right)): left <= right
        default: false
        }
    }
}
