import Glibc
import Synchronization
import ZeroMQ

/// Passes bytes between the clients of a socket file and a service behind another, and breaks their connections when
/// told to: in the middle of a message, too.
public final class StreamRelay: Sendable {
    private let wakeUp: WakeUp
    private struct State {
        var isCutting = false
        var cuts = 0
        var isStopping = false
    }
    private let state = Mutex(State())
    private let done = Promise<Void>()

    /// Listens at `path` in front of the service that listens at `service`.
    public init(at path: String, before service: String) throws {
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        let listener = try Self.listen(at: path)
        DedicatedThread.start { [self] in
            pass(listener, service)
            done.keep(())
        }
    }

    /// How many connections were broken.
    public var cuts: Int { state.withLock { $0.cuts } }

    /// Breaks all connections; clients may connect again at once.
    public func cut() {
        state.withLock { $0.isCutting = true }
        wakeUp.signal()
    }

    /// Closes everything, and waits for that.
    public func stop() async {
        state.withLock { $0.isStopping = true }
        wakeUp.signal()
        await done.value
    }

    private func pass(_ listener: Int32, _ service: String) {
        /// The other end of each connection.
        var peers: [Int32: Int32] = [:]
        func end(_ descriptor: Int32) {
            for one in [descriptor, peers[descriptor] ?? -1] where peers.removeValue(forKey: one) != nil { close(one) }
        }
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            var items = ([wakeUp.fileDescriptor, listener] + peers.keys).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&items, nfds_t(items.count), -1)
            wakeUp.drain()
            let (isCutting, isStopping) = state.withLock { state in
                defer { state.isCutting = false }
                if state.isCutting { state.cuts += peers.count / 2 }
                return (state.isCutting, state.isStopping)
            }
            if isCutting || isStopping { for descriptor in Array(peers.keys) { end(descriptor) } }
            if isStopping { break }
            if items[1].revents != 0 {
                let client = accept(listener, nil, nil)
                let server = client < 0 ? -1 : Self.connected(to: service)
                if server >= 0 {
                    (peers[client], peers[server]) = (server, client)
                } else if client >= 0 {
                    // The service is away: so is this connection.
                    close(client)
                }
            }
            for item in items.dropFirst(2) where item.revents != 0 {
                guard let peer = peers[item.fd] else { continue }
                let count = read(item.fd, &block, block.count)
                if count <= 0 || !Self.sendAll(block.prefix(max(0, count)), to: peer) { end(item.fd) }
            }
        }
        close(listener)
    }

    private static func sendAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func listen(at path: String) throws(HarnessError) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let isBound = withAddress(path) { bind(descriptor, $0, $1) } == 0
        guard isBound, Glibc.listen(descriptor, 100) == 0 else { throw HarnessError("can't listen at \(path)") }
        return descriptor
    }

    /// -1 where nobody listens.
    private static func connected(to path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if withAddress(path, { connect(descriptor, $0, $1) }) == 0 { return descriptor }
        close(descriptor)
        return -1
    }

    private static func withAddress(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
