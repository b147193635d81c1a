internal import Store

/// What is left to do until no file of the store holds what was erased.
///
/// The transaction of an erasure overwrites what can be read; what was there before is still in the write-ahead log and in
/// gaps of the file's pages. That it is to be done is kept in the store, so that it is not forgotten by a crash.
enum Erasing {
    case rewriting
    /// Rewritten; the write-ahead log is to be cut.
    case cutting

    /// How often something was erased: what was made of the log before is to be made anew.
    static let counter = "erasures"

    static func load(_ session: Session) throws(StoreError) -> Erasing? {
        try session.first("SELECT 1 FROM meta WHERE key = 'erasing'") { _ in .rewriting }
    }

    static func store(_ session: Session) throws(StoreError) {
        try session.execute("INSERT INTO meta (key, value) VALUES ('erasing', '1') ON CONFLICT (key) DO NOTHING")
    }

    static func remove(_ session: Session) throws(StoreError) {
        try session.execute("DELETE FROM meta WHERE key = 'erasing'")
    }
}
