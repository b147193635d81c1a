import Glibc

/// The lock that makes a supervisor the only one of its runtime folder, and a hook's runner the only one of its name.
/// The kernel frees it when the process ends.
///
/// A record lock (fcntl(2)) rather than flock(2): asking who holds it takes no lock, so that nobody who only asks is ever
/// in the way, and the kernel tells the process.
struct SupervisorLock: ~Copyable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    static func path(in folder: String, named file: String = "supervisor.lock") -> String { "\(folder)/\(file)" }

    /// Takes the lock, and writes this process's number into the file, for people; nil where another one has it.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func acquire(
        in folder: String,
        named file: String = "supervisor.lock"
    ) throws(CLIError) -> SupervisorLock? {
        let path = path(in: folder, named: file)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(action: "open", path: path, code: errno) }
        var request = wholeFile()
        guard fcntl(descriptor, F_SETLK, &request) == 0 else {
            let code = errno
            close(descriptor)
            guard code == EACCES || code == EAGAIN else { throw .system(action: "lock", path: path, code: code) }
            return nil
        }
        let text = "\(getpid())\n"
        _ = ftruncate(descriptor, 0)
        _ = write(descriptor, text, text.utf8.count)
        return SupervisorLock(descriptor)
    }

    /// The process that holds the lock; nil where nobody does.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func holder(in folder: String, named file: String = "supervisor.lock") throws(CLIError) -> Int32? {
        let path = path(in: folder, named: file)
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .system(action: "open", path: path, code: errno)
        }
        defer { close(descriptor) }
        var request = wholeFile()
        guard fcntl(descriptor, F_GETLK, &request) == 0 else {
            throw .system(action: "ask for the lock of", path: path, code: errno)
        }
        return request.l_type == Int16(F_UNLCK) ? nil : request.l_pid
    }

    private static func wholeFile() -> flock {
        flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
    }
}
