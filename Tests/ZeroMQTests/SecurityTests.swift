import Glibc
import Synchronization
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)), .enabled(if: Library.hasCurve, "libzmq without CURVE"))
struct SecurityTests {
    /// A ZAP handler (RFC 27) that lets the given keys in, under the name "known".
    final class Handler {
        private let wakeUp: WakeUp
        private let thread: Thread

        init(_ context: Context, admitting keys: [String]) throws {
            let wakeUp = try WakeUp()
            let ready = try WakeUp()
            self.wakeUp = wakeUp
            thread = Thread {
                do {
                    let rep = try Socket(context, .rep)
                    try rep.bind(ZAPRequest.endpoint)
                    ready.signal()
                    var poller = Poller()
                    let requests = poller.add(rep, .receive)
                    let stop = poller.add(fileDescriptor: wakeUp.fileDescriptor, .receive)
                    while true {
                        try poller.wait(timeout: nil)
                        if poller[stop] == .receive { return }
                        guard poller[requests] == .receive, let message = try rep.receive() else { continue }
                        guard let request = ZAPRequest(message) else { throw ZeroMQError.invalidKey }
                        let isKnown =
                            switch request.credentials {
                            case .curve(let key): keys.contains(key)
                            case .null(let user): user == geteuid()
                            case .other: false
                            }
                        let isOurs = request.domain == "daybook"
                        _ = try rep.send(isOurs && isKnown ? request.admitted(as: "known") : request.refused)
                    }
                } catch {
                    Issue.record(error)
                }
            }
            var poller = Poller()
            _ = poller.add(fileDescriptor: ready.fileDescriptor, .receive)
            try #require(try poller.wait(timeout: patience) == 1)
        }

        deinit {
            wakeUp.signal()
            thread.join()
        }
    }

    private static func server(_ keys: CurveKeyPair) -> SocketOptions {
        var options = SocketOptions()
        options.curve = .server(keys)
        options.zapDomain = "daybook"
        return options
    }

    private static func client(_ keys: CurveKeyPair, of server: CurveKeyPair) -> SocketOptions {
        var options = SocketOptions()
        options.curve = .client(keys, serverKey: server.publicKey)
        return options
    }

    @Test func aKnownKeyIsLetInAndNamed() throws {
        let context = Context()
        let (serverKeys, clientKeys) = (try CurveKeyPair.generate(), try CurveKeyPair.generate())
        let handler = try Handler(context, admitting: [clientKeys.publicKey])
        let router = try Socket(context, .router, options: Self.server(serverKeys))
        let dealer = try Socket(context, .dealer, options: Self.client(clientKeys, of: serverKeys))
        let monitor = try SocketMonitor(router)
        try dealer.connect(try router.bind(.tcp(host: "127.0.0.1", port: 0)))
        try monitor.wait { $0.kind == .handshakeSucceeded }
        try dealer.deliver([[1], [2]])
        let request = try router.next()
        #expect(request.contents.dropFirst() == [[1], [2]])
        #expect(request.frames.last?.metadata("User-Id") == "known")
        #expect(request.frames.last?.metadata("Peer-Address") == "127.0.0.1")
        #expect(request.frames.last?.metadata("None") == nil)
        #expect(Frame([1]).metadata("User-Id") == nil)
        withExtendedLifetime(handler) {}
    }

    /// Over ipc the kernel says which user it is, and ZAP tells that.
    @Test func overIpcTheUserIsAskedFor() throws {
        let fixture = try Fixture()
        let handler = try Handler(fixture.context, admitting: [])
        var options = SocketOptions()
        options.zapDomain = "daybook"
        let router = try Socket(fixture.context, .router, options: options)
        let dealer = try Socket(fixture.context, .dealer)
        try dealer.connect(try router.bind(fixture.endpoint(.ipc)))
        try dealer.deliver([[1]])
        #expect(try router.next().frames.last?.metadata("User-Id") == "known")
        withExtendedLifetime(handler) {}
    }

    /// Without a key over TCP there is nobody to be let in.
    @Test func plainlyOverTcpNobodyIsLetIn() throws {
        let context = Context()
        let handler = try Handler(context, admitting: [])
        var options = SocketOptions()
        options.zapDomain = "daybook"
        let router = try Socket(context, .router, options: options)
        let dealer = try Socket(context, .dealer)
        let monitor = try SocketMonitor(router)
        try dealer.connect(try router.bind(.tcp(host: "127.0.0.1", port: 0)))
        try monitor.wait { $0.kind == .handshakeFailed(.authentication(status: 400)) }
        withExtendedLifetime(handler) {}
    }

    static let noRequests: [[String]] = [
        [""], ["1.0", "1", "daybook", "127.0.0.1", "", "CURVE"],
        ["1.0", "1", "daybook", "127.0.0.1", "", "CURVE", "short"],
        ["2.0", "1", "daybook", "127.0.0.1", "", "NULL"], ["1.0", "1", "daybook", "127.0.0.1", ""],
    ]

