import Messages
import Testing
import ZeroMQ

@testable import Client

/// The rules of retries, budgets and links, with a clock that the test moves.
struct RequestTableTests {
    private let start = ContinuousClock.now

    // MARK: Retries

    @Test(arguments: [
        (RequestKind.command, 5000, [0, 250, 750, 1750, 3750], 5000),
        (.query, 1000, [0, 250, 750], 1000),
        (.query, 100, [0], 100),
        (.scan, 5000, [0, 2000, 4000], 5000),
        (.command, 0, [0], 0),
        (.command, -1, [0], 0),
        (.command, 9000, [0, 250, 750, 1750, 3750, 5750, 7750], 9000),
    ])
    func sendsUnansweredRequestsAgainUntilTheBudgetEnds(kind: RequestKind, timeout: Int, sends: [Int], end: Int) {
        var run = Run(start)
        run.submit(1, outgoing(kind), timeout: .milliseconds(timeout))
        run.idle()
        #expect(run.sent.map(\.at) == sends)
        #expect(run.outcomes.map(\.at) == [end])
        guard case .failure(.unreachable(.catalog, endpoint, let after)) = run.outcomes.first?.outcome else {
            Issue.record("not unreachable: \(run.outcomes)")
            return
        }
        #expect(after == .milliseconds(end))
        #expect(run.table.count == 0)
        #expect(run.table.wake == nil)
    }

    @Test func keepsIdKeyAndContentAndTellsTheBudgetThatIsLeft() {
        var run = Run(start)
        let request = outgoing(.command)
        run.submit(7, request, timeout: .seconds(2))
        run.idle()
        #expect(run.sent.map(\.attempt.budget) == [2000, 1750, 1250, 250].map { .milliseconds($0) })
        for sent in run.sent {
            #expect(sent.attempt.id == 7)
            #expect(sent.attempt.request.key == request.key)
            #expect(sent.attempt.request.body == request.body)
        }
    }

