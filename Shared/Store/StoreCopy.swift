internal import CSQLite
internal import Failpoints
internal import Glibc

/// A copy of a store, in a file of its own beside it.
public struct StoreCopy: Sendable {
    let path: String

    /// A connection that may write to it; it has to be gone before `open()`.
    public func session() throws(StoreError) -> Session {
        try Store.open(path, readOnly: false)
    }

    /// Opens the file for reading.
    ///
    /// - Returns: A descriptor, which is the caller's to close, and the file's length.
    public func open() throws(StoreError) -> (descriptor: Int32, bytes: Int64) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else {
            throw .inputOutput("\(path) can't be read: \(unsafe String(cString: strerror(errno)).lowercased())")
        }
        return (descriptor, Int64(status.st_size))
    }

    /// Gives it another name, for good; a file of that name is replaced. Whatever happens, the name is that of a whole copy.
    func keep(as other: String) throws(StoreError) {
        let file = try open().descriptor
        defer { close(file) }
        let folder = unsafe Glibc.open(Session.parted(path).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        guard fsync(file) == 0, unsafe rename(path, other) == 0, fsync(folder) == 0 else {
            if errno == ENOSPC || errno == EDQUOT { throw .full }
            throw .inputOutput("\(other) can't be written: \(unsafe String(cString: strerror(errno)).lowercased())")
        }
    }

    /// Takes the file's name away; what has it open goes on reading.
    public func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + suffix) }
    }
}

extension Session {
    /// How many pages are copied between two looks at whether to go on: 4 MiB.
    private static let pagesOfStep: Int32 = 1024
    fileprivate static let mark = ".copy-"

    /// Copies the store as this connection's open transaction sees it, by SQLite's backup API, while another connection
    /// writes. Nothing is left where it fails.
    ///
    /// - Parameters:
    ///   - name: of the copy: `<store>.copy-<name>`, for this user alone.
    ///   - goesOn: asked now and then; false ends it.
    /// - Returns: nil where it was ended.
    /// - Throws: `.full`, `.inputOutput` and whatever reading the store throws.
    public func copy(named name: String, while goesOn: () -> Bool) throws(StoreError) -> StoreCopy? {
        precondition(isInTransaction, "only within a transaction all pages are of one moment")
        // The first read begins the snapshot.
        _ = try first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
        let copy = StoreCopy(path: path + Self.mark + name)
        copy.remove()
        do throws(StoreError) {
            guard try fill(copy, goesOn) else {
                copy.remove()
                return nil
            }
        } catch {
            copy.remove()
            throw error
        }
        return copy
    }

    /// Keeps a copy of the store as `<store>.before-<version>`, before its schema is changed to that version.
    func keepCopy(before version: Int) throws(StoreError) {
        try beginReading()
        let made = Result { () throws(StoreError) in try copy(named: "before-\(version)") { true } }
        try rollback()
        guard let copy = try made.get() else { return }
        do throws(StoreError) {
            try copy.keep(as: "\(path).before-\(version)")
        } catch {
            copy.remove()
            throw error
        }
    }

    private func fill(_ copy: StoreCopy, _ goesOn: () -> Bool) throws(StoreError) -> Bool {
        let target = try copy.session()
        // It is nobody's before it is whole: nothing has to be undone or synced.
        try target.executeScript("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
        return try fill(target, goesOn)
    }

    fileprivate func fill(_ target: Session, _ goesOn: () -> Bool) throws(StoreError) -> Bool {
        guard let backup = unsafe sqlite3_backup_init(target.database, "main", database, "main") else {
            throw target.error(unsafe sqlite3_errcode(target.database), "backup")
        }
        var code = SQLITE_OK
        var isEnded = false
        while code == SQLITE_OK, !isEnded {
            code = unsafe sqlite3_backup_step(backup, Self.pagesOfStep)
            failpoint("backup.between")
            isEnded = code == SQLITE_OK && !goesOn()
        }
        let result = unsafe sqlite3_backup_finish(backup)
        if isEnded { return false }
        guard code == SQLITE_DONE, result == SQLITE_OK else {
            throw target.error(code == SQLITE_DONE ? result : code, "backup")
        }
        return true
    }
}

extension Store {
    /// Puts the content of another store in memory in the place of this one's.
    ///
    /// - Parameter isMarked: whether that is told to who opens it next, as by `<path>.restored`.
    public func putBack(_ other: Store, isMarked: Bool) throws(StoreError) {
        guard let source = other.memory, let target = memory else { preconditionFailure("both are in memory") }
        try target.rollback()
        _ = try source.fill(target) { true }
        isMemoryRestored = isMarked
    }

    /// Removes copies that a process was killed over.
    public func removeUnfinishedCopies() throws(StoreError) {
        let (folder, name) = Session.parted(path)
        for file in try Session.names(in: folder) where file.hasPrefix(name + Session.mark) {
            unsafe unlink("\(folder)/\(file)")
        }
    }
}
