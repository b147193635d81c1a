import CBOR
import Glibc
import Messages

/// The commands that wait for delivery: `<home>/queue/`, a file for each, named by its number.
struct CommandQueue: Sendable {
    let folder: String

    init(home: String) {
        folder = "\(home)/queue"
    }

    private static let suffix = ".cbor"

    /// How many there are; reads no file.
    var count: Int { names.count }

    private var names: [String] { DurableFile.names(in: folder).filter { $0.hasSuffix(Self.suffix) } }

    /// In the order in which they are delivered.
    ///
    /// - Throws: ``CLIError/badConfiguration(file:key:reason:)`` for a file that is no queued command, and what reading
    ///   throws.
    func commands() throws(CLIError) -> [QueuedCommand] {
        var commands: [QueuedCommand] = []
        for name in names {
            let file = "\(folder)/\(name)"
            // It may have been delivered meanwhile.
            guard let bytes = try File.contents(file) else { continue }
            let command: QueuedCommand
            do throws(CBORError) {
                command = try CBORDecoder(profile: .wire).decode(QueuedCommand.self, from: bytes)
            } catch {
                throw .badConfiguration(file: file, key: nil, reason: "is no queued command: \(error)")
            }
            // The next one's number is counted on from it.
            guard 1..<Int.max ~= command.number else {
                throw .badConfiguration(file: file, key: nil, reason: "is queued as number \(command.number)")
            }
            commands.append(command)
        }
        return commands
    }

    /// The command of this number.
    ///
    /// - Throws: as ``commands()``; ``CLIError/failure(_:)`` where there is none.
    func command(_ number: Int, among commands: [QueuedCommand]) throws(CLIError) -> QueuedCommand {
        guard let command = commands.first(where: { $0.number == number }) else {
            throw .failure("No command \(number) is queued; 'daybook queue list' shows those that are.")
        }
        return command
    }

    /// Puts the command at the end, and gives it its number. It is on the disk afterwards.
    ///
    /// One with a key that is queued already is the same command: that one is returned.
    ///
    /// - Throws: ``CLIError/failure(_:)`` where the key is that of a queued command with other content, and what writing
    ///   throws.
    func add(_ command: QueuedCommand) throws(CLIError) -> QueuedCommand {
        try File.makeFolder(folder)
        let lock = try lockedFolder()
        defer { close(lock) }
        let queued = try commands()
        if let same = queued.first(where: { $0.key == command.key }) {
            guard same.operation == command.operation, same.body == command.body else {
                throw .failure(
                    "The key \(command.key) is that of the queued command \(same.number), which is another one: "
                        + "use a new key for each command."
                )
            }
            return same
        }
        var command = command
        command.number = (queued.last?.number ?? 0) + 1
        try store(command)
        return command
    }

    /// Writes what changed of a command.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    func store(_ command: QueuedCommand) throws(CLIError) {
        let bytes: [UInt8]
        do throws(CBORError) {
            bytes = try CBOREncoder().encode(command)
        } catch {
            throw .failure("The command can't be queued: \(error).")
        }
        try DurableFile.write(bytes, to: path(of: command))
    }

    /// Forgets a command.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    func remove(_ command: QueuedCommand) throws(CLIError) {
        try DurableFile.remove(path(of: command))
    }

    /// Makes this process the only one that delivers, drops or marks commands; others may add some meanwhile.
    ///
    /// - Throws: ``CLIError/failure(_:)`` where another process does.
    func lockForDelivery() throws(CLIError) -> SupervisorLock {
        try File.makeFolder(folder)
        if let lock = try SupervisorLock.acquire(in: folder, named: "sync.lock") { return lock }
        let holder = try SupervisorLock.holder(in: folder, named: "sync.lock").map { " (process \($0))" } ?? ""
        throw .failure("The queue is being worked on already\(holder); try again when that has ended.")
    }

    private func path(of command: QueuedCommand) -> String {
        let digits = String(command.number)
        return "\(folder)/" + String(repeating: "0", count: max(0, 10 - digits.utf8.count)) + digits + Self.suffix
    }

    /// Held while a number is given out; closing it frees it.
    private func lockedFolder() throws(CLIError) -> Int32 {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(action: "open", path: folder, code: errno) }
        while flock(descriptor, LOCK_EX) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(descriptor)
            throw .system(action: "lock", path: folder, code: code)
        }
        return descriptor
    }
}
