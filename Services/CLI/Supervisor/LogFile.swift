import Glibc

/// The log files of the services and of the supervisor, in `<home>/logs`.
enum LogFile {
    /// A file longer than this is put aside at the next start.
    static let maximumBytes = 10 * 1024 * 1024

    static func folder(home: String) -> String { "\(home)/logs" }

    static func path(home: String, _ name: String) -> String { "\(folder(home: home))/\(name).log" }

    /// Opens a log to append to it; a long one becomes `<name>.log.1` first, and replaces the one before.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func open(home: String, _ name: String, maximumBytes: Int = maximumBytes) throws(CLIError) -> Int32 {
        let path = path(home: home, name)
        var status = stat()
        if stat(path, &status) == 0, status.st_size > maximumBytes { _ = rename(path, "\(path).1") }
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(action: "open", path: path, code: errno) }
        return descriptor
    }
}
