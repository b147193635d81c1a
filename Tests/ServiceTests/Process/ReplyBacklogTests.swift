import Client
import Dispatch
import Glibc
import Messages
import Store
import Support
import Synchronization
import Testing
import ZeroMQ

@testable import Service

/// What waits for peers that ask and don't read is bounded by its bytes.
@Suite(.timeLimit(.minutes(10)))
struct ReplyBacklogTests {
    private struct Heap: Request {
        struct Reply: Codable, Sendable {
            var bytes: [UInt8]
        }

        static let operation = "note.heap"
        static let kind = RequestKind.query
        static let service: ServiceName? = Note.service

        var size: Int
    }

    private final class Tally: Sendable {
        let decided = Atomic(0)
    }

    private static let tally = Tally()

    private static let definition = {
        var routes = Routes()
        routes.entity(Notes.entity)
        routes.query(Heap.self) { (request, _) in
            tally.decided.add(1, ordering: .relaxed)
            // Small numbers are one byte of an array each.
            return Heap.Reply(bytes: Array(repeating: 1, count: request.size))
        }
        return ServiceDefinition(name: Note.service, migrations: [Migration(Notes.entity.schema)], routes: routes)
    }()

    private func envelope(_ peer: UInt8, entrance: Int = 0) -> Envelope {
        Envelope(address: [Frame([peer])], entrance: entrance)
    }

    @Test func aPeerHasRoomForSoManyBytesAndForOneReplyThatHasMore() throws {
        var backlogs = ReplyBacklogs()
        let half = Array(repeating: UInt8(0), count: ReplyBacklogs.mostOfPeer / 2)
        var frames: [Frame] = []
        for _ in 0..<2 {
            let backlog = backlogs.room(for: half.count, to: envelope(1))
            frames.append(Frame(half, countedBy: try #require(backlog)))
        }
        func hasRoom(_ bytes: Int, _ peer: UInt8, entrance: Int = 0) -> Bool {
            backlogs.room(for: bytes, to: envelope(peer, entrance: entrance)) != nil
        }
        #expect(!hasRoom(1, 1))
        // Others have theirs: also who has the same id at another entrance.
        #expect(hasRoom(half.count, 2))
        #expect(hasRoom(half.count, 1, entrance: 1))
        #expect(backlogs.bytes == 2 * half.count)
        frames = []
        #expect(backlogs.bytes == 0)
        #expect(hasRoom(ReplyBacklogs.mostOfPeer + 1, 1))
    }

    @Test func allTogetherHaveABound() {
        var backlogs = ReplyBacklogs()
        var frames: [Frame] = []
        let piece = Array(repeating: UInt8(0), count: ReplyBacklogs.mostOfPeer)
        var peer: UInt8 = 0
        while let backlog = backlogs.room(for: piece.count, to: envelope(peer)) {
            frames.append(Frame(piece, countedBy: backlog))
            peer += 1
        }
        #expect(Int(peer) == ReplyBacklogs.most / ReplyBacklogs.mostOfPeer)
        let refused = backlogs.room(for: 1, to: envelope(99))
        #expect(refused == nil)
        frames.removeLast()
        let given = backlogs.room(for: 1, to: envelope(99))
        #expect(given != nil)
    }

    /// Asks for 300 MiB and reads nothing: libzmq alone would queue all of it.
    @Test func whoDoesNotReadIsRefusedAtABoundAndServedOnceItHasRead() async throws {
        try await withLoop { endpoint in
            let (size, count) = (1_000_000, 300)
            try RawSocket.exchange(with: endpoint, receiveHighWaterMark: 1) { lazy in
                for id in 1...UInt64(count) {
                    try lazy.send(RawSocket.frames(Heap(size: size), id: id, timeout: 600_000))
                }
                // Another one is served meanwhile. All are decided before the first is read.
                try RawSocket.exchange(with: endpoint) { other in
                    let deadline = ContinuousClock.now + .seconds(100)
                    while Self.tally.decided.load(ordering: .relaxed) < count, .now < deadline {
                        let status = try #require(
                            try other.ask(RawSocket.frames(StatusRequest()), within: .seconds(50))
                        )
                        #expect(status.header.status == .ok)
                    }
                    _ = try #require(try other.ask(RawSocket.frames(StatusRequest()), within: .seconds(50)))
                    let reply = try #require(try other.ask(RawSocket.frames(Heap(size: size)), within: .seconds(50)))
                    #expect(reply.header.status == .ok && reply.body.count > size)
                }
                var taken: [UInt64] = []
                var refused: [UInt64] = []
                for _ in 0..<count {
                    let (header, body) = try #require(try lazy.reply(within: .seconds(50)))
                    switch header.status {
                    case .ok:
                        #expect(body.count > size)
                        taken.append(header.id)
                    case .unavailable:
                        #expect(header.retryAfter != nil)
                        refused.append(header.id)
                    default: Issue.record("answered with \(header.status)")
                    }
                }
                // What its own libzmq and the system had taken before is not the service's.
                let bound = ReplyBacklogs.mostOfPeer / size
                #expect((bound...bound + 16).contains(taken.count), "\(taken.count) of \(count)")
                #expect(taken == taken.sorted() && refused == refused.sorted() && taken.count + refused.count == count)
                let next = try #require(try lazy.ask(RawSocket.frames(Heap(size: size), id: 999), within: .seconds(50)))
                #expect(next.header.status == .ok && next.header.id == 999)
            }
        }
    }

    /// Runs the closure on a thread of its own with a service that answers at the endpoint.
    private func withLoop(_ body: @escaping @Sendable (Endpoint) throws -> Void) async throws {
        try await withServiceLoop(Self.definition) { endpoints, _ in
            try await DedicatedThread.run { try body(endpoints.requests) }
        }
    }
}
