import Glibc

/// A pipe whose ends close on exec.
struct Pipe: Sendable {
    var readEnd: Int32
    var writeEnd: Int32

    /// A pipe whose reads take what is there.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    init() throws(CLIError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(action: "make", path: "a pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    private init(readEnd: Int32, writeEnd: Int32) {
        (self.readEnd, self.writeEnd) = (readEnd, writeEnd)
    }

    /// What serves as a program's standard input: its reads wait, and ``write(_:to:)`` to one that reads no more raises no
    /// signal, whatever this process does with SIGPIPE. It is a pair of sockets.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func input() throws(CLIError) -> Pipe {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw .system(action: "make", path: "a pair of sockets", code: errno)
        }
        return Pipe(readEnd: ends[0], writeEnd: ends[1])
    }

    /// Writes what there is room for now, to the write end of an ``input()``.
    ///
    /// - Returns: how many bytes that was, as send(2) tells it.
    static func write(_ bytes: ArraySlice<UInt8>, to writeEnd: Int32) -> Int {
        bytes.withUnsafeBytes { send(writeEnd, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) }
    }
}

/// The lines that arrive at a descriptor; it is closed with this.
final class LineReader {
    let descriptor: Int32
    /// Whether the other side has closed.
    private(set) var isAtEnd = false
    private var bytes: [UInt8] = []

    /// A line is cut after this many bytes.
    static let maximumLineBytes = 64 * 1024

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// The lines that have arrived, without their ends; at the end of all also one that has none.
    func lines() -> [String] {
        var block = [UInt8](repeating: 0, count: 16 * 1024)
        while !isAtEnd {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            if count <= 0 { isAtEnd = true }
            bytes += block.prefix(max(0, count))
            if bytes.count > Self.maximumLineBytes { break }
        }
        var pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let rest = pieces.removeLast()
        let isComplete = isAtEnd || rest.count > Self.maximumLineBytes
        if isComplete, !rest.isEmpty { pieces.append(rest) }
        let lines = pieces.map { String(decoding: $0, as: UTF8.self) }
        bytes = isComplete ? [] : Array(rest)
        return lines
    }
}

/// What a service says at its readiness pipe.
enum ReadinessReport: Sendable, Hashable {
    case ready
    /// Why it can't run.
    case failed(String)
    /// The lock is another supervisor's.
    case taken

    init?(line: String) {
        switch line {
        case "ready": self = .ready
        case "taken": self = .taken
        case _ where line.hasPrefix("failed: "): self = .failed(String(line.dropFirst("failed: ".count)))
        default: return nil
        }
    }

    /// The line, with its end.
    var line: String {
        switch self {
        case .ready: "ready\n"
        case .taken: "taken\n"
        case .failed(let sentence):
            "failed: \(String(String.UnicodeScalarView(sentence.unicodeScalars.map { $0 == "\n" ? " " : $0 })))\n"
        }
    }
}
