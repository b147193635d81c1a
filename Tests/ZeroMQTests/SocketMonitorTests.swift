import Testing
import ZeroMQ

extension SocketMonitor {
    /// Takes events until one fits; those before it.
    @discardableResult
    func wait(until fits: (MonitorEvent) -> Bool) throws -> [MonitorEvent] {
        var seen: [MonitorEvent] = []
        while true {
            while let event = try next() {
                if fits(event) { return seen }
                seen.append(event)
            }
            try socket.wait(for: .receive)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct SocketMonitorTests {
    @Test func tellsTheStoryOfAConnection() throws {
        let fixture = try Fixture()
        let server = try Socket(fixture.context, .router)
        let client = try Socket(fixture.context, .dealer)
        let (serverSide, clientSide) = (try SocketMonitor(server), try SocketMonitor(client))
        let endpoint = try server.bind(fixture.endpoint(.tcp))
        try client.connect(endpoint)
        let clientStory = try clientSide.wait { $0.kind == .handshakeSucceeded }
        #expect(clientStory.map(\.kind).last == .connected)
        #expect(clientStory.last?.endpoint == endpoint.description)
        let serverStory = try serverSide.wait { $0.kind == .handshakeSucceeded }
        #expect(serverStory.map(\.kind) == [.listening, .accepted])
        #expect(serverStory.first?.endpoint == endpoint.description)
        client.close()
        try serverSide.wait { $0.kind == .disconnected }
    }

    @Test func aServerThatGoesIsNoticedAndLookedForAgain() throws {
        let fixture = try Fixture()
        let (server, client) = try fixture.pair(.router, .dealer, over: .ipc)
        let monitor = try SocketMonitor(client)
        try client.wait(for: .send)
        server.close()
        try monitor.wait { $0.kind == .disconnected }
        try monitor.wait { if case .connectRetried = $0.kind { true } else { false } }
        let again = try Socket(fixture.context, .router)
        try again.bind(fixture.endpoint(.ipc))
        try monitor.wait { $0.kind == .handshakeSucceeded }
        try client.deliver([[1]])
        #expect(try again.next().contents.last == [1])
    }

    @Test func outlivesTheSocketThatItWatches() throws {
        let fixture = try Fixture()
        let socket = try Socket(fixture.context, .router)
        let monitor = try SocketMonitor(socket)
        socket.close()
        try monitor.wait { $0.kind == .monitorStopped }
    }

    /// The connection ends on the I/O thread after both are gone: its last events must not stop that thread.
    @Test func goesWithItsSocketAndStopsNobody() throws {
        let fixture = try Fixture()
        let server = try Socket(fixture.context, .router)
        let endpoint = try server.bind(fixture.endpoint(.tcp))
        for _ in 0..<200 {
            let client = try Socket(fixture.context, .dealer)
            let monitor = try SocketMonitor(client)
            try client.connect(endpoint)
            try monitor.wait { $0.kind == .handshakeSucceeded }
            client.close()
        }
        let last = try Socket(fixture.context, .dealer)
        try last.connect(endpoint)
        try last.deliver([[1]])
        #expect(try server.next().contents.last == [1])
    }

    // 4.3.4 sends monitor events from the I/O thread with a blocking send.
    @Test func anUnreadMonitorStopsNobody() throws {
        let fixture = try Fixture()
        let server = try Socket(fixture.context, .router)
        let monitor = try SocketMonitor(server)
        let endpoint = try server.bind(fixture.endpoint(.ipc))
        for _ in 0..<1_200 {
            let client = try Socket(fixture.context, .dealer)
            try client.connect(endpoint)
            try client.deliver([[1]])
            #expect(try server.next().contents.last == [1])
        }
        var events = 0
        while try monitor.next() != nil { events += 1 }
        #expect(events > 2_400)
    }
}
