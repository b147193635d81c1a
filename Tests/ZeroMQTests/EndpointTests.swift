import Testing
import ZeroMQ

@Suite struct EndpointTests {
    static let accepted: [(String, Endpoint, isLocal: Bool)] = [
        ("tcp://127.0.0.1:7401", .tcp(host: "127.0.0.1", port: 7401), true),
        ("tcp://127.0.0.1:*", .tcp(host: "127.0.0.1", port: 0), true),
        ("tcp://127.255.1.2:65535", .tcp(host: "127.255.1.2", port: 65_535), true),
        ("tcp://localhost:1", .tcp(host: "localhost", port: 1), true),
        ("tcp://[::1]:7401", .tcp(host: "::1", port: 7401), true),
        ("tcp://[0:0:0:0:0:0:0:1]:7401", .tcp(host: "0:0:0:0:0:0:0:1", port: 7401), true),
        ("tcp://[fe80::1%eth0]:7401", .tcp(host: "fe80::1%eth0", port: 7401), false),
        ("tcp://[2001:db8::1]:7401", .tcp(host: "2001:db8::1", port: 7401), false),
        ("tcp://*:7401", .tcp(host: "*", port: 7401), false),
        ("tcp://0.0.0.0:7401", .tcp(host: "0.0.0.0", port: 7401), false),
        ("tcp://10.0.0.7:7401", .tcp(host: "10.0.0.7", port: 7401), false),
        ("tcp://127.0.0.1.example.org:7401", .tcp(host: "127.0.0.1.example.org", port: 7401), false),
        ("tcp://127.example.org:7401", .tcp(host: "127.example.org", port: 7401), false),
        ("tcp://catalog-1.my_net:7401", .tcp(host: "catalog-1.my_net", port: 7401), false),
        ("ipc:///run/daybook/catalog.events", .ipc(path: "/run/daybook/catalog.events"), true),
        ("ipc://" + String(repeating: "x", count: 107), .ipc(path: String(repeating: "x", count: 107)), true),
        ("inproc://zeromq.zap.01", .inproc(name: "zeromq.zap.01"), true),
    ]

    @Test(arguments: accepted) func readsAndWrites(_ text: String, _ endpoint: Endpoint, isLocal: Bool) throws {
        #expect(try Endpoint(parsing: text) == endpoint)
        #expect(endpoint.description == text)
        #expect(endpoint.isLocal == isLocal)
    }

    static let refused: [(String, ZeroMQError.EndpointFault)] = [
        ("", .malformed), ("tcp", .malformed), ("tcp:/127.0.0.1:1", .malformed), ("127.0.0.1:7401", .malformed),
        ("ws://127.0.0.1:80", .unsupportedTransport), ("wss://127.0.0.1:80", .unsupportedTransport),
        ("udp://127.0.0.1:80", .unsupportedTransport), ("pgm://eth0;239.0.0.1:80", .unsupportedTransport),
        ("epgm://eth0;239.0.0.1:80", .unsupportedTransport), ("vmci://*:*", .unsupportedTransport),
        ("tipc://{1,0,10}", .unsupportedTransport), ("TCP://127.0.0.1:1", .unsupportedTransport),
        ("://127.0.0.1:1", .unsupportedTransport), (" tcp://127.0.0.1:1", .unsupportedTransport),
        ("tcp://127.0.0.1", .badPort), ("tcp://127.0.0.1:", .badPort), ("tcp://127.0.0.1:65536", .badPort),
        ("tcp://127.0.0.1:+1", .badPort), ("tcp://127.0.0.1:-1", .badPort), ("tcp://127.0.0.1:0x1", .badPort),
        ("tcp://127.0.0.1: 1", .badPort), ("tcp://127.0.0.1:000001", .badPort), ("tcp://127.0.0.1:٣", .badPort),
        ("tcp://:7401", .badHost), ("tcp://a b:7401", .badHost), ("tcp://::1:7401", .badHost),
        ("tcp://[::1:7401", .badHost), ("tcp://[]:7401", .badHost), ("tcp://[127.0.0.1]:7401", .badHost),
        ("tcp://[::1::2]:7401", .badHost), ("tcp://[::g]:7401", .badHost), ("tcp://10.0.0.1;10.0.0.2:7401", .badHost),
        ("tcp://eth0/:7401", .badHost), ("tcp://é.example:7401", .badHost), ("tcp://a\0b:7401", .badHost),
        ("tcp://" + String(repeating: "x", count: 256) + ":1", .badHost),
        ("ipc://", .badPath), ("ipc://*", .badPath), ("ipc://@abstract", .badPath), ("ipc:///tmp/a\0b", .badPath),
        ("ipc://" + String(repeating: "x", count: 108), .badPath),
        ("ipc://" + String(repeating: "é", count: 54), .badPath),
        ("inproc://", .badName), ("inproc://a\0b", .badName),
    ]

    @Test(arguments: refused) func refuses(_ text: String, _ reason: ZeroMQError.EndpointFault) {
        #expect(throws: ZeroMQError.invalidEndpoint(text, reason: reason)) { try Endpoint(parsing: text) }
    }

    static let forBindOnly = [
        Endpoint.tcp(host: "127.0.0.1", port: 0), .tcp(host: "*", port: 7401), .tcp(host: "*", port: 0),
    ]

    @Test(arguments: forBindOnly) func connectsToNoWildcard(_ endpoint: Endpoint) throws {
        let dealer = try Socket(Context(), .dealer)
        #expect(throws: ZeroMQError.invalidEndpoint(endpoint.description, reason: .onlyForBind)) {
            try dealer.connect(endpoint)
        }
    }

    static let madeByHand: [(Endpoint, ZeroMQError.EndpointFault)] = [
        (.tcp(host: "", port: 1), .badHost), (.tcp(host: "a;b", port: 1), .badHost),
        (.tcp(host: "1:2", port: 1), .badHost),
        (.ipc(path: "/tmp/a\0b"), .badPath), (.ipc(path: ""), .badPath), (.inproc(name: ""), .badName),
    ]

    @Test(arguments: madeByHand) func bindsAndConnectsToNothingUnchecked(
        _ endpoint: Endpoint,
        _ reason: ZeroMQError.EndpointFault
    ) throws {
        let dealer = try Socket(Context(), .dealer)
        let error = ZeroMQError.invalidEndpoint(endpoint.description, reason: reason)
        #expect(throws: error) { try dealer.connect(endpoint) }
        #expect(throws: error) { try dealer.bind(endpoint) }
    }
}
