internal import CPostgreSQL

/// What a statement gave: all of its rows, in memory, freed with the value.
@safe struct PostgreSQLResult: ~Copyable {
    private let library: UnsafePointer<daybook_libpq>
    let handle: OpaquePointer?

    init(_ library: UnsafePointer<daybook_libpq>, _ handle: OpaquePointer?) {
        unsafe self.library = unsafe library
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe library.pointee.PQclear(handle)
    }

    var isSuccess: Bool {
        let status = unsafe library.pointee.PQresultStatus(handle)
        return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY
    }

    var count: Int32 { unsafe library.pointee.PQntuples(handle) }

    /// What was done, with its numbers: `INSERT 0 1`, `COMMIT`.
    var command: String {
        guard let text = unsafe library.pointee.PQcmdStatus(handle) else { return "" }
        return unsafe String(cString: text)
    }

    /// How many rows a statement changed; 0 for what changes none.
    var changed: Int {
        let command = command
        guard ["INSERT", "UPDATE", "DELETE"].contains(where: command.hasPrefix) else { return 0 }
        return command.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }

    /// The first column of a type that no row can be read in; nil where all are known.
    var foreignType: Oid? {
        let columns = unsafe library.pointee.PQnfields(handle)
        for column in 0..<columns {
            let type = unsafe library.pointee.PQftype(handle, column)
            if !LibPQ.DataType.all.contains(type) { return type }
        }
        return nil
    }

    /// The error's code of five letters (https://www.postgresql.org/docs/15/errcodes-appendix.html), and its sentence.
    var failure: (code: String, message: String) {
        (field(Int32(UInt8(ascii: "C"))), field(Int32(UInt8(ascii: "M"))))
    }

    private func field(_ code: Int32) -> String {
        guard let text = unsafe library.pointee.PQresultErrorField(handle, code) else { return "" }
        return unsafe String(cString: text)
    }
}
