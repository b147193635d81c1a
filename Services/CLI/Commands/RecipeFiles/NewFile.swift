import Glibc

/// A file that is written beside the one that it replaces, and takes its place when it is whole.
struct NewFile: ~Copyable {
    let output: Output
    let descriptor: Int32
    private let path: String

    /// - Parameter mode: who may read and write it.
    /// - Throws: ``CLIError/system(action:path:code:)``.
    init(_ path: String, mode: mode_t = 0o644) throws(CLIError) {
        self.path = path
        descriptor = open("\(path).new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .system(action: "write", path: path, code: errno) }
        output = Output(descriptor: descriptor)
    }

    /// Puts the file in its place.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    consuming func finish() throws(CLIError) {
        try output.flush()
        guard fsync(descriptor) == 0, rename("\(path).new", path) == 0 else {
            throw .system(action: "write", path: path, code: errno)
        }
    }

    deinit {
        close(descriptor)
        // Gone where it is finished.
        unlink("\(path).new")
    }
}
