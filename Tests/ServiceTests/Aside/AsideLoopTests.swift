import CBOR
import Client
import Dispatch
import Glibc
import Messages
import Support
import Testing
import ZeroMQ

@testable import Service

/// With the loop, its threads and a socket: who waits, who doesn't, and what ends a wait.
@Suite(.timeLimit(.minutes(5)))
struct AsideLoopTests {
    @Test func othersAreAnsweredWhileItIsComputed() async throws {
        try await withLoop { socket, gate, _ in
            let note = Identifier.make()
            try socket.send(frames(Ponder(note: note, title: "Milk"), id: 1))
            try gate.waitForOne()
            // It is being computed, and will be until the gate opens: whatever is answered now did not wait for it.
            for id in 2...4 as ClosedRange<UInt64> {
                let reply = try socket.answer(RawSocket.frames(Put(Note(id: .make(), title: "Bread")), id: id))
                #expect(reply.header.id == id && reply.header.status == .ok)
            }
            gate.open()
            let reply = try socket.answer()
            #expect(reply.header.id == 1 && reply.header.status == .ok)
            #expect(try CBORDecoder().decode(Note.self, from: reply.body).rank == 0)
        }
    }

    @Test func theSameCommandSentAgainSharesTheResult() async throws {
        try await withLoop { socket, gate, _ in
            let key = Identifier.make()
            let request = Ponder(note: .make(), title: "Milk")
            try socket.send(frames(request, id: 1, key: key))
            try gate.waitForOne()
            try socket.send(frames(request, id: 2, key: key))
            // Taken in order: when this is answered, the repeat has been taken.
            #expect(try socket.answer(RawSocket.frames(StatusRequest(), id: 3)).header.id == 3)
            gate.open()
            let replies = try (0..<2).map { _ in try socket.answer() }
            #expect(replies.map(\.header.id) == [1, 2] && replies.allSatisfy { $0.header.status == .ok })
            #expect(replies.map(\.header.replayed) == [nil, true] && replies[0].body == replies[1].body)
            #expect(gate.passed == 1)
        }
    }

    @Test func oneTooManyIsRefusedAndMayComeAgain() async throws {
        try await withLoop { socket, gate, _ in
            for id in 1...UInt64(AsideQueue.longest) {
                try socket.send(frames(Ponder(note: .make(), title: "Milk \(id)"), id: id))
            }
            try gate.waitForOne()
            let late = try socket.answer(frames(Ponder(note: .make(), title: "late"), id: 99))
            #expect(late.header.id == 99 && late.header.status == .unavailable && late.header.retryAfter == 500)
            for _ in 0..<AsideQueue.longest { gate.open() }
            let replies = try (0..<AsideQueue.longest).map { _ in try socket.answer().header }
            // One after the other, in their order.
            #expect(replies.map(\.id) == (1...UInt64(AsideQueue.longest)).map { $0 })
            #expect(replies.allSatisfy { $0.status == .ok })
        }
    }

    @Test func whatIsNotDoneInTimeIsSaidToBeLateAndHasNoEffect() async throws {
        try await withLoop { socket, gate, _ in
            let note = Identifier.make()
            try socket.send(frames(Ponder(note: .make(), title: "Milk"), id: 1))
            try gate.waitForOne()
            // Waits behind it, and is over before its turn: it is never computed.
            let late = try socket.answer(frames(Ponder(note: note, title: "Bread"), id: 2, timeout: 0))
            #expect(late.header.id == 2 && late.header.status == .timedOut)
            gate.open()
            #expect(try socket.answer().header.id == 1)
            let third = try askPondering(socket, gate, id: 3)
            #expect(third.header.id == 3 && third.header.status == .ok)
            #expect(gate.passed == 2)
            let get = try socket.answer(RawSocket.frames(Get<Note>(id: note), id: 4))
            #expect(get.header.status == .notFound)
        }
    }

    @Test func aChildThatHangsIsKilledAtTheEndOfTheBudget() async throws {
        try await withLoop { socket, gate, _ in
            let hanging = Ponder(note: .make(), title: "Milk", hangs: true)
            let reply = try socket.answer(frames(hanging, id: 1, timeout: 100))
            #expect(reply.header.status == .timedOut)
            // The thread is free again: the child has ended.
            let next = try askPondering(socket, gate, id: 2)
            #expect(next.header.id == 2 && next.header.status == .ok)
        }
    }

    @Test func stoppingEndsWhatIsComputed() async throws {
        try await withLoop { socket, _, terminate in
            try socket.send(frames(Ponder(note: .make(), title: "Milk", hangs: true), id: 1, timeout: 600_000))
            try socket.send(frames(Ponder(note: .make(), title: "Bread", hangs: true), id: 2, timeout: 600_000))
            #expect(try socket.answer(RawSocket.frames(StatusRequest(), id: 3)).header.id == 3)
            terminate()
            let replies = try (0..<2).map { _ in try socket.answer().header }
            #expect(replies.map(\.id) == [1, 2] && replies.allSatisfy { $0.status == .unavailable })
        }
    }

    private func askPondering(
        _ socket: RawSocket,
        _ gate: Gate,
        id: UInt64
    ) throws -> (header: ReplyHeader, body: [UInt8]) {
        gate.open()
        return try socket.answer(frames(Ponder(note: .make(), title: "Cheese"), id: id))
    }

    /// A request with a budget in milliseconds: enough of it, unless that is what is tested.
    private func frames(
        _ request: Ponder,
        id: UInt64,
        key: Identifier = .make(),
        timeout: Int = 600_000
    ) throws -> [[UInt8]] {
        let header = RequestHeader(id: id, operation: Ponder.operation, key: key, timeout: timeout)
        return [try CBOREncoder().encode(header), try CBOREncoder().encode(request)]
    }

    /// Runs the closure with a service that pondering belongs to, and stops it; the closure may do that itself.
    private func withLoop(
        _ body: @escaping @Sendable (RawSocket, Gate, @escaping @Sendable () -> Void) throws -> Void
    ) async throws {
        let gate = Gate()
        try await withServiceLoop(gate.definition) { endpoints, stop in
            try await RawSocket.connected(to: endpoints.requests) { try body($0, gate, stop) }
        }
    }
}

extension RawSocket {
    /// The reply to a request, or the next one; it may take long where other tests take the machine.
    fileprivate func answer(_ frames: [[UInt8]]? = nil) throws -> (header: ReplyHeader, body: [UInt8]) {
        if let frames { try send(frames) }
        return try #require(try reply(within: .seconds(50)))
    }
}
