import Glibc

extension ChildProcess {
    /// What a program that has ended left.
    struct Outcome: Sendable {
        var ending: ProcessEnding
        /// What it wrote to standard output and error.
        var output: [UInt8]
        var error: [UInt8]
    }

    /// Runs a program to its end, and blocks this thread until then.
    ///
    /// Input is written as it is taken, and output read as it comes: neither side can wait for the other for ever. A
    /// program need not read its input to the end.
    ///
    /// - Parameter input: becomes its standard input.
    /// - Throws: ``CLIError/system(action:path:code:)`` where it can't be started.
    static func run(
        _ path: String,
        input: [UInt8],
        environment: [String: String] = ProcessEnvironment.variables
    ) throws(CLIError) -> Outcome {
        let (stdin, stdout, stderr) = (try Pipe.input(), try Pipe(), try Pipe())
        // What is still open when this returns or throws, by descriptor.
        var open = Set([stdin, stdout, stderr].flatMap { [$0.readEnd, $0.writeEnd] })
        func shut(_ descriptor: Int32) {
            if open.remove(descriptor) != nil { close(descriptor) }
        }
        defer { for descriptor in open { close(descriptor) } }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, stdin.readEnd, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, stdout.writeEnd, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, stderr.writeEnd, STDERR_FILENO)
        var attributes = spawnAttributes()
        defer { posix_spawnattr_destroy(&attributes) }
        closeOnExec()
        let words = CStrings([path])
        let variables = CStrings(environment.map { "\($0)=\($1)" })
        var process: pid_t = 0
        let code = posix_spawn(&process, path, &actions, &attributes, words.pointers, variables.pointers)
        guard code == 0 else { throw .system(action: "start", path: path, code: code) }
        for end in [stdin.readEnd, stdout.writeEnd, stderr.writeEnd] { shut(end) }

        var rest = input[...]
        var collected: [Int32: [UInt8]] = [stdout.readEnd: [], stderr.readEnd: []]
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        if rest.isEmpty { shut(stdin.writeEnd) }
        while !open.isEmpty {
            var waiting = open.map {
                pollfd(fd: $0, events: Int16($0 == stdin.writeEnd ? POLLOUT : POLLIN), revents: 0)
            }
            guard poll(&waiting, nfds_t(waiting.count), -1) > 0 else { continue }
            for ready in waiting where ready.revents != 0 {
                let isInput = ready.fd == stdin.writeEnd
                let count =
                    isInput
                    ? Pipe.write(rest, to: ready.fd)
                    : read(ready.fd, &block, block.count)
                if count < 0, errno == EAGAIN || errno == EINTR { continue }
                if isInput {
                    rest = rest.dropFirst(max(0, count))
                } else {
                    collected[ready.fd]? += block.prefix(max(0, count))
                }
                // Its end, or a program that wants no more.
                if count <= 0 || isInput && rest.isEmpty { shut(ready.fd) }
            }
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return Outcome(
            ending: ProcessEnding(waitStatus: status),
            output: collected[stdout.readEnd] ?? [],
            error: collected[stderr.readEnd] ?? []
        )
    }
}
