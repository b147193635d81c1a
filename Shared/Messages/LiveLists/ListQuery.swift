public import CBOR

/// What a live list shows: the records of an entity or the rows of a report, filtered, sorted, in sections, cut to a
/// window.
///
/// Equal queries share one list; ``normalized`` brings those that mean the same to one form.
public struct ListQuery: Hashable, Sendable {
    /// Where the rows come from.
    public enum Source: Hashable, Sendable {
        /// The records of an entity: `order`.
        case entity(String)
        /// The rows of a report: `unpaid`.
        case report(String)
    }

    /// What rows are put together by. It is the first sort key, whether or not the sort names it.
    public struct Section: Codable, Hashable, Sendable {
        /// How a section's key is made of the field's value.
        public enum Form: String, Codable, Hashable, Sendable, CaseIterable {
            /// A day's month: `2024-03`.
            case month
            /// A day's year: `2024`.
            case year
            /// The first letter of a text, case and accents aside.
            case letter
        }

        /// The field's name, or that of a related record's field.
        public var field: String
        /// nil for the value as it is.
        public var by: Form?
        public var descending: Bool?

        public init(_ field: String, by form: Form? = nil, descending: Bool? = nil) {
            self.field = field
            self.by = form
            self.descending = descending
        }
    }

    public var source: Source
    /// What the report's request asks for, where its rows depend on that: the body of `report.totals`. nil for entities.
    public var parameters: EncodedCBOR?
    public var filter: Filter?
    /// Empty or nil for the source's own order. The id always comes last.
    public var sort: [SortKey]?
    /// nil for one section whose key is null.
    public var section: Section?
    /// nil for all rows.
    public var window: ListWindow?

    public init(
        _ source: Source,
        parameters: EncodedCBOR? = nil,
        filter: Filter? = nil,
        sort: [SortKey]? = nil,
        section: Section? = nil,
        window: ListWindow? = nil
    ) {
        self.source = source
        self.parameters = parameters
        self.filter = filter
        self.sort = sort
        self.section = section
        self.window = window
    }

    /// The same list, told without defaults: `descending: false`, an empty sort, a window of everything.
    public var normalized: ListQuery {
        var query = self
        query.sort = sort.flatMap { keys in
            keys.isEmpty ? nil : keys.map { SortKey($0.field, descending: $0.descending == true ? true : nil) }
        }
        if query.section?.descending == false { query.section?.descending = nil }
        if query.window == .all { query.window = nil }
        return query
    }
}

/// A cut out of an ordered list, in rows.
public struct ListWindow: Hashable, Sendable {
    /// Rows passed over, 0 or more.
    public var offset: Int
    /// The most rows, 0 or more; nil for all behind the offset.
    public var limit: Int?

    public init(offset: Int = 0, limit: Int? = nil) {
        self.offset = offset
        self.limit = limit
    }

    public static let all = ListWindow()

    /// What is visible of a list of `count` rows. Below 0 counts as 0.
    public func range(in count: Int) -> Range<Int> {
        let start = min(max(offset, 0), count)
        return start..<(start + min(max(limit ?? count, 0), count - start))
    }
}

extension ListQuery: Codable {
    private enum Key: String, CodingKey {
        case entity
        case report
        case parameters
        case filter
        case sort
        case section
        case window
    }

    /// - Throws: `DecodingError` unless there is exactly one of `entity` and `report`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let entity = try container.decodeIfPresent(String.self, forKey: .entity)
        let report = try container.decodeIfPresent(String.self, forKey: .report)
        switch (entity, report) {
        case (let entity?, nil): source = .entity(entity)
        case (nil, let report?): source = .report(report)
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .entity,
                in: container,
                debugDescription: "a list is of one entity or one report"
            )
        }
        parameters = try container.decodeIfPresent(EncodedCBOR.self, forKey: .parameters)
        filter = try container.decodeIfPresent(Filter.self, forKey: .filter)
        sort = try container.decodeIfPresent([SortKey].self, forKey: .sort)
        section = try container.decodeIfPresent(Section.self, forKey: .section)
        window = try container.decodeIfPresent(ListWindow.self, forKey: .window)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch source {
        case .entity(let name): try container.encode(name, forKey: .entity)
        case .report(let name): try container.encode(name, forKey: .report)
        }
        try container.encodeIfPresent(parameters, forKey: .parameters)
        try container.encodeIfPresent(filter, forKey: .filter)
        try container.encodeIfPresent(sort, forKey: .sort)
        try container.encodeIfPresent(section, forKey: .section)
        try container.encodeIfPresent(window, forKey: .window)
    }
}

extension ListWindow: Codable {
    private enum Key: String, CodingKey {
        case offset
        case limit
    }

    /// - Throws: `DecodingError` for a number below 0.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        offset = try container.decodeIfPresent(Int.self, forKey: .offset) ?? 0
        limit = try container.decodeIfPresent(Int.self, forKey: .limit)
        guard offset >= 0, limit ?? 0 >= 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: offset < 0 ? .offset : .limit,
                in: container,
                debugDescription: "a window counts rows from 0"
            )
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if offset != 0 { try container.encode(offset, forKey: .offset) }
        try container.encodeIfPresent(limit, forKey: .limit)
    }
}