    @Test(arguments: noRequests) func readsNoRequestOutOfWhatIsNone(_ frames: [String]) {
        #expect(ZAPRequest(Multipart(frames: frames.map { Frame([UInt8]($0)) })) == nil)
    }

    @Test(
        arguments: [("localhost:7:8:9", 7), ("127.0.0.1", nil), ("localhost", nil), ("evil:7:8:9", nil)]
            as [(String, UInt32?)]
    )
    func readsTheUserOutOfAnAddressOfIpcAlone(_ address: String, _ user: UInt32?) {
        let frames = ["1.0", "1", "daybook", address, "", "NULL"].map { Frame([UInt8]($0)) }
        #expect(ZAPRequest(Multipart(frames: frames))?.credentials == .null(user: user))
    }

    @Test func anUnknownKeyIsRefused() throws {
        let context = Context()
        let (serverKeys, clientKeys) = (try CurveKeyPair.generate(), try CurveKeyPair.generate())
        let handler = try Handler(context, admitting: [])
        let router = try Socket(context, .router, options: Self.server(serverKeys))
        let dealer = try Socket(context, .dealer, options: Self.client(clientKeys, of: serverKeys))
        let monitor = try SocketMonitor(router)
        try dealer.connect(try router.bind(.tcp(host: "127.0.0.1", port: 0)))
        try monitor.wait { $0.kind == .handshakeFailed(.authentication(status: 400)) }
        #expect(!dealer.canSend)
        withExtendedLifetime(handler) {}
    }

    @Test(arguments: [true, false]) func nobodyIsLetInWithoutAHandler(withCurve: Bool) throws {
        let context = Context()
        let (serverKeys, clientKeys) = (try CurveKeyPair.generate(), try CurveKeyPair.generate())
        var options = Self.server(serverKeys)
        if !withCurve { options.curve = nil }
        let router = try Socket(context, .router, options: options)
        let dealer = try Socket(
            context,
            .dealer,
            options: withCurve ? Self.client(clientKeys, of: serverKeys) : SocketOptions()
        )
        let monitor = try SocketMonitor(router)
        try dealer.connect(try router.bind(.tcp(host: "127.0.0.1", port: 0)))
        try monitor.wait { event in
            if case .handshakeFailed = event.kind { true } else { event.kind == .disconnected || event.kind == .closed }
        }
        #expect(!dealer.canSend)
    }

    @Test func refusesCurveWithoutADomain() throws {
        var options = SocketOptions()
        options.curve = .server(try CurveKeyPair.generate())
        #expect(throws: ZeroMQError.unprotectedCurve) { try Socket(Context(), .router, options: options) }
        options.zapDomain = ""
        #expect(throws: ZeroMQError.unprotectedCurve) { try Socket(Context(), .router, options: options) }
    }

    @Test func keepsTheSecretOutOfSight() throws {
        let keys = try CurveKeyPair.generate()
        var dumped = ""
        dump(keys, to: &dumped)
        for text in ["\(keys)", String(reflecting: keys), "\([keys])", "\(Self.server(keys))", dumped] {
            #expect(!text.contains(keys.secretKey))
            #expect(text.contains(keys.publicKey))
        }
    }

    @Test func readsBackItsKeys() throws {
        let keys = try CurveKeyPair.generate()
        #expect(try CurveKeyPair(secretKey: keys.secretKey) == keys)
        #expect(try CurveKeyPair(publicKey: keys.publicKey, secretKey: keys.secretKey) == keys)
        let other = try CurveKeyPair.generate()
        #expect(throws: ZeroMQError.invalidKey) {
            try CurveKeyPair(publicKey: other.publicKey, secretKey: keys.secretKey)
        }
    }

    // The pair of RFC 32's and libzmq's own documentation (zmq_curve_keypair(3)).
    @Test func derivesThePublishedPublicKey() throws {
        let keys = try CurveKeyPair(secretKey: "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6")
        #expect(keys.publicKey == "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7")
    }

    static let badKeys = [
        "", "short", String(repeating: "0", count: 39), String(repeating: "0", count: 41),
        String(repeating: " ", count: 40),
        String(repeating: "#", count: 40), String(repeating: "é", count: 20), "\0" + String(repeating: "0", count: 39),
    ]

    @Test(arguments: badKeys) func refusesWhatIsNoKey(_ text: String) throws {
        #expect(!CurveKeyPair.isKey(text))
        #expect(throws: ZeroMQError.invalidKey) { try CurveKeyPair(secretKey: text) }
        var options = SocketOptions()
        options.curve = .client(try CurveKeyPair.generate(), serverKey: text)
        #expect(throws: ZeroMQError.invalidKey) { try Socket(Context(), .dealer, options: options) }
    }
}
