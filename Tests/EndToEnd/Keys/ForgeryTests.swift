import CBOR
import Client
import Glibc
import Messages
import Support
import Testing
import ZeroMQ

/// A peer that speaks ZMTP 3.0 (RFC 23) by hand, and says of itself what libzmq's sockets never would.
private final class RawPeer {
    private let descriptor: Int32

    init(_ endpoint: Endpoint) throws {
        switch endpoint {
        case .tcp(_, let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            try connect(to: address)
        case .ipc(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            try connect(to: address)
        case .inproc: throw HarnessError("no connection leads into another process")
        }
        var time = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    private func connect<Address>(to address: Address) throws {
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0 else { throw HarnessError("nobody listens") }
    }

    private func write(_ bytes: [UInt8]) throws {
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw HarnessError("the connection is closed")
        }
    }

    private func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard count == 0 || recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count else {
            throw HarnessError("the connection is closed")
        }
        return bytes
    }

    /// The greeting with the mechanism NULL, READY with these properties, and the other's READY: before that nothing may be
    /// sent.
    func introduce(_ properties: [(String, String)]) throws {
        try write([0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0] + Array("NULL".utf8) + [UInt8](repeating: 0, count: 48))
        guard try read(64)[10] == 3 else { throw HarnessError("no ZMTP 3") }
        var body = [UInt8](arrayLiteral: 5) + Array("READY".utf8)
        for (name, value) in properties {
            body +=
                [UInt8(name.utf8.count)] + Array(name.utf8) + [0, 0, 0, UInt8(value.utf8.count)] + Array(value.utf8)
        }
        try write([4, UInt8(body.count)] + body)
        let head = try read(2)
        guard head[0] == 4, try read(Int(head[1])).starts(with: [5] + Array("READY".utf8)) else {
            throw HarnessError("not let in")
        }
    }

    /// Sends a message of frames, each with a long head.
    func send(_ frames: [[UInt8]]) throws {
        for (index, frame) in frames.enumerated() {
            let size = (0..<8).map { UInt8(truncatingIfNeeded: frame.count >> (56 - 8 * $0)) }
            try write([index == frames.count - 1 ? 2 : 3] + size + frame)
        }
    }

    /// The next message; commands are passed over.
    func receive() throws -> [[UInt8]] {
        var frames: [[UInt8]] = []
        while true {
            let flags = try read(1)[0]
            let size = flags & 2 == 0 ? Int(try read(1)[0]) : try read(8).reduce(0) { $0 << 8 | Int($1) }
            let body = try read(size)
            if flags & 4 != 0 { continue }
            frames.append(body)
            if flags & 1 == 0 { return frames }
        }
    }
}

/// Nothing that a peer says of itself counts.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ForgeryTests {
    /// At loopback without keys, and at the socket file of a service that has some: a name that a peer gives itself is none.
    @Test(arguments: [false, true]) func aNameThatAPeerGivesItselfIsNone(hasKeys: Bool) async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook)
            if !hasKeys { _ = try await daybook.shell("rm -r \(town.folder.path)") }
            try await town.start(.catalog)
            let endpoints = hasKeys ? daybook.endpoints(.catalog) : town.endpoints(.catalog)
            let name = hasKeys ? try town.folder.publicFile("anna").publicKey : "anna"
            let header = try await DedicatedThread.run {
                let peer = try RawPeer(endpoints.requests)
                try peer.introduce([("Socket-Type", "DEALER"), ("User-Id", name), ("user-id", name)])
                try peer.send(try RawSocket.frames(Put(Customer(name: "Forged"))))
                return try CBORDecoder().decode(ReplyHeader.self, from: try peer.receive()[0])
            }
            #expect(header.status == .ok)
            let events = try await daybook.client.send(ReadEvents(sequence: 0), to: .catalog).value.events
            #expect(try events.map { try $0.decode(Event.self).principal } == [nil])
        }
    }

    /// Where keys are asked for, a peer without one is not even heard.
    @Test func withoutAKeyNothingIsHeardOverTheNetwork() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook)
            try await town.start(.catalog)
            let endpoint = town.endpoints(.catalog).requests
            await #expect(throws: HarnessError.self) {
                try await DedicatedThread.run {
                    let peer = try RawPeer(endpoint)
                    try peer.introduce([("Socket-Type", "DEALER"), ("User-Id", "anna")])
                    try peer.send(try RawSocket.frames(Put(Customer(name: "Forged"))))
                    return try peer.receive().count
                }
            }
            #expect(try await daybook.client.send(StatusRequest(), to: .catalog).value.sequence == 0)
        }
    }
}
