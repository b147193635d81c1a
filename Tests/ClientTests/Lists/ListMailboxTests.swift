import LiveList
import Messages
import Testing

@testable import Client

struct ListMailboxTests {
    private var service = FakeList()
    private let mailbox = ListMailbox()

    private func next() async throws -> (update: ListUpdate?, drained: Bool) {
        var drained = false
        let update = try await mailbox.next { drained = true }.get()
        return (update, drained)
    }

    @Test mutating func aSlowReaderIsToldSoAndBeginsAnew() async throws {
        let reply = service.reply
        let batch = try { try #require($0) }(service.change(1, 1))
        #expect(!mailbox.put(.snapshot(reply), bytes: 50 << 20))
        #expect(try await next().update == .snapshot(reply))
        #expect(!mailbox.put(.batch(batch), bytes: ListMailbox.fullBytes / 2))
        #expect(mailbox.put(.batch(batch), bytes: ListMailbox.fullBytes / 2))
        async let waiting = next()
        // In whatever order: what follows comes.
        #expect(!mailbox.put(.resync("slow"), bytes: 0))
        #expect(!mailbox.put(.snapshot(service.reply), bytes: 0))
        let first = try await waiting
        #expect(first.update == .resync("slow") && first.drained)
        let second = try await next()
        #expect(second.update == .snapshot(service.reply) && !second.drained)
    }

    @Test mutating func aSnapshotReplacesWhatWasNotTaken() async throws {
        let old = service.reply
        let batch = try { try #require($0) }(service.change(1, 1))
        _ = mailbox.put(.snapshot(old), bytes: 0)
        _ = mailbox.put(.batch(batch), bytes: 10)
        _ = mailbox.put(.resync("restart"), bytes: 0)
        _ = mailbox.put(.snapshot(service.reply), bytes: 0)
        // Who has seen nothing has nothing to forget.
        #expect(try await next().update == .snapshot(service.reply))
        mailbox.end(.closed)
        await #expect(throws: ClientError.self) { try await next() }
        #expect(try await next().update == nil)
    }
}
