internal import CSystem
internal import Glibc
internal import Messages
internal import Store
internal import ZeroMQ

/// A program that is run for one result: bytes at its standard input, bytes at its standard output.
public struct ChildProgram: Sendable {
    public let path: String
    let arguments: [String]

    init(path: String, arguments: [String] = []) {
        self.path = path
        self.arguments = arguments
    }

    /// A program of the folder in which this service's own executable lies.
    public init(besideThis name: String) {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let own = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.init(path: String(own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex)) + "/" + name)
    }

    /// What a program left that ended by itself.
    public struct Output: Sendable, Hashable {
        public enum Ending: Sendable, Hashable {
            case exited(Int32)
            /// Ended by a signal: by the kernel, by itself, or by somebody.
            case signalled(Int32)
        }

        public var ending: Ending
        /// Standard output.
        public var bytes: [UInt8]
        /// The start of standard error.
        public var message: String
    }

    /// More of standard error is dropped.
    static let mostMessageBytes = 4096

    /// Runs the program to its end. It inherits no descriptor and no blocked or ignored signal, and is killed where the
    /// allowance ends before it does.
    ///
    /// - Parameter mostBytes: a program that writes more is killed.
    /// - Throws: `timed-out` at the end of the budget, `unavailable` where the service stops or the program can't be started, a
    ///   fault where it writes too much.
    public func run(
        _ input: [UInt8],
        mostBytes: Int,
        allowance: Allowance
    ) throws(ServiceError) -> Output {
        guard access(path, X_OK) == 0 else {
            throw .unavailable("the program \(path) is missing: build or install it", retryAfter: 60_000)
        }
        let channels = [try Channel(), try Channel(), try Channel()]
        let process = try start(channels.map(\.theirs))
        for channel in channels { channel.closeTheirs() }
        let talk = Result { () throws(ServiceError) in try exchange(input, channels, mostBytes, allowance) }
        // Where it closed its outputs it has ended or is about to, with its own code (that stands once it exits); any other
        // is to end now.
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let (bytes, message) = try talk.get()
        let signal = status & 0x7F
        return Output(
            ending: signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal),
            bytes: bytes,
            message: String(decoding: message, as: UTF8.self)
        )
    }

    private func start(_ descriptors: [Int32]) throws(ServiceError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        daybook_spawn_closing_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        // Of the environment it needs nothing but the language of its messages.
        let variables = [strdup("LANG=C.UTF-8"), nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, path, &actions, &attributes, words, variables)
        guard code == 0 else {
            let reason = String(cString: strerror(code)).lowercased()
            throw .unavailable("the program \(path) can't be started: \(reason)", retryAfter: 1000)
        }
        return process
    }

    /// Sends the input and receives the outputs, until both are closed.
    private func exchange(
        _ input: [UInt8],
        _ channels: [Channel],
        _ mostBytes: Int,
        _ allowance: Allowance
    ) throws(ServiceError) -> (bytes: [UInt8], message: [UInt8]) {
        var rest = input[...]
        var received: [[UInt8]] = [[], []]
        if rest.isEmpty { channels[0].closeOurs() }
        while channels[1].isOpen || channels[2].isOpen {
            var polled = channels.map { pollfd(fd: $0.ours, events: Int16(POLLIN), revents: 0) }
            polled[0].events = Int16(POLLOUT)
            polled.append(pollfd(fd: allowance.stopping.fileDescriptor, events: Int16(POLLIN), revents: 0))
            let count = poll(&polled, nfds_t(polled.count), Int32(clamping: allowance.remaining))
            if count < 0, errno != EINTR { throw .store(.fault("poll failed with \(errno)")) }
            guard allowance.remaining > 0 else { throw Allowance.timedOut }
            guard count > 0 else { continue }
            if polled[3].revents != 0 { throw Allowance.stopped }
            if polled[0].revents != 0 {
                rest = rest.dropFirst(channels[0].send(rest))
                if rest.isEmpty { channels[0].closeOurs() }
            }
            for index in 0...1 where polled[index + 1].revents != 0 {
                received[index] += channels[index + 1].receive()
            }
            guard received[0].count <= mostBytes else {
                throw .store(.fault("\(path) wrote more than \(mostBytes) bytes"))
            }
            if received[1].count > ChildProgram.mostMessageBytes {
                received[1].removeLast(received[1].count - ChildProgram.mostMessageBytes)
            }
        }
        return (received[0], received[1])
    }
}

/// Two connected sockets, one for the child; unlike a pipe, a closed one raises no signal here.
private final class Channel {
    private(set) var ours: Int32
    private(set) var theirs: Int32

    init() throws(ServiceError) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw .unavailable("the system gives no more descriptors: try again", retryAfter: 1000)
        }
        (ours, theirs) = (ends[0], ends[1])
    }

    deinit {
        closeOurs()
        closeTheirs()
    }

    var isOpen: Bool { ours >= 0 }

    func closeOurs() {
        if ours >= 0 { close(ours) }
        ours = -1
    }

    func closeTheirs() {
        if theirs >= 0 { close(theirs) }
        theirs = -1
    }

    /// Sends what there is room for now.
    ///
    /// - Returns: how many bytes that was; all of them where nobody takes them any more.
    func send(_ bytes: ArraySlice<UInt8>) -> Int {
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        let count = bytes.withUnsafeBytes { Glibc.send(ours, $0.baseAddress, $0.count, flags) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : bytes.count
    }

    /// What is there now; closes at the end.
    func receive() -> [UInt8] {
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(ours, &block, block.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return [] }
        if count <= 0 { closeOurs() }
        return Array(block.prefix(max(0, count)))
    }
}