    @Test func holdsAnEndlessBudgetToADay() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(Int64.max))
        #expect(run.sent.map(\.attempt.budget) == [.seconds(86_400)])
    }

    @Test func takesTheFirstAnswerAndDropsLaterOnes() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.move(to: 300)
        run.reply(1, .ok, link: 1)
        run.reply(1, .conflict, link: 2)
        run.reply(99, .ok, link: 2)
        #expect(run.outcomes.map(\.status) == [.ok])
        run.idle()
        #expect(run.sent.map(\.at) == [0, 250])
        #expect(run.outcomes.count == 1)
    }

    @Test(arguments: Status.allCases)
    func retriesWhatTheStatusAllows(status: Status) {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.move(to: 10)
        run.reply(1, status)
        #expect(run.outcomes.isEmpty == status.isRetryable)
        run.move(to: 400)
        #expect(run.sent.map(\.at) == (status.isRetryable ? [0, 260] : [0]))
        run.reply(1, .ok)
        #expect(run.outcomes.map(\.status) == [status.isRetryable ? .ok : status])
    }

    @Test(
        arguments: [
            (1000, [0, 1000, 2000, 3000, 4000], 4000),
            (1, [0, 10, 20, 30, 40], nil),
            (-5, [0, 10, 20, 30, 40], nil),
            (4999, [0, 4999], 4999),
            (5000, [0], 0),
            (Int.max, [0], 0),
            (nil, [0, 250, 750, 1750, 3750], 3750),
        ] as [(Int?, [Int], Int?)]
    )
    func restsAsLongAsTheServiceAsks(retryAfter: Int?, sends: [Int], end: Int?) {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        for _ in 0..<5 where run.outcomes.isEmpty {
            run.reply(1, .unavailable, retryAfter: retryAfter)
            run.advanceToNextSend()
        }
        #expect(Array(run.sent.map(\.at).prefix(5)) == sends)
        // The budget doesn't reach the next attempt: the last answer is the outcome, at once.
        #expect(run.outcomes.map(\.at) == (end.map { [$0] } ?? []))
        #expect(run.outcomes.allSatisfy { $0.status == .unavailable })
    }

    @Test func givesUpAfterThreeFaultsOfTheService() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(60))
        for _ in 0..<3 {
            run.reply(1, .internal)
            run.advanceToNextSend()
        }
        #expect(run.sent.map(\.at) == [0, 250, 750])
        #expect(run.outcomes.map(\.status) == [.internal])
    }

    @Test func tellsTheLastRefusalWhereTheRestWasSilence() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(1))
        run.reply(1, .unavailable)
        run.idle()
        #expect(run.outcomes.map(\.status) == [.unavailable])
        #expect(run.outcomes.map(\.at) == [1000])
    }

    @Test func tellsWhyRatherThanThatTheRestWasTooShort() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(1))
        run.reply(1, .storageFull)
        run.move(to: 900)
        run.reply(1, .timedOut)
        run.idle()
        #expect(run.outcomes.map(\.status) == [.storageFull])

        var other = Run(start)
        other.submit(1, outgoing(), timeout: .milliseconds(100))
        other.reply(1, .timedOut)
        #expect(other.outcomes.map(\.status) == [.timedOut])
    }

    @Test func restsOnceForTwoRefusals() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.move(to: 260)
        run.reply(1, .unavailable, link: 2, retryAfter: 100)
        run.reply(1, .unavailable, link: 1, retryAfter: 100)
        run.move(to: 400)
        #expect(run.sent.map(\.at) == [0, 250, 360])
    }

    // MARK: Cancellation

    @Test func forgetsACancelledRequest() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.submit(2, outgoing(), timeout: .seconds(5))
        run.move(to: 300)
        run.perform(run.table.cancel(1))
        run.perform(run.table.cancel(1))
        run.reply(1, .ok)
        #expect(run.outcomes.isEmpty)
        #expect(run.closed.isEmpty)
        run.perform(run.table.cancel(2))
        #expect(run.table.count == 0)
        #expect(run.closed == [1])
        run.idle()
        #expect(run.sent.map(\.at) == [0, 0, 250, 250])
    }

    // MARK: Links

    @Test func replacesASilentLinkWithDoubledPatience() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(20))
        run.move(to: 19_999)
        // Opened at 0, 250, 750, 1750, 3750, 7750, 15750: each waits twice as long as the one before.
        #expect(run.opened == [1, 2, 3, 4, 5, 6, 7])
        #expect(run.closed.isEmpty)
        // A slow answer to the first attempt is still heard.
        run.reply(1, .ok, link: 1)
        #expect(run.outcomes.map(\.status) == [.ok])
        #expect(run.closed == [1, 2, 3, 4, 5, 6])
    }

    @Test func keepsALinkThatAnswersOthers() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.submit(2, outgoing(), timeout: .seconds(5))
        run.move(to: 100)
        run.reply(2, .ok)
        run.move(to: 300)
        #expect(run.opened == [1])
        #expect(run.sent.map(\.attempt.id) == [1, 2, 1])
        // Nothing came since the second attempt at 250, so the third one takes a new link.
        run.move(to: 800)
        #expect(run.opened == [1, 2])
    }

    @Test func waitsForRoomWithoutSendingAgain() {
        var run = Run(start)
        run.blockedLinks = [1]
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.submit(2, outgoing(), timeout: .seconds(5))
        run.move(to: 3000)
        #expect(run.sent.isEmpty)
        #expect(run.opened == [1])
        run.blockedLinks = []
        run.perform(run.table.writable(1, at: run.now))
        #expect(run.sent.map(\.attempt.id) == [1, 2])
        #expect(run.sent.map(\.attempt.budget) == [.seconds(2), .seconds(2)])
        run.move(to: 3250)
        #expect(run.sent.map(\.at) == [3000, 3000, 3250, 3250])
    }

    @Test func takesWaitingRequestsAlongToANewLink() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.blockedLinks = [1]
        run.submit(2, outgoing(), timeout: .seconds(5))
        run.move(to: 250)
        #expect(run.sent.map(\.attempt.link) == [1, 2, 2])
        #expect(Set(run.sent.dropFirst().map(\.attempt.id)) == [1, 2])
    }

    @Test func failsTheRequestsOfABrokenLinkOnly() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.submit(2, outgoing(service: .orders), timeout: .seconds(5))
        run.perform(run.table.failed(1, .transport(.closed(.send))))
        #expect(run.outcomes.map(\.id) == [1])
        #expect(run.closed == [1])
        run.submit(3, outgoing(), timeout: .seconds(5))
        #expect(run.opened == [1, 2, 3])
        // A reply on a link that is gone reaches nobody.
        run.reply(3, .ok, link: 1)
        #expect(run.outcomes.count == 1)
    }

    @Test func whatCantBeSentOverALinkGoesOverItsSuccessor() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.blockedLinks = [1]
        run.submit(2, outgoing(), timeout: .seconds(5))
        run.perform(run.table.renew(1, at: start))
        #expect(run.opened == [1, 2])
        #expect(Set(run.sent.filter { $0.attempt.link == 2 }.map(\.attempt.id)) == [1, 2])
        // A slow answer may still come by the old one.
        #expect(run.closed.isEmpty)
        run.reply(1, .ok, link: 1)
        run.reply(2, .ok, link: 2)
        #expect(run.outcomes.map(\.id) == [1, 2])
        #expect(run.closed == [1])
    }

    @Test func aLinkThatNobodyNeedsIsNotRenewed() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.reply(1, .ok, link: 1)
        run.perform(run.table.renew(1, at: start))
        #expect(run.opened == [1])
        #expect(run.closed == [1])
    }

    @Test func tellsInTheEndWhatStoodInTheWay() {
        var run = Run(start)
        run.blockedLinks = [1]
        let request = outgoing()
        run.submit(1, request, timeout: .seconds(1))
        run.table.hindered(1, .handshake(.catalog, request.endpoint, .unfinished(publicKey: "catalog.key")))
        run.idle()
        guard case .failure(.handshake(.catalog, _, .unfinished)) = run.outcomes.first?.outcome else {
            Issue.record("not hindered: \(run.outcomes)")
            return
        }
        // Once the service was heard, it is silence again.
        run.blockedLinks = []
        run.submit(2, request, timeout: .seconds(1))
        run.reply(2, .ok, link: 1)
        run.submit(3, request, timeout: .milliseconds(100))
        run.idle()
        guard case .failure(.unreachable) = run.outcomes.last?.outcome else {
            Issue.record("not unreachable: \(run.outcomes)")
            return
        }
    }

    @Test func ignoresAnAnswerFromAnotherService() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.submit(2, outgoing(service: .orders), timeout: .seconds(5))
        run.reply(1, .ok, link: 2)
        #expect(run.outcomes.isEmpty)
    }

    // MARK: Malformed replies

    @Test func blamesTheRequestThatAMalformedReplyNames() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.submit(2, outgoing(), timeout: .seconds(5))
        run.perform(run.table.receivedMalformed(2, "bad", from: 1, at: run.now))
        #expect(run.outcomes.map(\.id) == [2])
    }

    @Test func blamesAllThatWereSentWhereNoIdCanBeRead() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.submit(2, outgoing(), timeout: .seconds(5))
        run.submit(3, outgoing(service: .orders), timeout: .seconds(5))
        run.perform(run.table.receivedMalformed(nil, "bad", from: 1, at: run.now))
        #expect(run.outcomes.map(\.id) == [1, 2])
    }

    @Test func takesAnAnswerWithoutIdForAllThatWereSent() {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.reply(0, .invalid)
        #expect(run.outcomes.map(\.status) == [.invalid])
    }

    @Test(arguments: [(1, Status.ok, true), (2, .ok, false), (2, .unsupportedVersion, true), (0, .conflict, false)])
    func readsItsOwnVersionOnly(version: Int, status: Status, isRead: Bool) {
        var run = Run(start)
        run.submit(1, outgoing(), timeout: .seconds(5))
        run.reply(1, status, version: version)
        #expect(run.outcomes.map(\.status) == [isRead ? status : nil])
    }
}

