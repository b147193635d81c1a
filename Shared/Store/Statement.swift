internal import CSQLite
internal import Messages

/// A prepared statement, kept for the life of its connection.
///
/// SQLite takes `$1` for a name, not a number: parameters are bound through their names, so that one text
/// means the same to it and to PostgreSQL.
@safe final class Statement {
    let handle: OpaquePointer
    /// SQLite's index of `$1`, `$2`, …; 0 where the text does not use it.
    private let indexes: [Int32]
    /// Whether it is being stepped: a second use meanwhile needs a statement of its own.
    var isActive = false

    init(handle: OpaquePointer) {
        unsafe self.handle = handle
        let count = unsafe sqlite3_bind_parameter_count(handle)
        var highest = 0
        var byNumber: [Int: Int32] = [:]
        for index in 0..<count {
            guard let name = unsafe sqlite3_bind_parameter_name(handle, index + 1) else { continue }
            let text = unsafe String(cString: name)
            guard text.first == "$", let number = Int(text.dropFirst()) else { continue }
            byNumber[number] = index + 1
            highest = max(highest, number)
        }
        indexes = highest == 0 ? [] : (1...highest).map { byNumber[$0] ?? 0 }
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    var parameterCount: Int { indexes.count }

    /// Binds the values to `$1`, `$2`, …; the bytes are copied.
    func bind(_ values: [Value]) -> Int32 {
        for (position, value) in values.enumerated() {
            let index = indexes[position]
            guard index > 0 else { continue }
            let code: Int32
            switch value {
            case .null:
                code = unsafe sqlite3_bind_null(handle, index)
            case .integer(let integer):
                code = unsafe sqlite3_bind_int64(handle, index, integer)
            case .text(let text):
                var text = text
                code = text.withUTF8 { bytes in
                    unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                        unsafe daybook_sqlite_bind_text(handle, index, characters.baseAddress, Int32(characters.count))
                    }
                }
            case .blob(let bytes):
                code =
                    bytes.isEmpty
                    ? unsafe sqlite3_bind_zeroblob(handle, index, 0)
                    : unsafe bytes.withUnsafeBytes { buffer in
                        unsafe daybook_sqlite_bind_blob(handle, index, buffer.baseAddress, Int32(buffer.count))
                    }
            case .id(let id):
                code = unsafe id.withUnsafeBytes { buffer in
                    unsafe daybook_sqlite_bind_blob(handle, index, buffer.baseAddress, Int32(buffer.count))
                }
            }
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
        isActive = false
    }
}
