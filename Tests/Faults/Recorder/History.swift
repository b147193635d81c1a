import CBOR
import Client
import Glibc
import JSON
import Messages
import Synchronization

/// What happened, as lines of JSON in one file: each is written at once, and whole.
///
/// A line has `t` (nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share), `p` (who it happened to) and
/// `f` (what), and what belongs to that; CBOR is written in hexadecimal digits.
final class History: Sendable {
    private let descriptor: Int32
    private let number = Mutex<Int64>(0)
    private let writing = Mutex(())

    /// Begins a new file.
    init(_ path: String) throws(RecorderError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw RecorderError("can't write \(path): \(String(cString: strerror(errno)))") }
    }

    /// A number for a request and its answer.
    func next() -> Int64 {
        number.withLock { number in
            number += 1
            return number
        }
    }

    /// Writes a line.
    func record(_ process: String, _ what: String, _ members: [JSONValue.Member] = []) {
        writing.withLock { _ in
            // Taken while nobody else writes, so that the times of a file rise.
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let head: [JSONValue.Member] = [
                .init(key: "t", value: .number(String(now.tv_sec * 1_000_000_000 + now.tv_nsec))),
                .init(key: "p", value: .string(process)), .init(key: "f", value: .string(what)),
            ]
            var rest = Array((JSONValue.object(head + members).text() + "\n").utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                // Without a history there is nothing to check.
                precondition(count > 0 || errno == EINTR, "the history can't be written")
                rest = rest.dropFirst(max(0, count))
            }
        }
    }
}

extension JSONValue.Member {
    static func text(_ key: String, _ value: String) -> Self { .init(key: key, value: .string(value)) }

    static func integer(_ key: String, _ value: Int64) -> Self { .init(key: key, value: .number(String(value))) }

    static func bytes(_ key: String, _ value: [UInt8]) -> Self { .text(key, hexadecimal(value)) }

    static func encoded(_ key: String, _ value: some Encodable) throws -> Self {
        .bytes(key, try CBOREncoder().encode(value))
    }

    static func positions(_ key: String, _ positions: Positions) -> Self {
        .init(
            key: key,
            value: .object(
                positions.sorted { $0.key < $1.key }.map { name, position in
                    let place: [JSONValue] = [
                        .string(position.epoch.hexadecimal), .number(String(position.sequence)),
                    ]
                    return .init(key: name, value: .array(place))
                }
            )
        )
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Why nothing could be recorded: one sentence.
struct RecorderError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
