import Glibc
import Support

/// A pipe with a name, and the lines that programs write into it: whoever waits for a line needs no pause and no polling.
final class Lines: Sendable {
    let path: String
    private let descriptor: Int32
    private let stream: AsyncStream<String>

    /// - Parameter path: where it is made; its folder is there.
    init(_ path: String) throws {
        self.path = path
        guard mkfifo(path, 0o600) == 0 else { throw HarnessError("can't make \(path)") }
        // Both ways, so that it never ends while writers come and go (fifo(7)).
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        self.descriptor = descriptor
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        self.stream = stream
        Task { try? await DedicatedThread.run { Self.read(descriptor, into: continuation) } }
    }

    private static func read(_ descriptor: Int32, into continuation: AsyncStream<String>.Continuation) {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            bytes += block.prefix(max(0, count))
            var start = 0
            while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: bytes[start..<end], as: UTF8.self)
                start = end + 1
                guard line != "\0" else {
                    close(descriptor)
                    return continuation.finish()
                }
                continuation.yield(line)
            }
            bytes.removeSubrange(..<start)
        }
    }

    /// Waits for so many lines.
    func next(_ count: Int = 1) async throws -> [String] {
        var lines: [String] = []
        for await line in stream {
            lines.append(line)
            if lines.count == count { return lines }
        }
        throw HarnessError("only \(lines.count) of \(count) lines came to \(path)")
    }

    /// Waits for lines until one of them is as wanted.
    func next(until isWanted: (String) -> Bool) async throws -> [String] {
        var lines: [String] = []
        for await line in stream {
            lines.append(line)
            if isWanted(line) { return lines }
        }
        throw HarnessError("only \(lines.count) lines came to \(path), and none as wanted")
    }

    deinit {
        _ = write(descriptor, "\0\n", 2)
    }
}
