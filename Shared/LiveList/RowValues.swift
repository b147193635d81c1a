public import Messages

/// What a row is filtered and ordered by: its fields' values, in the order of a ``ListSchema``.
///
/// Made once for each change of a record, and then asked by every list.
public struct RowValues: Hashable, Sendable {
    public var id: Identifier
    public var values: [FieldValue]
    /// What full-text search looks through, needed where a filter is searching: the words of the record, and of each of its parts.
    public var searched: [SearchField: [[String]]]

    public init(id: Identifier, _ values: [FieldValue], searched: [SearchField: [[String]]] = [:]) {
        self.id = id
        self.values = values
        self.searched = searched
    }

    /// The value of a column of the schema; absent beyond the last.
    public subscript(column: Int) -> FieldValue { values.indices.contains(column) ? values[column] : .absent }
}

/// A field's value, with what is stored beside it.
public enum FieldValue: Hashable, Sendable {
    case absent
    /// Text, its collation key, and its folded form for searching.
    case text(String, collationKey: [UInt8], folded: String)
    case integer(Int64)
    case boolean(Bool)
    case day(CalendarDay)
    case id(Identifier)
}

/// The fields that a list can be filtered and sorted by, those of related records among them. The id always can.
public struct ListSchema: Hashable, Sendable {
    /// What a field's values are.
    public enum Kind: Hashable, Sendable {
        case text
        case integer
        case boolean
        case day
        case id
    }

    /// A field and what its values are.
    public struct Column: Hashable, Sendable {
        /// `name`, `customer.name`.
        public var field: String
        public var kind: Kind

        public init(_ field: String, _ kind: Kind) {
            self.field = field
            self.kind = kind
        }
    }

    /// What the rows are, for messages: `customer`.
    public var name: String
    public var columns: [Column]
    /// What full-text search can look through.
    public var searched: Set<SearchField>

    public init(_ name: String, _ columns: [Column], searched: Set<SearchField> = []) {
        self.name = name
        self.columns = columns
        self.searched = searched
    }

    /// - Throws: `ListError.unanswerable` for a field that the rows don't have.
    func column(_ field: String, for part: String) throws(ListError) -> (index: Int, kind: Kind) {
        guard let index = columns.firstIndex(where: { $0.field == field }) else {
            let known = (["id", "tail"] + columns.map(\.field)).joined(separator: ", ")
            throw .unanswerable(
                field: part,
                found: field,
                reason: "lists of \(name) know no field '\(field)': they know \(known)"
            )
        }
        return (index, columns[index].kind)
    }
}

/// What a full-text search looks through.
public enum SearchField: Hashable, Sendable {
    /// The texts of a record together.
    case record
    /// Each of a record's parts by itself: `ingredients`.
    case parts(String)
}

/// How a query's texts are brought into the forms that rows have. `LiveList` itself knows no Unicode tables.
public protocol TextForms: Sendable {
    /// As it is stored and compared for equality.
    func normalized(_ text: String) -> String
    /// As it is searched.
    func folded(_ text: String) -> String
    /// As it is ordered by.
    func collationKey(_ text: String) -> [UInt8]
    /// The words that full-text search looks for, folded.
    func words(_ text: String) -> [String]
}
