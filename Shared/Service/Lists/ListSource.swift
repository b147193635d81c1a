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

    /// How the rows are read.
    struct Reader: Sendable {
        /// The row as it is now; nil where there is none.
        let row: @Sendable (TouchedRow, Session) throws(ServiceError) -> Row?
        /// All rows that the filter holds for, perhaps others too, in any order.
        let rows: @Sendable (Filter?, Session, (Row) -> Void) throws(ServiceError) -> Void
    }

    /// What a query names it by.
    let name: ListQuery.Source
    let schema: ListSchema
    /// The order of a list that asks for none.
    let sort: [SortKey]
    /// Reads the rows of a query with these parameters.
    let reader: @Sendable (EncodedCBOR?) throws(ServiceError) -> Reader

    /// A report whose rows depend on what its request asks for.
    ///
    /// - Parameters:
    ///   - standard: what is asked for where a query has no parameters; nil where it must have some.
    ///   - check: refuses what can't be asked for.
    ///   - row: the row that was touched, by its key or id; nil where there is none.
    public init<R: Request>(
        report name: String,
        of request: R.Type,
        otherwise standard: R? = nil,
        columns: [ListSchema.Column],
        sort: [SortKey],
        check: @escaping @Sendable (R) throws(ServiceError) -> Void,
        row: @escaping @Sendable (R, TouchedRow, Session) throws(ServiceError) -> Row?,
        rows: @escaping @Sendable (R, Session, (Row) -> Void) throws(ServiceError) -> Void
    ) {
        self.name = .report(name)
        schema = ListSchema(name, columns)
        self.sort = sort
        reader = { (parameters) throws(ServiceError) in
            let given = try parameters.map { (body) throws(ServiceError) in try decodeRequest(R.self, body.bytes) }
            guard let request = given ?? standard else {
                throw .invalid(field: "parameters", "a list of \(name) needs parameters: the body of \(R.operation)")
            }
            try check(request)
            return Reader(
                row: { (touched, session) throws(ServiceError) in try row(request, touched, session) },
                rows: { (_, session, each) throws(ServiceError) in try rows(request, session, each) }
            )
        }
    }

    private static func only(
        _ reader: Reader
    ) -> @Sendable (EncodedCBOR?) throws(ServiceError) -> Reader {
        { (parameters) throws(ServiceError) in
            guard parameters == nil else { throw .invalid(field: "parameters", "this list has no parameters") }
            return reader
        }
    }

    init<Listing: Listed>(_ table: ListedTable<Listing>) {
        let columns = table.columns.filter(\.isQueried)
        name = .entity(Listing.entity)
        schema = ListSchema(
            Listing.entity,
            columns.map { ListSchema.Column($0.field, $0.listKind) },
            searched: table.searchFields
        )
        sort = table.sort
        let make: @Sendable ([UInt8], Bool) throws(ServiceError) -> Row = { (body, isSearched) throws(ServiceError) in
            let row = try decodeStored(Listing.self, body)
            let values = RowValues(
                id: row.id,
                columns.map { $0.fieldValue(of: row) },
                searched: isSearched ? table.searchedWords(of: row) : [:]
            )
            return (values, EncodedCBOR(trusted: body))
        }
        reader = ListSource.only(
            Reader(
                row: { (row, session) throws(ServiceError) in
                    let body = try storing { () throws(StoreError) in try table.body(row.id, session) }
                    return try body.map { (body) throws(ServiceError) in try make(body, true) }
                },
                rows: { (filter, session, each) throws(ServiceError) in
                    let isSearched = filter?.isSearching ?? false
                    try RecordList.each(filter, table, session) { (body) throws(ServiceError) in
                        each(try make(body, isSearched))
                    }
                }
            )
        )
    }
}

/// A row of live lists that may have changed.
public struct TouchedRow: Hashable, Sendable {
    public let id: Identifier
    /// What a report finds the row by, where the id does not do.
    public let key: String?

    public init(_ id: Identifier) {
        self.id = id
        key = nil
    }

    /// A row that has no id of its own: it is made of the key.
    public init(key: String) {
        let halves = ["1", "2"].map { half in
            var digest = Digest()
            digest.add(half)
            digest.add(key)
            return digest.value
        }
        id = Identifier(high: halves[0], low: halves[1])
        self.key = key
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
    func words(_ text: String) -> [String] { SearchWords.words(of: text) }
}
