import Glibc
import Testing
import ZeroMQ

/// A context, and a folder for sockets that goes with it.
final class Fixture {
    let context = Context()
    let folder: String

    init() throws {
        var template = Array("/tmp/daybook-zeromq-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in Self.socketNames { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private static let socketNames = ["a", "b"]

    /// An endpoint to bind, of each transport.
    func endpoint(_ transport: Transport) -> Endpoint {
        switch transport {
        case .tcp: .tcp(host: "127.0.0.1", port: 0)
        case .ipc: .ipc(path: "\(folder)/a")
        case .inproc: .inproc(name: "a")
        }
    }

    /// A bound socket and a connected one.
    func pair(
        _ bound: SocketType,
        _ connected: SocketType,
        over transport: Transport = .inproc,
        options: SocketOptions = SocketOptions()
    ) throws -> (Socket, Socket) {
        let server = try Socket(context, bound, options: options)
        let client = try Socket(context, connected, options: options)
        try client.connect(try server.bind(endpoint(transport)))
        return (server, client)
    }
}

enum Transport: CaseIterable {
    case tcp, ipc, inproc
}

/// The longest that anything here may take.
let patience = Duration.seconds(20)

extension Socket {
    /// Waits for an event.
    func wait(for events: Poller.Events) throws {
        var poller = Poller()
        let slot = poller.add(self, events)
        try poller.wait(timeout: patience)
        try #require(poller[slot].contains(events), "nothing happened")
    }

    /// Waits for a message.
    func next() throws -> Multipart {
        try wait(for: .receive)
        return try #require(try receive())
    }

    /// Waits until a message can be sent, then sends it.
    func deliver(_ frames: [[UInt8]]) throws {
        try wait(for: .send)
        try #require(try send(frames) == .sent)
    }
}

extension Multipart {
    /// The frames' bytes.
    var contents: [[UInt8]] { frames.map(\.bytes) }
}

extension [UInt8] {
    init(_ text: String) {
        self.init(text.utf8)
    }
}

/// Runs `body` on a thread of its own, and waits for it with `join()`.
final class Thread {
    private var id = pthread_t()

    init(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(body)).toOpaque()
        pthread_create(
            &id,
            nil,
            { argument in
                if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            },
            box
        )
    }

    func join() {
        pthread_join(id, nil)
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
