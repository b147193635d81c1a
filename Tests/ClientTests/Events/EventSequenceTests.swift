import Messages
import Testing
import ZeroMQ

@testable import Client

/// Subscriptions against sockets of the test's own.
@Suite(.timeLimit(.minutes(5)))
struct EventSequenceTests {
    private let folder: Folder
    private let client: DaybookClient
    private let endpoints: ServiceEndpoints

    init() throws {
        folder = try Folder()
        endpoints = .ipc(folder: folder.path, .orders)
        client = try DaybookClient(ClientConfiguration(endpoints: [.orders: endpoints], timeout: .seconds(10)))
    }

    @Test func tellsWhatIsThereAndThenWhatComes() async throws {
        let service = try FakeService(endpoints, log(of: 250))
        defer { service.stop() }
        var events = client.events(of: .orders).makeAsyncIterator()
        for sequence in 1...250 {
            #expect(try await transaction(&events).position == service.log.position(at: Int64(sequence)))
        }
        service.commit("order", "dog")
        service.beat()
        let next = try await transaction(&events)
        #expect(next.events == Array(service.log.events.suffix(2)))
        #expect(next.position == service.log.position)
    }

    @Test func goesOnFromAPosition() async throws {
        let service = try FakeService(endpoints, log(of: 5))
        defer { service.stop() }
        var events = client.events(from: service.log.position(at: 4), of: .orders).makeAsyncIterator()
        #expect(try await transaction(&events).events.first?.sequence == 5)
    }

    @Test func endsAtTheHeadWhereItIsNotToFollow() async throws {
        let service = try FakeService(endpoints, log(of: 120))
        defer { service.stop() }
        var count = 0
        for try await _ in client.events(of: .orders, follow: false) { count += 1 }
        #expect(count == 120)
        #expect(service.subscriptions().isEmpty)
        for try await _ in client.events(from: service.log.position, of: .orders, follow: false) { count += 1 }
        #expect(count == 120)
    }

    @Test func aLostTailIsFetchedAfterTheHeartbeat() async throws {
        let service = try FakeService(endpoints, log(of: 1))
        defer { service.stop() }
        var events = client.events(of: .orders).makeAsyncIterator()
        _ = try await transaction(&events)
        service.commit("order", isLost: true)
        // Until the subscription is in force, heartbeats are lost like anything else.
        async let beating: Void = beat(service, until: 2)
        #expect(try await transaction(&events).events.first?.sequence == 2)
        await beating
    }

    @Test func survivesTheServicesRestart() async throws {
        let first = try FakeService(endpoints, log(of: 3))
        var events = client.events(of: .orders).makeAsyncIterator()
        for _ in 1...3 { _ = try await transaction(&events) }
        var log = first.log
        first.stop()
        log.run = .make()
        for _ in 1...3 { log.append("order") }
        let second = try FakeService(endpoints, log)
        defer { second.stop() }
        for sequence in 4...6 { #expect(try await transaction(&events).position == log.position(at: Int64(sequence))) }
    }

    @Test func tellsAResyncWithItsReasonAndGoesOnBehindTheHead() async throws {
        let service = try FakeService(endpoints, log(of: 3))
        defer { service.stop() }
        let stored = EventPosition(epoch: .make(), sequence: 2, chain: 7)
        var events = client.events(from: stored, of: .orders).makeAsyncIterator()
        #expect(try await events.next() == .resync(.epoch, service.log.position))
        service.commit("order", isLost: true)
        async let beating: Void = beat(service, until: 3)
        #expect(try await transaction(&events).events.first?.sequence == 4)
        await beating
    }

    @Test func aSlowReaderCostsNoMemoryAndMissesNothing() async throws {
        // 8 MB in all.
        let service = try FakeService(endpoints, log(of: 2000, text: String(repeating: "x", count: 4000)))
        defer { service.stop() }
        var events = client.events(of: .orders).makeAsyncIterator()
        #expect(try await transaction(&events).position.sequence == 1)
        // A page has 400 kB: after the third no more are asked for, whatever is published.
        await service.asked(3)
        for _ in 0..<200 { service.commit("order", text: "x") }
        service.beat()
        let probe = try await client.head(of: .orders)
        #expect(probe.sequence == 2200)
        #expect(service.reads <= 6)
        for sequence in 2...2200 { #expect(try await transaction(&events).position.sequence == Int64(sequence)) }
    }

    @Test func cancellingEndsTheWaitAtOnce() async throws {
        let service = try FakeService(endpoints)
        defer { service.stop() }
        let task = Task { [client] in
            await failure {
                for try await _ in client.events(of: .orders) {}
            }
        }
        await service.asked(1)
        task.cancel()
        guard case .cancelled? = await task.value else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test func theEndOfTheIteratorEndsTheSubscription() async throws {
        let service = try FakeService(endpoints, log(of: 1))
        defer { service.stop() }
        do {
            var events = client.events(of: .orders).makeAsyncIterator()
            _ = try await transaction(&events)
            await told(service, 2)
        }
        await told(service, 2)
    }

    @Test func aRefusalThatNoRepetitionChangesEndsIt() async throws {
        let service = try FakeService(endpoints)
        defer { service.stop() }
        service.refuse(.notAllowed)
        let error = await failure { for try await _ in client.events(of: .orders) {} }
        guard case .refused(.orders, .notAllowed, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aServiceThatCantNowIsAskedAgain() async throws {
        let service = try FakeService(endpoints, log(of: 1))
        defer { service.stop() }
        service.refuse(.unavailable)
        async let first = client.events(of: .orders).first { _ in true }
        await service.asked(2)
        service.refuse(nil)
        #expect(try await first?.position.sequence == 1)
    }

    @Test func closingTheClientEndsItsSubscriptions() async throws {
        let service = try FakeService(endpoints)
        defer { service.stop() }
        let task = Task { [client] in
            await failure { for try await _ in client.events(of: .orders) {} }
        }
        await service.asked(1)
        client.close()
        guard case .closed? = await task.value else {
            Issue.record("not closed")
            return
        }
    }

    @Test func anUnknownServiceIsRefused() async throws {
        let error = await failure { for try await _ in client.events(of: .walks) {} }
        guard case .unknownService(.walks)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    // MARK: Steps

    private func log(of count: Int, text: String = "") -> FakeLog {
        var log = FakeLog()
        for _ in 0..<count { log.append("order", text: text) }
        return log
    }

    private func transaction(
        _ events: inout some AsyncIteratorProtocol<EventUpdate, ClientError>
    ) async throws -> EventTransaction {
        guard case .transaction(let transaction)? = try await events.next(isolation: nil) else {
            throw ClientError.malformedReply(.orders, "no transaction")
        }
        return transaction
    }

    /// Sends heartbeats until the service was asked so often.
    private func beat(_ service: FakeService, until reads: Int) async {
        while service.reads < reads {
            service.beat()
            await Task.yield()
        }
    }

    /// Waits until the subscriber said so many things of its subscriptions.
    private func told(_ service: FakeService, _ count: Int) async {
        var messages: [[UInt8]] = []
        while messages.count < count {
            messages += service.subscriptions()
            await Task.yield()
        }
    }
}
