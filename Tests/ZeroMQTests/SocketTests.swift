import Glibc
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5))) struct SocketTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    @Test(arguments: Transport.allCases) func carriesARequestWithItsEnvelope(over transport: Transport) throws {
        let (router, req) = try fixture.pair(.router, .req, over: transport)
        try req.deliver([[UInt8]("header"), [UInt8]("body")])
        let request = try router.next()
        #expect(request.frames.count == 4)
        #expect(request.frames[0].count == 5)
        #expect(request.contents.dropFirst() == [[], [UInt8]("header"), [UInt8]("body")])
        #expect(try router.send(Array(request.frames[..<2]) + [Frame([UInt8]("answer"))]) == .sent)
        #expect(try req.next().contents == [[UInt8]("answer")])
    }

    @Test(arguments: Transport.allCases) func answersAReqFromARep(over transport: Transport) throws {
        let (rep, req) = try fixture.pair(.rep, .req, over: transport)
        try req.deliver([[1]])
        #expect(try rep.next().contents == [[1]])
        #expect(try rep.send([[2], []]) == .sent)
        #expect(try req.next().contents == [[2], []])
    }

    @Test(arguments: Transport.allCases) func carriesManyFramesBothWays(over transport: Transport) throws {
        let (router, dealer) = try fixture.pair(.router, .dealer, over: transport)
        let frames = (0..<66).map { [UInt8](repeating: UInt8($0), count: $0 * 37) }
        try dealer.deliver(frames)
        let request = try router.next()
        #expect(request.droppedFrames == 0)
        #expect(request.contents.dropFirst() == frames[...])
        #expect(try router.send(request.frames) == .sent)
        #expect(try dealer.next().contents == frames)
        #expect(try dealer.receive() == nil)
    }

    @Test func saysThatAPeerIsUnreachable() throws {
        let (router, dealer) = try fixture.pair(.router, .dealer)
        #expect(try router.send([[9, 9, 9], [1]]) == .unreachable)
        try dealer.deliver([[1]])
        let id = try router.next().frames[0]
        #expect(try router.send([id, Frame([2])]) == .sent)
        #expect(try dealer.next().contents == [[2]])
    }

    @Test func saysThatAPeerIsGone() throws {
        let (router, dealer) = try fixture.pair(.router, .dealer, over: .tcp)
        let monitor = try SocketMonitor(router)
        try dealer.deliver([[1]])
        let id = try router.next().frames[0]
        dealer.close()
        try monitor.wait { $0.kind == .disconnected }
        // The event comes from the I/O thread, a little before the ROUTER hears of it, which is when it receives.
        let deadline = ContinuousClock.now + patience
        var result = SendResult.sent
        while result != .unreachable, .now < deadline {
            #expect(try router.receive() == nil)
            result = try router.send([id, Frame([2])])
        }
        #expect(result == .unreachable)
    }

    @Test(arguments: [1, 2, 3]) func blocksAtTheHighWaterMark(_ frameCount: Int) throws {
        var options = SocketOptions()
        options.sendHighWaterMark = 1
        options.receiveHighWaterMark = 1
        let (push, pull) = try fixture.pair(.push, .pull, options: options)
        let frames = [[UInt8]](repeating: [7], count: frameCount)
        #expect(try push.send(frames) == .sent)
        #expect(try push.send(frames) == .sent)
        #expect(!push.canSend)
        #expect(try push.send(frames) == .wouldBlock)
        // What would block leaves nothing behind: exactly two whole messages come, and then there is room again.
        #expect(try pull.next().contents == frames)
        #expect(try pull.next().contents == frames)
        #expect(try pull.receive() == nil)
        try push.deliver(frames)
        #expect(try pull.next().contents == frames)
    }

    @Test func aClientQueuesNothingForAServerThatIsDown() throws {
        let dealer = try Socket(fixture.context, .dealer)
        try dealer.connect(.ipc(path: fixture.folder + "/b"))
        #expect(!dealer.canSend)
        #expect(try dealer.send([[1]]) == .wouldBlock)
        var options = SocketOptions()
        options.immediate = false
        let eager = try Socket(fixture.context, .dealer, options: options)
        try eager.connect(.ipc(path: fixture.folder + "/b"))
        #expect(try eager.send([[1]]) == .sent)
    }

    @Test func closesThePeerOfATooLargeFrame() throws {
        let (router, dealer) = try fixture.pair(.router, .dealer, over: .tcp)
        let monitor = try SocketMonitor(router)
        try dealer.deliver([[UInt8](repeating: 1, count: 1 << 20)])
        #expect(try router.next().frames[1].count == 1 << 20)
        try dealer.deliver([[UInt8](repeating: 1, count: 1 << 20 + 1)])
        try monitor.wait { $0.kind == .disconnected }
        #expect(try router.receive() == nil)
    }

    @Test(arguments: [67, 68, 200]) func capsTheFrames(_ count: Int) throws {
        let (router, dealer) = try fixture.pair(.router, .dealer)
        try dealer.deliver((0..<count).map { [UInt8($0)] })
        try dealer.deliver([[1]])
        let request = try router.next()
        #expect(request.frames.count == 68)
        #expect(request.droppedFrames == count + 1 - 68)
        #expect(request.contents[1...] == (0..<67).map { [UInt8($0)] }[...])
        // The next message starts at its own first frame, and the sender can be answered.
        #expect(try router.next().contents.dropFirst() == [[1]])
        #expect(try router.send([request.frames[0], Frame([2])]) == .sent)
        #expect(try dealer.next().contents == [[2]])
    }

    @Test(arguments: Transport.allCases) func anXPubSeesEverySubscription(over transport: Transport) throws {
        let (xpub, sub) = try fixture.pair(.xpub, .sub, over: transport)
        try sub.subscribe("orders/".utf8)
        #expect(try xpub.next().contents == [[1] + [UInt8]("orders/")])
        // Verbose: a second subscriber to the same topic is seen too.
        let second = try Socket(fixture.context, .xsub)
        try second.connect(try xpub.bind(.inproc(name: "second")))
        try second.deliver([[1] + [UInt8]("orders/")])
        #expect(try xpub.next().contents == [[1] + [UInt8]("orders/")])
        second.close()
        try sub.unsubscribe("orders/".utf8)
        #expect(try xpub.next().contents == [[0] + [UInt8]("orders/")])
    }

    @Test func aSubReceivesItsPrefixesOnly() throws {
        let (xpub, sub) = try fixture.pair(.xpub, .sub, over: .tcp)
        try sub.subscribe("a/".utf8)
        try sub.subscribe("b/x".utf8)
        _ = try xpub.next()
        _ = try xpub.next()
        for topic in ["a/1", "A/1", "b/", "b/y", "b/x", "", "a", "a/"] {
            #expect(try xpub.send([[UInt8](topic), [1]]) == .sent)
        }
        for topic in ["a/1", "b/x", "a/"] { #expect(try sub.next().contents == [[UInt8](topic), [1]]) }
        #expect(try sub.receive() == nil)
    }

    @Test func refusesALongTopic() throws {
        let sub = try Socket(fixture.context, .sub)
        try sub.subscribe([UInt8](repeating: 1, count: 245))
        #expect(throws: ZeroMQError.topicTooLong(246)) { try sub.subscribe([UInt8](repeating: 1, count: 246)) }
    }

    @Test func bindsToAPortOfTheSystemsChoice() throws {
        let router = try Socket(fixture.context, .router)
        guard case .tcp("127.0.0.1", let port) = try router.bind(.tcp(host: "127.0.0.1", port: 0)) else {
            Issue.record("no tcp endpoint")
            return
        }
        #expect(port != 0)
        let second = try Socket(fixture.context, .router)
        let taken = Endpoint.tcp(host: "127.0.0.1", port: port)
        #expect(throws: ZeroMQError.failed(.bind, endpoint: taken, SystemError(number: EADDRINUSE))) {
            try second.bind(taken)
        }
        try router.unbind(taken)
        #expect(throws: ZeroMQError.failed(.unbind, endpoint: taken, SystemError(number: ENOENT))) {
            try router.unbind(taken)
        }
    }

    @Test func talksOverIPv6() throws {
        let router = try Socket(fixture.context, .router)
        let dealer = try Socket(fixture.context, .dealer)
        let endpoint = try router.bind(.tcp(host: "::1", port: 0))
        #expect(endpoint.isLocal)
        try dealer.connect(endpoint)
        try dealer.deliver([[6]])
        #expect(try router.next().contents.last == [6])
        try dealer.disconnect(endpoint)
        #expect(throws: ZeroMQError.failed(.disconnect, endpoint: endpoint, SystemError(number: ENOENT))) {
            try dealer.disconnect(endpoint)
        }
    }

    @Test func namesTheErrorAndTheOperation() throws {
        let rep = try Socket(fixture.context, .rep)
        let error = #expect(throws: ZeroMQError.self) { try rep.send([[1]]) }
        #expect(
            error?.description
                == "send failed: Operation cannot be accomplished in current state (EFSM)."
        )
        let unbound = #expect(throws: ZeroMQError.self) { try rep.unbind(.inproc(name: "none")) }
        #expect(unbound?.description == "unbind failed for inproc://none: No such file or directory (ENOENT).")
    }

    @Test func aClosedSocketSaysSo() throws {
        let dealer = try Socket(fixture.context, .dealer)
        #expect(dealer.isOpen)
        dealer.close()
        dealer.close()
        #expect(!dealer.isOpen)
        #expect(dealer.canReceive && dealer.canSend)
        #expect(throws: ZeroMQError.closed(.receive)) { try dealer.receive() }
        #expect(throws: ZeroMQError.closed(.send)) { try dealer.send([[1]]) }
        #expect(throws: ZeroMQError.closed(.bind)) { try dealer.bind(.inproc(name: "a")) }
        var poller = Poller()
        _ = poller.add(dealer, .receive)
        #expect(throws: ZeroMQError.closed(.poll)) { try poller.wait(timeout: .zero) }
    }

    @Test func terminatingTheContextClosesItsSockets() throws {
        let context = Context()
        let dealer = try Socket(context, .dealer)
        context.terminate()
        context.terminate()
        #expect(throws: ZeroMQError.closed(.receive)) { try dealer.receive() }
        #expect(throws: ZeroMQError.closed(.createSocket)) { try Socket(context, .pub) }
    }
}
