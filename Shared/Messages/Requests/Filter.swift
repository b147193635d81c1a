/// One key of a sort.
public struct SortKey: Codable, Hashable, Sendable {
    /// The field's name, or that of a related record's field: `customer.name`.
    public var field: String
    public var descending: Bool?

    public init(_ field: String, descending: Bool? = nil) {
        self.field = field
        self.descending = descending
    }
}

/// A value that a field is compared with.
public enum FilterValue: Hashable, Sendable, Codable {
    /// Text, and a calendar day as ISO 8601 text.
    case text(String)
    case integer(Int64)
    case boolean(Bool)
    case id(Identifier)

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else {
            self = .id(try container.decode(Identifier.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .id(let value): try container.encode(value)
        }
    }
}

/// Which records a list holds. On the wire a map with `op` and its operands.
public indirect enum Filter: Hashable, Sendable {
    /// The field has this value; nil means that it has none.
    case equal(String, FilterValue?)
    /// From `from` up to and including `through`; a side that is nil is open.
    case range(String, from: FilterValue?, through: FilterValue?)
    /// The text occurs in the field, case and accents aside.
    case contains(String, String)
    /// The field starts with the text, case and accents aside.
    case startsWith(String, String)
    /// Each word of the text begins some word of what is searched in a record, case and accents aside; with a field, of
    /// one of the record's parts: `ingredients`. A text without words holds for all.
    case search(String?, String)
    case and([Filter])
    case or([Filter])
    case not(Filter)
}

extension Filter {
    /// Whether it searches, itself or in a part.
    public var isSearching: Bool {
        switch self {
        case .search: true
        case .and(let filters), .or(let filters): filters.contains(where: \.isSearching)
        case .not(let filter): filter.isSearching
        case .equal, .range, .contains, .startsWith: false
        }
    }
}

extension Filter: Codable {
    private enum Key: String, CodingKey {
        case op
        case field
        case value
        case from
        case through
        case filters
    }

    private enum Operator: String, Codable {
        case equal = "="
        case range
        case contains
        case startsWith = "starts-with"
        case search
        case and
        case or
        case not
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func field() throws -> String { try container.decode(String.self, forKey: .field) }
        switch try container.decode(Operator.self, forKey: .op) {
        case .equal:
            self = .equal(try field(), try container.decodeIfPresent(FilterValue.self, forKey: .value))
        case .range:
            self = .range(
                try field(),
                from: try container.decodeIfPresent(FilterValue.self, forKey: .from),
                through: try container.decodeIfPresent(FilterValue.self, forKey: .through)
            )
        case .contains:
            self = .contains(try field(), try container.decode(String.self, forKey: .value))
        case .startsWith:
            self = .startsWith(try field(), try container.decode(String.self, forKey: .value))
        case .search:
            self = .search(
                try container.decodeIfPresent(String.self, forKey: .field),
                try container.decode(String.self, forKey: .value)
            )
        case .and:
            self = .and(try container.decode([Filter].self, forKey: .filters))
        case .or:
            self = .or(try container.decode([Filter].self, forKey: .filters))
        case .not:
            let filters = try container.decode([Filter].self, forKey: .filters)
            guard filters.count == 1 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .filters,
                    in: container,
                    debugDescription: "not takes one filter, found \(filters.count)"
                )
            }
            self = .not(filters[0])
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .equal(let field, let value):
            try container.encode(Operator.equal, forKey: .op)
            try container.encode(field, forKey: .field)
            try container.encodeIfPresent(value, forKey: .value)
        case .range(let field, let from, let through):
            try container.encode(Operator.range, forKey: .op)
            try container.encode(field, forKey: .field)
            try container.encodeIfPresent(from, forKey: .from)
            try container.encodeIfPresent(through, forKey: .through)
        case .contains(let field, let text):
            try container.encode(Operator.contains, forKey: .op)
            try container.encode(field, forKey: .field)
            try container.encode(text, forKey: .value)
        case .startsWith(let field, let text):
            try container.encode(Operator.startsWith, forKey: .op)
            try container.encode(field, forKey: .field)
            try container.encode(text, forKey: .value)
        case .search(let field, let text):
            try container.encode(Operator.search, forKey: .op)
            try container.encodeIfPresent(field, forKey: .field)
            try container.encode(text, forKey: .value)
        case .and(let filters):
            try container.encode(Operator.and, forKey: .op)
            try container.encode(filters, forKey: .filters)
        case .or(let filters):
            try container.encode(Operator.or, forKey: .op)
            try container.encode(filters, forKey: .filters)
        case .not(let filter):
            try container.encode(Operator.not, forKey: .op)
            try container.encode([filter], forKey: .filters)
        }
    }
}
