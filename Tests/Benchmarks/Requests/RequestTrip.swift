import Client
import Glibc
import Messages
import Support
import ZeroMQ

/// A query by key, from sending to its reply, over each way that a service is reached, beside a bare trip of the same frames.
enum RequestTrip {
    static var benchmark: Benchmark {
        Benchmark(
            name: "request-trip",
            title: "customer.get → reply, one in flight; ratio to the bare trip over ipc",
            rounds: 7,
            prepare: { scratch in
                let keys = (server: try CurveKeyPair.generate(), client: try CurveKeyPair.generate())
                let curve = SocketOptions.Curve.client(keys.client, serverKey: keys.server.publicKey)
                let plain = try endpoints()
                let (_, ipc) = try await scratch.start(.catalog, in: "plain", listening(plain))
                let guarded = try endpoints()
                try allow(keys.server, keys.client, in: KeyFolder(path: "\(scratch.folder)/guarded/keys"))
                _ = try await scratch.start(.catalog, in: "guarded", listening(guarded))
                let daybook = [
                    try Trip("Daybook, ipc", Asking(ipc)), try Trip("Daybook, tcp", Asking(plain)),
                    try Trip("Daybook, tcp and CURVE", Asking(guarded, curve: curve)),
                ]
                for trip in daybook { try trip.makeCustomer() }
                let sample = try daybook[0].sample()
                let folder = scratch.folder
                let file = ServiceEndpoints(
                    requests: .ipc(path: "\(folder)/bare"),
                    events: .ipc(path: "\(folder)/told")
                )
                let bare = [
                    try await bare("bare ZeroMQ, ipc", scratch, file, sample),
                    try await bare("bare ZeroMQ, tcp", scratch, try endpoints(), sample),
                    try await bare(
                        "bare ZeroMQ, tcp and CURVE",
                        scratch,
                        try endpoints(),
                        sample,
                        (keys.server, curve)
                    ),
                ]
                return (bare + daybook).map { trip in Case(name: trip.name, measure: trip.measure) }
            }
        )
    }

    private static let requests = 2000

    private static func endpoints() throws -> ServiceEndpoints {
        try ServiceEndpoints(parsing: "tcp://127.0.0.1:\(try Ports.free(2))")
    }

    private static func listening(_ endpoints: ServiceEndpoints) -> [String: String] {
        ["DAYBOOK_CATALOG_LISTEN": endpoints.requests.description]
    }

    /// Lays the service's key and a reader's where the service looks for them.
    private static func allow(_ server: CurveKeyPair, _ client: CurveKeyPair, in folder: KeyFolder) throws {
        let parents = [String(folder.path.dropLast("/keys".utf8.count)), folder.path, folder.publicFolder]
        for path in parents where mkdir(path, 0o700) != 0 { throw HarnessError("can't make \(path)") }
        let files = [
            (folder.secretPath("catalog"), KeyFile(name: "catalog", role: .service, pair: server)),
            (folder.publicPath("catalog"), KeyFile(name: "catalog", role: .service, publicKey: server.publicKey)),
            (folder.publicPath("client"), KeyFile(name: "client", role: .writer, publicKey: client.publicKey)),
        ]
        for (path, file) in files {
            try File.write(Array(file.text.utf8), to: path)
            chmod(path, 0o600)
        }
    }

    private static func bare(
        _ name: String,
        _ scratch: Scratch,
        _ endpoints: ServiceEndpoints,
        _ sample: (request: [[UInt8]], reply: [[UInt8]]),
        _ keys: (server: CurveKeyPair, curve: SocketOptions.Curve)? = nil
    ) async throws -> Trip {
        var arguments = [BarePeer.word, endpoints.requests.description, endpoints.events.description]
        if let keys { arguments.append(keys.server.secretKey) }
        _ = try await scratch.startPeer(arguments)
        let asking = try Asking(endpoints, curve: keys?.curve)
        // It publishes something with each reply, too, which nobody hears here.
        try asking.send([Array("frames".utf8)] + sample.reply + [[0], [0]])
        _ = try asking.reply()
        let trip = try Trip(name, asking)
        trip.request = sample.request
        return trip
    }

    private final class Trip {
        let name: String
        private let asking: Asking
        var request: [[UInt8]] = []

        init(_ name: String, _ asking: Asking) throws {
            self.name = name
            self.asking = asking
        }

        func makeCustomer() throws {
            let customer = try asking.ask(
                Put(Customer(name: "Ada Lind", email: "ada@example.org", phone: "+47 22 00 00 00"))
            )
            request = try RawSocket.frames(Get<Customer>(id: customer.id))
        }

        /// A request and its reply, as bytes.
        func sample() throws -> (request: [[UInt8]], reply: [[UInt8]]) {
            try asking.send(request)
            return (request, try asking.reply().map(\.bytes))
        }

        func measure() throws -> [Figure] {
            var times: [UInt64] = []
            for _ in 0..<RequestTrip.requests {
                let start = now()
                try asking.send(request)
                _ = try asking.reply()
                times.append(now() - start)
            }
            return Figure.times("request → reply", times)
        }
    }
}
