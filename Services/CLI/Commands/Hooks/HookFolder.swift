import Glibc
import Messages

/// Where a hook keeps what must not be lost: `<home>/hooks/NAME/`.
struct HookFolder: Sendable, Hashable {
    let name: String
    let path: String

    /// - Throws: ``CLIError/usage(_:)`` for a name that is no file's or a verb's.
    init(_ name: String, home: String) throws(CLIError) {
        let isPlain = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain, 1...64 ~= name.utf8.count, !name.hasPrefix("-"),
            !["list", "failed", "retry", "run"].contains(name)
        else {
            throw .usage(
                "A hook can't be called \(quoted(name)): take letters, digits, - and _, at most 64, and not the name of a verb."
            )
        }
        self.name = name
        path = "\(home)/hooks/\(name)"
    }

    /// All hooks that ever ran.
    static func all(home: String) -> [HookFolder] {
        DurableFile.names(in: "\(home)/hooks").compactMap { name in
            (try? HookFolder(name, home: home)).flatMap { File.isFolder($0.path) ? $0 : nil }
        }
    }

    private var statePath: String { "\(path)/state.json" }
    private var failedPath: String { "\(path)/failed" }

    /// - Throws: ``CLIError/system(action:path:code:)``.
    func make() throws(CLIError) {
        try File.makeFolder(failedPath)
    }

    // MARK: State

    /// nil for a hook that never ran.
    ///
    /// - Throws: what reading throws; a state that can't be read is not taken for none.
    func state() throws(CLIError) -> HookState? {
        guard let bytes = try File.contents(statePath) else { return nil }
        return try HookState(json: bytes, file: statePath)
    }

    /// - Throws: as ``state()``; ``CLIError/failure(_:)`` where there is no such hook.
    func existingState() throws(CLIError) -> HookState {
        guard let state = try state() else { throw .failure("No hook \(quoted(name)) has run in these books.") }
        return state
    }

    /// - Throws: ``CLIError/system(action:path:code:)``.
    func store(_ state: HookState) throws(CLIError) {
        try DurableFile.write(state.json, to: statePath)
    }

    // MARK: Failures

    /// In the order of their logs.
    ///
    /// - Throws: what reading throws.
    func failures() throws(CLIError) -> [HookFailure] {
        var failures: [HookFailure] = []
        for name in DurableFile.names(in: failedPath) where name.hasSuffix(".json") {
            let file = "\(failedPath)/\(name)"
            // Another process may have dealt with it meanwhile.
            guard let bytes = try File.contents(file) else { continue }
            failures.append(try HookFailure(json: bytes, file: file))
        }
        return failures
    }

    /// - Throws: ``CLIError/system(action:path:code:)``.
    func store(_ failure: HookFailure) throws(CLIError) {
        try DurableFile.write(failure.json, to: path(of: failure))
    }

    /// - Throws: ``CLIError/system(action:path:code:)``.
    func remove(_ failure: HookFailure) throws(CLIError) {
        try DurableFile.remove(path(of: failure))
    }

    /// A name that sorts by service and number.
    private func path(of failure: HookFailure) -> String {
        let parts = failure.event.position.split(separator: ":")
        let digits = parts.last.map(String.init) ?? ""
        let number = String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits
        let id = failure.event.id.split(separator: ":").filter { $0 != digits }.joined(separator: "-")
        return "\(failedPath)/\(parts.first ?? "")-\(number)-\(id).json"
    }

    // MARK: Locks

    /// The lock of the one who runs this hook.
    static let runnerLock = "runner.lock"
    /// The lock of the one who repeats its failures.
    static let retryLock = "retry.lock"

    /// Held, shared, by every command that runs; nil where the system has no descriptor left.
    ///
    /// It is inherited by the command and ends with it: so a runner that follows a killed one knows of a command that is
    /// left over.
    func commandLock() -> Int32? {
        let descriptor = open("\(path)/command.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        _ = flock(descriptor, LOCK_SH)
        return descriptor
    }

    /// Waits until no command of an earlier runner is left; blocks the thread.
    ///
    /// - Returns: Whether none is left.
    func waitForCommands(atMost limit: Duration) -> Bool {
        let descriptor = open("\(path)/command.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        let deadline = ContinuousClock.now + limit
        // flock(2) knows no time-out.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else { return false }
            usleep(20_000)
        }
        return true
    }
}
