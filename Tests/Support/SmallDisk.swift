import Glibc

/// A disk of its own size, in a mount namespace that services can be started in (root only). It outlives them.
public struct SmallDisk: Sendable {
    private let holder: ChildProcess
    private let home: String

    /// Whether this user can have one.
    public static var isPossible: Bool { geteuid() == 0 && File.exists("/usr/bin/nsenter") }

    /// Mounts a tmpfs over the home of the Daybook, for the namespace alone.
    public init(_ daybook: Daybook, bytes: Int) async throws {
        home = daybook.home
        let mounted = "\(daybook.folder)/mounted"
        let script = """
            mkdir -p '\(home)' && mount -t tmpfs -o size=\(bytes),mode=0700 tmpfs '\(home)' && : > '\(mounted)' \
            && exec sleep infinity
            """
        holder = try await daybook.start(program: "/usr/bin/unshare", ["--mount", "/bin/sh", "-c", script])
        let deadline = ContinuousClock.now + .seconds(30)
        while !File.exists(mounted) {
            guard holder.endedAt == nil, ContinuousClock.now < deadline else {
                throw HarnessError("no small disk: \(File.text(holder.launch.error))")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// What starts a program there.
    public var words: [String] { ["/usr/bin/nsenter", "--mount=/proc/\(holder.process)/ns/mnt", "--"] }

    /// The home's path from outside.
    public var path: String { "/proc/\(holder.process)/root\(home)" }

    /// What is free of it, in bytes.
    public func free() throws -> Int {
        var space = statvfs()
        guard statvfs(path, &space) == 0 else { throw HarnessError("can't ask for the space of \(path)") }
        return Int(space.f_bavail) * Int(space.f_bsize)
    }

    /// Fills it with a file but for so many bytes, or takes the file away.
    public func fill(leaving rest: Int) throws {
        try File.write([UInt8](repeating: 0, count: max(0, try free() - rest)), to: "\(path)/ballast")
    }

    public func makeRoom() { unlink("\(path)/ballast") }
}
