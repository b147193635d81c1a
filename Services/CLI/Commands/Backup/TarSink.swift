import Archive
import Glibc
import Messages

/// Writes a backup as a tar archive to standard output, the manifest last: without that, it is not whole.
struct TarSink: BackupSink {
    private let tar: TarWriter
    private let seconds: Int64

    /// - Parameter time: that of the files.
    /// - Throws: ``CLIError/usage(_:)`` where standard output is a terminal, ``CLIError/failure(_:)``.
    init(_ time: Instant) throws(CLIError) {
        guard isatty(STDOUT_FILENO) == 0 else {
            throw .usage("A backup is nothing for a terminal: name a folder, or write it into a file or a pipe.")
        }
        seconds = time.microseconds / 1_000_000
        tar = try Self.writing { () throws(ArchiveError) in try TarWriter(descriptor: STDOUT_FILENO) }
    }

    mutating func begin(_ name: String, bytes: Int64) throws(CLIError) {
        try Self.writing { () throws(ArchiveError) in try tar.begin(name, size: Int(bytes), seconds: seconds) }
    }

    mutating func write(_ bytes: [UInt8]) throws(CLIError) {
        try Self.writing { () throws(ArchiveError) in try tar.write(bytes) }
    }

    mutating func finish() throws(CLIError) {
        try Self.writing { () throws(ArchiveError) in try tar.finish() }
        // A pipe can't be synced, and need not be.
        guard fsync(STDOUT_FILENO) == 0 || errno == EINVAL || errno == EROFS else {
            throw Self.failure(CLIError.reason(errno))
        }
    }

    private static func writing<Result>(_ body: () throws(ArchiveError) -> Result) throws(CLIError) -> Result {
        do throws(ArchiveError) {
            return try body()
        } catch {
            guard case .notWritten(let reason) = error else { throw failure(error.description) }
            throw failure(reason)
        }
    }

    private static func failure(_ reason: String) -> CLIError {
        .failure("Can't write the output: \(reason). What was written is no whole backup.")
    }
}
