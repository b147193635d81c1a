import Client
import Glibc
import Support
import ZeroMQ

/// Sends prepared requests by the program `limit`, whose client costs the same for all who are measured.
enum PreparedLoad {
    struct Replies {
        /// From the first request to the last reply.
        var nanoseconds: UInt64
        /// From each request to its reply, in nanoseconds.
        var times: [UInt64] = []
        /// The first frame of each, up to 200 bytes.
        var headers: [[UInt8]] = []
        /// The bytes of the frames of each.
        var sizes: [[Int]] = []
    }

    static let program = "\(Environment.programs)/limit"

    /// - Parameter requests: the frames of each.
    static func run(_ requests: [[[UInt8]]], to endpoint: Endpoint, inFlight: Int) throws -> Replies {
        var bytes: [UInt8] = []
        func append(_ number: Int) { withUnsafeBytes(of: UInt32(number)) { bytes.append(contentsOf: $0) } }
        append(requests.count)
        for request in requests {
            append(request.count)
            for frame in request {
                append(frame.count)
                bytes += frame
            }
        }
        let folder = "/tmp/daybook-load-\(getpid())"
        guard mkdir(folder, 0o700) == 0 else { throw HarnessError("can't make \(folder)") }
        defer {
            unlink("\(folder)/requests")
            unlink("\(folder)/replies")
            rmdir(folder)
        }
        try File.write(bytes, to: "\(folder)/requests")
        try wait(["load", endpoint.description, "\(folder)/requests", "\(folder)/replies", String(inFlight)])
        guard let bytes = File.read("\(folder)/replies") else { throw HarnessError("limit wrote no replies") }
        return try read(bytes, count: requests.count)
    }

    private static func wait(_ arguments: [String]) throws {
        var process = pid_t()
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        guard posix_spawn(&process, program, nil, nil, words, environ) == 0 else {
            throw HarnessError("can't start \(program)")
        }
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process, status == 0 else {
            throw HarnessError("limit \(arguments[0]) ended with \(status)")
        }
    }

    private static func read(_ bytes: [UInt8], count: Int) throws -> Replies {
        var at = 0
        func number<N: FixedWidthInteger>(_: N.Type) throws -> Int {
            guard at + MemoryLayout<N>.size <= bytes.count else { throw HarnessError("the replies end too early") }
            defer { at += MemoryLayout<N>.size }
            return Int(bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: N.self) })
        }
        var replies = Replies(nanoseconds: UInt64(try number(UInt64.self)))
        for _ in 0..<count {
            replies.times.append(UInt64(try number(UInt64.self)))
            var sizes: [Int] = []
            for frame in 0..<(try number(UInt32.self)) {
                let size = try number(UInt32.self)
                let end = at + min(size, 200)
                guard end <= bytes.count else { throw HarnessError("the replies end too early") }
                if frame == 0 { replies.headers.append(Array(bytes[at..<end])) }
                sizes.append(size)
                at = end
            }
            replies.sizes.append(sizes)
        }
        return replies
    }
}
