internal import CPostgreSQL
internal import CSQLite
public import Messages

/// A row of a result, valid only within the closure that it is given to. Columns count from 0.
@safe public struct Row: ~Copyable {
    /// SQLite's statement, which stands at the row; a result of PostgreSQL's where there is a place.
    private let handle: OpaquePointer?
    /// Which row of PostgreSQL's result it is; -1 for SQLite.
    private let place: Int32

    init(statement: OpaquePointer) {
        unsafe handle = statement
        place = -1
    }

    init(handle: OpaquePointer?, place: Int32) {
        unsafe self.handle = unsafe handle
        self.place = place
    }

    /// Whether the column has no value.
    public func isNull(_ column: Int32) -> Bool {
        if place >= 0 { return unsafe LibPQ.known.pointee.PQgetisnull(handle, place, column) == 1 }
        return unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// 0 for NULL.
    public func integer(_ column: Int32) -> Int64 {
        if place >= 0 { return numberOfServer(column) }
        return unsafe sqlite3_column_int64(handle, column)
    }

    /// nil for NULL.
    public func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    /// False for NULL and 0.
    public func boolean(_ column: Int32) -> Bool {
        integer(column) != 0
    }

    /// An unsigned number that was bound as ``Value/bits(_:)``.
    public func bits(_ column: Int32) -> UInt64 {
        UInt64(bitPattern: integer(column))
    }

    /// Empty for NULL.
    public func text(_ column: Int32) -> String {
        unsafe withBytes(column) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// nil for NULL.
    public func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    /// A copy of the column's bytes; empty for NULL.
    public func blob(_ column: Int32) -> [UInt8] {
        unsafe withBytes(column) { unsafe Array($0) }
    }

    /// The identifier in 16 bytes; nil for NULL and for any other length.
    public func id(_ column: Int32) -> Identifier? {
        unsafe withBytes(column) { unsafe Identifier(bytes: $0) }
    }

    /// The column as it can be bound again: for the keys of a page's last row.
    public func value(_ column: Int32) -> Value {
        if place >= 0 { return valueOfServer(column) }
        return switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    /// The column's bytes without a copy.
    public func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if place >= 0 { return unsafe body(bytesOfServer(column)) }
        let bytes = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe sqlite3_column_bytes(handle, column)
        return unsafe body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    // MARK: Of a server

    private func bytesOfServer(_ column: Int32) -> UnsafeRawBufferPointer {
        let library = unsafe LibPQ.known
        let count = unsafe library.pointee.PQgetlength(handle, place, column)
        return unsafe UnsafeRawBufferPointer(
            start: library.pointee.PQgetvalue(handle, place, column),
            count: Int(count)
        )
    }

    /// A number of 1, 2, 4 or 8 bytes, the most significant first; 0 for everything else.
    private func numberOfServer(_ column: Int32) -> Int64 {
        let type = unsafe LibPQ.known.pointee.PQftype(handle, column)
        let bytes = unsafe bytesOfServer(column)
        guard LibPQ.DataType.numbers.contains(type), let first = unsafe bytes.first else { return 0 }
        // An `oid` has no sign, and neither has false or true.
        let isNegative = first >= 0x80 && type != LibPQ.DataType.oid
        return unsafe bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    private func valueOfServer(_ column: Int32) -> Value {
        if isNull(column) { return .null }
        return switch unsafe LibPQ.known.pointee.PQftype(handle, column) {
        case let type where LibPQ.DataType.numbers.contains(type): .integer(integer(column))
        case LibPQ.DataType.bytes: .blob(blob(column))
        default: .text(text(column))
        }
    }
}
