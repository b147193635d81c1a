public import CBOR
public import LiveList
public import Messages
public import Store
internal import Text

/// What live lists are made of: the records of an entity or their parts, or the rows of a report.
///
/// A row is what it is filtered and ordered by, and how it is encoded. Both have to be made from the store alone, so
/// that a list that follows the changes equals one that is built now.
public struct ListSource: Sendable {
    public typealias Row = (values: RowValues, encoding: EncodedCBOR)

    /// What a query names it by.
    let name: ListQuery.Source
    let schema: ListSchema
    /// The order of a list that asks for none.
    let sort: [SortKey]
    /// The row of this id as it is now; nil where there is none.
    let row: @Sendable (Identifier, Session) throws(ServiceError) -> Row?
    /// All rows that the filter holds for, perhaps others too, in any order.
    let rows: @Sendable (Filter?, Session, (Row) -> Void) throws(ServiceError) -> Void

    public init(
        report name: String,
        columns: [ListSchema.Column],
        sort: [SortKey],
        row: @escaping @Sendable (Identifier, Session) throws(ServiceError) -> Row?,
        rows: @escaping @Sendable (Session, (Row) -> Void) throws(ServiceError) -> Void
    ) {
        self.name = .report(name)
        self.schema = ListSchema(name, columns)
        self.sort = sort
        self.row = row
        self.rows = { (_, session, each) throws(ServiceError) in try rows(session, each) }
    }

    init<Listing: Listed>(_ table: ListedTable<Listing>) {
        let columns = table.columns.filter(\.isQueried)
        name = .entity(Listing.entity)
        schema = ListSchema(Listing.entity, columns.map { ListSchema.Column($0.field, $0.listKind) })
        sort = table.sort
        let make: @Sendable ([UInt8]) throws(ServiceError) -> Row = { (body) throws(ServiceError) in
            let row = try decodeStored(Listing.self, body)
            let values = RowValues(id: row.id, columns.map { $0.fieldValue(of: row) })
            return (values, EncodedCBOR(trusted: body))
        }
        row = { (id, session) throws(ServiceError) in
            guard let body = try storing({ () throws(StoreError) in try table.body(id, session) }) else { return nil }
            return try make(body)
        }
        rows = { (filter, session, each) throws(ServiceError) in
            try RecordList.each(filter, table, session) { (body) throws(ServiceError) in each(try make(body)) }
        }
    }
}

/// A report's row as live lists tell it.
public func encodedRow(_ row: some Encodable) throws(ServiceError) -> EncodedCBOR {
    EncodedCBOR(trusted: try encoded(row))
}

extension FieldValue {
    /// Text with what is stored beside it.
    public static func text(of text: String?) -> FieldValue {
        guard let text else { return .absent }
        return .text(text, collationKey: Collation.sortKey(text), folded: TextNormalizer.folded(text))
    }
}

extension Column {
    var listKind: ListSchema.Kind {
        switch kind {
        case .text: .text
        case .integer: .integer
        case .boolean: .boolean
        case .day: .day
        case .id: .id
        }
    }

    /// The field's value as live lists compare it: the same as the store's columns hold.
    func fieldValue(of record: R) -> FieldValue {
        switch (value(record), kind) {
        case (.text(let text), .text): .text(of: text)
        case (.text(let text), .day): CalendarDay(text).map(FieldValue.day) ?? .absent
        case (.integer(let integer), .boolean): .boolean(integer != 0)
        case (.integer(let integer), _): .integer(integer)
        case (.id(let id), _): .id(id)
        default: .absent
        }
    }
}

/// How texts of a query are brought into the forms that rows have.
struct StoredForms: TextForms {
    func normalized(_ text: String) -> String { TextNormalizer.normalized(text) }
    func folded(_ text: String) -> String { TextNormalizer.folded(text) }
    func collationKey(_ text: String) -> [UInt8] { Collation.sortKey(text) }
}
