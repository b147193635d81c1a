internal import CSQLite
public import Messages

/// A row of a result, valid only within the closure that it is given to. Columns count from 0.
@safe public struct Row: ~Copyable {
    let statement: OpaquePointer

    /// Whether the column has no value.
    public func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// 0 for NULL.
    public func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(statement, column)
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
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    /// The column's bytes without a copy.
    public func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let bytes = unsafe sqlite3_column_blob(statement, column)
        let count = unsafe sqlite3_column_bytes(statement, column)
        return unsafe body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
}
