internal import Glibc

/// Keeps other processes from a store, until it is gone. Both locks are flock(2)'s, which the kernel frees with the process.
///
/// `<path>.lock` guards the name: also where there is no store yet, or another one takes its place. The store's own file is
/// locked as well, since that is one and the same by whatever name it is reached (a link, a mount), and whatever becomes of
/// the file beside it. SQLite's locks are of another kind, and don't meet these.
struct StoreLock: ~Copyable {
    private let path: String
    private let name: Int32
    /// -1 before there is a store.
    private var file: Int32

    /// Before SQLite looks at the store: a file that another process has open is not to be touched.
    ///
    /// - Throws: `.inUse`, `.notWritable`.
    init(_ path: String) throws(StoreError) {
        let name = try Self.lock("\(path).lock", O_RDWR | O_CREAT, of: path)
        do throws(StoreError) {
            file = unsafe access(path, F_OK) == 0 ? try Self.lock(path, O_RDONLY, of: path) : -1
        } catch {
            close(name)
            throw error
        }
        self.path = path
        self.name = name
    }

    /// Locks a store that was made since. The descriptor stays open as long as the lock: closing it would free the locks of
    /// SQLite, too (https://sqlite.org/howtocorrupt.html, 2.2).
    ///
    /// - Throws: `.inUse`, `.notWritable`.
    mutating func lockFile() throws(StoreError) {
        if file < 0 { file = try Self.lock(path, O_RDONLY, of: path) }
    }

    deinit {
        if file >= 0 { close(file) }
        close(name)
    }

    private static func lock(_ file: String, _ flags: Int32, of path: String) throws(StoreError) -> Int32 {
        let descriptor = unsafe open(file, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notWritable(path: path, reason: Store.systemReason(path)) }
        // A program that the last holder was just starting has it, too, until it runs (fork(2), execve(2)).
        for attempt in 0..<50 {
            if attempt > 0 { usleep(10_000) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        }
        close(descriptor)
        throw .inUse(path: path)
    }
}
