/// Stores a record: creates it where its version is 0, changes it otherwise.
///
/// The record's version is the one that the edit was based on. Fields that nobody else changed since
/// are merged; a field changed on both sides is a conflict. Equal values make no event.
public struct Put<R: Record>: Request {
    public typealias Reply = R
    public static var operation: String { "\(R.entity).put" }
    public static var kind: RequestKind { .command }
    public static var service: ServiceName? { R.service }

    public var record: R

    public init(_ record: R) {
        self.record = record
    }
}

/// Deletes a record, and answers with what it was.
public struct Delete<R: Record>: Request {
    public typealias Reply = R
    public static var operation: String { "\(R.entity).delete" }
    public static var kind: RequestKind { .command }
    public static var service: ServiceName? { R.service }

    public var id: Identifier
    /// The version that was seen; where it is given, a record changed since is a conflict.
    public var version: Int?
    /// Deletes also what others refer to; their references are cleared.
    public var force: Bool?

    public init(id: Identifier, version: Int? = nil, force: Bool? = nil) {
        self.id = id
        self.version = version
        self.force = force
    }
}

/// Reads one record by its id.
public struct Get<R: Record>: Request {
    public typealias Reply = R
    public static var operation: String { "\(R.entity).get" }
    public static var kind: RequestKind { .query }
    public static var service: ServiceName? { R.service }

    public var id: Identifier

    public init(id: Identifier) {
        self.id = id
    }
}

/// Reads a page of records, or of their parts.
///
/// Every sort ends with the id, so that the order is total; pages follow one another by a cursor and
/// never repeat or skip a record that stays.
public struct List<R: Listed>: Request {
    public typealias Reply = Page<R>
    public static var operation: String { "\(R.entity).list" }
    public static var kind: RequestKind { .query }
    public static var service: ServiceName? { R.service }

    /// A list as of a moment reads what has changed since.
    public var kind: RequestKind { asOf == nil ? .query : .scan }

    /// A page of so many rows is read in no time: the first of a long list.
    public static var shortPage: Int { 100 }
    /// The most rows of a page.
    public static var longestPage: Int { 10_000 }

    public var filter: Filter?
    /// Empty or nil for the entity's own order.
    public var sort: [SortKey]?
    /// The `next` of the page before; nil for the first page.
    public var after: [UInt8]?
    /// From 1 to `longestPage`; 50 where it is absent.
    public var limit: Int?
    /// What the list was then, read on a reader thread; the same for all pages. nil for what it is.
    public var asOf: AsOf?

    public init(
        filter: Filter? = nil,
        sort: [SortKey]? = nil,
        after: [UInt8]? = nil,
        limit: Int? = nil,
        asOf: AsOf? = nil
    ) {
        self.filter = filter
        self.sort = sort
        self.after = after
        self.limit = limit
        self.asOf = asOf
    }
}

/// A page of records.
public struct Page<R: Codable & Sendable>: Codable, Sendable {
    public var rows: [R]
    /// Opaque; given back as `after` it continues behind the last row. Absent on the last page.
    public var next: [UInt8]?
    /// Which events count, in a list as of a moment.
    public var asOf: AsOf.Listed?

    public init(rows: [R], next: [UInt8]?, asOf: AsOf.Listed? = nil) {
        self.rows = rows
        self.next = next
        self.asOf = asOf
    }
}