private let endpoint = Endpoint.inproc(name: "catalog")

private func outgoing(_ kind: RequestKind = .command, service: ServiceName = .catalog) -> Outgoing {
    Outgoing(
        service: service,
        endpoint: endpoint,
        operation: "customer.put",
        kind: kind,
        key: kind == .command ? .make() : nil,
        after: [:],
        body: Frame([0xA0])
    )
}

/// A table with a clock in milliseconds and a record of its actions.
private struct Run {
    var table = RequestTable()
    var sent: [(at: Int, attempt: RequestTable.Attempt)] = []
    struct Ended {
        var at: Int
        var id: UInt64
        var outcome: Outcome

        var status: Status? { try? outcome.get().header.status }
    }

    var outcomes: [Ended] = []
    var opened: [Int] = []
    var closed: [Int] = []
    var blockedLinks: Set<Int> = []
    private let start: ContinuousClock.Instant
    private var milliseconds = 0

    init(_ start: ContinuousClock.Instant) {
        self.start = start
    }

    var now: ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    mutating func submit(_ id: UInt64, _ request: Outgoing, timeout: Duration) {
        perform(table.submit(id, request, timeout: timeout, at: now))
        perform(table.advance(to: now))
    }

    mutating func reply(
        _ id: UInt64,
        _ status: Status,
        link: Int = 1,
        retryAfter: Int? = nil,
        version: Int = RequestHeader.currentVersion
    ) {
        var header = ReplyHeader(id: id, status: status, retryAfter: retryAfter)
        header.version = version
        perform(table.received(Answer(header: header, body: [Frame([0xA0])]), from: link, at: now))
    }

    /// Moves on to when the table wants to be woken.
    mutating func advance() {
        guard let wake = table.wake else { return }
        milliseconds = max(milliseconds, (wake - start).wholeMilliseconds)
        perform(table.advance(to: now))
    }

    /// Moves on until something is sent, or nothing is pending.
    mutating func advanceToNextSend() {
        let count = sent.count
        while sent.count == count, table.wake != nil { advance() }
    }

    /// Moves on, waking the table whenever it wants to be.
    mutating func move(to end: Int) {
        while let wake = table.wake, (wake - start).wholeMilliseconds <= end { advance() }
        milliseconds = end
    }

    /// Moves on until nothing is pending.
    mutating func idle() {
        var turns = 0
        while table.wake != nil, turns < 1000 {
            advance()
            turns += 1
        }
    }

    mutating func perform(_ actions: [RequestTable.Action]) {
        for action in actions {
            switch action {
            case .open(let link, _, _): opened.append(link)
            case .close(let link): closed.append(link)
            case .send(let attempt):
                if blockedLinks.contains(attempt.link) {
                    table.blocked(attempt)
                } else {
                    sent.append((milliseconds, attempt))
                }
            case .finish(let id, let outcome): outcomes.append(Ended(at: milliseconds, id: id, outcome: outcome))
            }
        }
    }
}
