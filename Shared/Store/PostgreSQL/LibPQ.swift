internal import CPostgreSQL

/// libpq, loaded when the first store on a server is opened: with the 24 libraries that it brings along it would add 5 ms
/// to every start of a program.
@safe enum LibPQ {
    nonisolated(unsafe) private static let loaded: UnsafePointer<daybook_libpq>? = unsafe daybook_libpq_load()

    /// - Throws: `.unavailable` where it is not installed.
    static func functions() throws(StoreError) -> UnsafePointer<daybook_libpq> {
        guard let functions = unsafe loaded else {
            throw .unavailable("libpq.so.5 is not installed; Debian's package is libpq5")
        }
        return unsafe functions
    }

    /// Those of a library that is loaded: a result of its own is there.
    static var known: UnsafePointer<daybook_libpq> { unsafe loaded.unsafelyUnwrapped }

    /// The types that columns and parameters have, by their number in `pg_type`.
    enum DataType {
        static let boolean: Oid = 16
        static let bytes: Oid = 17
        static let name: Oid = 19
        static let int8: Oid = 20
        static let int2: Oid = 21
        static let int4: Oid = 23
        static let text: Oid = 25
        static let oid: Oid = 26
        static let unknown: Oid = 705
        static let varchar: Oid = 1043

        static let numbers: [Oid] = [int8, int4, boolean, int2, oid]
        static let all = numbers + [text, bytes, name, unknown, varchar]
    }
}
