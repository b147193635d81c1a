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

    /// Where the bytes lie that are bound: each run copies its own into it.
    private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// More than this is freed after the run.
    private static let mostKept = 64 << 10

    deinit {
        unsafe sqlite3_finalize(handle)
        unsafe memory.deallocate()
    }

    var parameterCount: Int { indexes.count }

    /// Binds the values to `$1`, `$2`, …; the bytes are copied.
    func bind(_ values: [Value]) -> Int32 {
        var needed = 0
        for value in values {
            switch value {
            case .null, .integer: break
            case .text(let text): needed += text.utf8.count
            case .blob(let bytes): needed += bytes.count
            case .id: needed += 16
            }
        }
        if unsafe needed > memory.count {
            unsafe memory.deallocate()
            unsafe memory = .allocate(byteCount: max(needed, 256), alignment: 1)
        }
        var used = 0
        for (position, value) in values.enumerated() {
            let index = indexes[position]
            guard index > 0 else { continue }
            let code: Int32
            switch value {
            case .null: code = unsafe sqlite3_bind_null(handle, index)
            case .integer(let integer): code = unsafe sqlite3_bind_int64(handle, index, integer)
            case .text(var text):
                code = text.withUTF8 { bytes in
                    let place = unsafe keep(UnsafeRawBufferPointer(bytes), at: &used)
                    let start = unsafe place.baseAddress?.assumingMemoryBound(to: CChar.self)
                    return unsafe daybook_sqlite_lend_text(handle, index, start, Int32(place.count))
                }
            case .blob(let bytes):
                code = unsafe bytes.withUnsafeBytes { bytes in
                    let place = unsafe keep(bytes, at: &used)
                    return unsafe daybook_sqlite_lend_blob(handle, index, place.baseAddress, Int32(place.count))
                }
            case .id(let id):
                code = unsafe id.withUnsafeBytes { bytes in
                    let place = unsafe keep(bytes, at: &used)
                    return unsafe daybook_sqlite_lend_blob(handle, index, place.baseAddress, Int32(place.count))
                }
            }
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    /// Copies the bytes behind what is in `memory` already.
    private func keep(_ bytes: UnsafeRawBufferPointer, at used: inout Int) -> UnsafeRawBufferPointer {
        guard unsafe !bytes.isEmpty else { return unsafe UnsafeRawBufferPointer(start: memory.baseAddress, count: 0) }
        let place = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[used..<used + bytes.count])
        unsafe place.copyMemory(from: bytes)
        used += bytes.count
        return UnsafeRawBufferPointer(place)
    }

    /// Ends a run. What was bound stays, and is bound anew before the next.
    func reset() {
        unsafe sqlite3_reset(handle)
        if unsafe memory.count > Self.mostKept {
            unsafe sqlite3_clear_bindings(handle)
            unsafe memory.deallocate()
            unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        }
        isActive = false
    }
}
