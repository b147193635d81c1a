import Glibc
import Synchronization

/// Standard output: everything that the command prints goes through it.
///
/// Text is gathered and written in blocks of 64 KiB; ``flush()`` writes what is left and is called once at the end,
/// and by whoever prints as things happen. Any thread may use it.
final class Output: Sendable {
    private static let blockBytes = 64 * 1024

    let style: Style
    private let descriptor: Int32
    private let pending = Mutex<[UInt8]>([])

    /// The output behind a file descriptor, which stays the caller's.
    init(descriptor: Int32 = STDOUT_FILENO, style: Style = .plain) {
        self.descriptor = descriptor
        self.style = style
    }

    /// Appends text.
    ///
    /// - Throws: ``CLIError/unwritable(_:)``, or ``CLIError/closedPipe`` when the reader has gone.
    func write(_ text: String) throws(CLIError) { try write(bytes: text.utf8) }

    /// Appends bytes that are no text.
    ///
    /// - Throws: as ``write(_:)``.
    func write(bytes new: some Sequence<UInt8>) throws(CLIError) {
        try pending.withLock { bytes throws(CLIError) in
            bytes.append(contentsOf: new)
            if bytes.count >= Self.blockBytes { try send(&bytes) }
        }
    }

    /// Writes bytes, behind the text that was gathered.
    ///
    /// - Throws: as ``write(_:)``.
    func write(_ content: [UInt8]) throws(CLIError) {
        try pending.withLock { bytes throws(CLIError) in
            bytes += content
            try send(&bytes)
        }
    }

    /// Appends text and a line end.
    ///
    /// - Throws: as ``write(_:)``.
    func line(_ text: String = "") throws(CLIError) {
        try write(text + "\n")
    }

    /// Writes what was gathered.
    ///
    /// - Throws: as ``write(_:)``.
    func flush() throws(CLIError) {
        try pending.withLock { bytes throws(CLIError) in try send(&bytes) }
    }

    /// Empties `bytes` also when it fails: what can't be written now is not tried again at the end.
    private func send(_ bytes: inout [UInt8]) throws(CLIError) {
        defer { bytes.removeAll(keepingCapacity: true) }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + sent, $0.count - sent) }
            if count < 0 {
                if errno == EINTR { continue }
                throw errno == EPIPE ? .closedPipe : .unwritable(errno)
            }
            sent += count
        }
    }
}
