import LiveList
import Messages
import Testing

@testable import Client

struct WaitingBatchesTests {
    private var service = FakeList()
    private let mailbox = Mailbox(WaitingBatches())

    private func next() async throws -> (update: ListUpdate?, drained: Bool) {
        let drained = mailbox.change { $0.hasRoomAgain() }
        return (try await mailbox.next().get(), drained)
    }

    private func put(_ update: ListUpdate, bytes: Int) -> Bool {
        mailbox.change { $0.put(update, bytes: bytes) }
    }

    @Test mutating func aSlowReaderIsToldSoAndBeginsAnew() async throws {
        let reply = service.reply
        let batch = try { try #require($0) }(service.change(1, 1))
        #expect(!put(.snapshot(reply), bytes: 50 << 20))
        #expect(try await next().update == .snapshot(reply))
        #expect(!put(.batch(batch), bytes: WaitingBatches.fullBytes / 2))
        #expect(put(.batch(batch), bytes: WaitingBatches.fullBytes / 2))
        async let waiting = next()
        // In whatever order: what follows comes.
        #expect(!put(.resync("slow"), bytes: 0))
        #expect(!put(.snapshot(service.reply), bytes: 0))
        let first = try await waiting
        #expect(first.update == .resync("slow") && first.drained)
        let second = try await next()
        #expect(second.update == .snapshot(service.reply) && !second.drained)
    }

    @Test mutating func aSnapshotReplacesWhatWasNotTaken() async throws {
        let old = service.reply
        let batch = try { try #require($0) }(service.change(1, 1))
        _ = put(.snapshot(old), bytes: 0)
        _ = put(.batch(batch), bytes: 10)
        _ = put(.resync("restart"), bytes: 0)
        _ = put(.snapshot(service.reply), bytes: 0)
        // Who has seen nothing has nothing to forget.
        #expect(try await next().update == .snapshot(service.reply))
        mailbox.end(.closed)
        await #expect(throws: ClientError.self) { try await next() }
        #expect(try await next().update == nil)
    }
}
