internal import CBOR
internal import Messages
internal import Store

/// A table of a service's own that an archive holds beside its records and its log: what doesn't follow from these.
public struct ArchivedTable: Sendable {
    /// When an archive reads it.
    public enum Moment: Sendable {
        /// Before the log's end, so that it has nothing of what the log doesn't tell yet.
        case beforeLog
        /// Behind the log's end, so that it has all that the log tells of.
        case behindLog
        /// Not at all: an archive gets it in another way.
        case never
    }

    let name: String
    /// The bytes that each row has of its own, and pages go by.
    let key: String
    let columns: [String]
    let moment: Moment

    /// - Parameters:
    ///   - key: a column of bytes that each row has of its own.
    ///   - columns: all of them, the key too.
    public init(_ name: String, key: String, columns: [String], read moment: Moment) {
        self.name = name
        self.key = key
        self.columns = columns
        self.moment = moment
    }

    private var list: String { columns.map { "\"\($0)\"" }.joined(separator: ", ") }

    func page(_ page: inout ArchivePage, _ session: Session) throws(StoreError) {
        try session.query(
            "SELECT \"\(key)\", \(list) FROM \"\(name)\" WHERE \"\(key)\" > $1 ORDER BY \"\(key)\" LIMIT $2",
            .blob(page.after ?? []),
            .integer(page.rowsToRead)
        ) { row in
            var writer = CBORWriter()
            let values = columns.indices.map { row.value(Int32($0) + 1) }
            let known = zip(columns, values).filter { $0.1 != .null }
            writer.mapHead(known.count)
            for (column, value) in known {
                writer.text(column)
                switch value {
                case .integer(let integer): writer.int(integer)
                case .text(let text): writer.text(text)
                case .blob(let bytes): writer.byteString(bytes)
                case .id, .null: break
                }
            }
            page.add(EncodedCBOR(trusted: writer.bytes), key: row.blob(0))
        }
    }

    /// Writes a row of an archive.
    func insert(_ row: [UInt8], _ transaction: Transaction) throws(ServiceError) {
        let value: CBORValue
        do throws(CBORError) {
            value = try CBORReader.withBytes(row) { (reader) throws(CBORError) in try CBORValue(from: &reader) }
        } catch {
            throw .invalid(field: "rows", "a row of \(name) can't be read: \(error)")
        }
        var values: [Value] = []
        for column in columns {
            switch value[column] {
            case nil: values.append(.null)
            case .unsigned(let number) where number <= UInt64(Int64.max): values.append(.integer(Int64(number)))
            case .negative(let magnitude) where magnitude <= UInt64(Int64.max):
                values.append(.integer(-1 - Int64(magnitude)))
            case .text(let text): values.append(.text(text))
            case .bytes(let bytes): values.append(.blob(bytes))
            default: throw .invalid(field: "rows", "a row of \(name) has a \(column) that is no value of a table")
            }
        }
        let parameters = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        try storing { () throws(StoreError) in
            try transaction.session.execute(
                "INSERT INTO \"\(name)\" (\(list)) VALUES (\(parameters)) ON CONFLICT DO NOTHING",
                values
            )
        }
    }
}

/// A page of a part while it is filled.
struct ArchivePage {
    static let mostRows = 1000

    /// Where it starts.
    let after: [UInt8]?
    let limit: Int
    private(set) var rows: [EncodedCBOR] = []
    /// Where the next one starts; nil where there is none.
    private(set) var next: [UInt8]?
    private var bytes = 0
    private var last: [UInt8]?

    init(after: [UInt8]?, limit: Int?) {
        self.after = after
        self.limit = min(max(limit ?? Self.mostRows, 1), Self.mostRows)
    }

    /// Takes a page that was read in another way.
    mutating func fill(_ rows: [EncodedCBOR], next: [UInt8]?) {
        self.rows = rows
        self.next = next
    }

    /// One more than it takes: whether there are more.
    var rowsToRead: Int64 { Int64(limit) + 1 }

    /// Takes a row, unless it is full.
    ///
    /// - Parameter key: what the next page is to begin behind.
    mutating func add(_ row: EncodedCBOR, key: @autoclosure () -> [UInt8]) {
        guard next == nil else { return }
        if rows.count == limit || bytes + row.bytes.count > EventReader.mostBytes && !rows.isEmpty {
            next = last
            return
        }
        bytes += row.bytes.count
        rows.append(row)
        last = key()
    }
}
