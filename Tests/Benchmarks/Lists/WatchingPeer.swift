import Glibc
import Messages
import Support
import ZeroMQ

/// Many watchers of one list, each with a SUB socket; tells when all of them have a batch, and which.
enum WatchingPeer {
    static let word = "watching-peer"
    /// libzmq has at most 1,023 sockets in a context.
    private static let socketsOfContext = 250

    /// - Parameter arguments: where events are published, the list's topic, how many watch, where to report to.
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 4, let count = Int(arguments[2]), count > 0 else {
            throw HarnessError("\(word) takes events, topic, number and reports")
        }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let events = try Endpoint(parsing: arguments[0])
        var context = Context()
        var watchers: [Watcher] = []
        for number in 0..<count {
            if number % socketsOfContext == 0 { context = Context() }
            let socket = try Socket(context, .sub)
            try socket.subscribe(arguments[1].utf8)
            try socket.connect(events)
            watchers.append(Watcher(socket))
        }
        // Each subscription is answered with the list's state.
        for watcher in watchers { _ = try watcher.next() }
        let reports = try Socket(Context(), .push)
        try reports.connect(try Endpoint(parsing: arguments[3]))
        tellReady()
        while true {
            var first: [Frame]?
            for watcher in watchers {
                var frames = try watcher.next()
                while !Asking.isBatch(frames) { frames = try watcher.next() }
                guard first.map({ $0.map(\.bytes) == frames.map(\.bytes) }) ?? true else {
                    throw HarnessError("two watchers got different bytes")
                }
                first = first ?? frames
            }
            let number = try first.map { try Asking.batch($0).number } ?? 0
            _ = try reports.send([withUnsafeBytes(of: number) { Array($0) }])
        }
    }

    private final class Watcher {
        private let socket: Socket
        private var poller = Poller()

        init(_ socket: Socket) {
            self.socket = socket
            _ = poller.add(socket, .receive)
        }

        func next() throws -> [Frame] {
            while true {
                if let message = try socket.receive() { return message.frames }
                try poller.wait(timeout: nil)
            }
        }
    }
}

/// Tells whoever started this process that it is ready.
func tellReady() {
    guard let descriptor = Environment["DAYBOOK_READY_FD"].flatMap({ Int32($0) }) else { return }
    _ = write(descriptor, "ready\n", 6)
    close(descriptor)
}
