import Glibc
import Messages

/// A text that is changed in the user's editor: a file that stays until what was typed is stored.
struct EditedText {
    /// Where the text lies.
    let path: String
    private let original: [UInt8]

    /// Writes a text into a new file, which only this user may read.
    ///
    /// - Parameter name: what the file's name begins with.
    /// - Throws: ``CLIError/system(action:path:code:)``.
    init(_ text: String, named name: String, environment: [String: String]) throws(CLIError) {
        let folder = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(folder)/\(name)-XXXXXX.txt".utf8CString)
        let descriptor = mkstemps(&template, 4)
        let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        guard descriptor >= 0 else { throw .system(action: "make the file", path: path, code: errno) }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.path = path
        original = Array(text.utf8)
        var sent = 0
        while sent < original.count {
            let count = original.withUnsafeBytes { write(descriptor, $0.baseAddress! + sent, $0.count - sent) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(action: "write", path: path, code: errno) }
            sent += count
        }
    }

    /// Opens the text in the editor of `VISUAL` or `EDITOR`, which may have arguments, or in `vi`, and waits for its end.
    ///
    /// - Returns: the text; nil where it is as it was given.
    /// - Throws: ``CLIError/failure(_:)`` where the editor ends with another status than 0, or the text is not UTF-8.
    func edit(environment: [String: String]) throws(CLIError) -> String? {
        let editor = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
        let ending = try Self.run(editor, path)
        guard ending == .status(0) else {
            throw .failure("The editor \(quoted(editor)) \(ending.description): nothing was changed.")
        }
        guard let bytes = try File.contents(path) else {
            throw .failure("The editor took the file \(path) away: nothing was changed.")
        }
        if bytes == original { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .failure("\(path) is not UTF-8: nothing was changed.")
        }
        return text
    }

    /// Whether there is something in the file that nobody else has.
    var isChanged: Bool { (try? File.contents(path)).map { $0 != original } ?? false }

    func remove() { unlink(path) }

    /// Takes the file away where nothing was typed; otherwise says where it is.
    func keep() {
        guard isChanged else { return remove() }
        StandardError.write("What you wrote is kept in \(path).\n")
    }

    /// By a shell, so that the command may have arguments.
    private static func run(_ editor: String, _ path: String) throws(CLIError) -> ProcessEnding {
        // The keys that interrupt are the editor's as long as it runs.
        let (interrupt, quit) = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
        defer {
            signal(SIGINT, interrupt)
            signal(SIGQUIT, quit)
        }
        ChildProcess.closeOnExec()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = CStrings(["sh", "-c", "\(editor) \"$@\"", editor, path])
        var process: pid_t = 0
        let code = posix_spawn(&process, "/bin/sh", nil, &attributes, words.pointers, environ)
        guard code == 0 else { throw .system(action: "start", path: "/bin/sh", code: code) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw .system(action: "wait for", path: editor, code: errno) }
        }
        return ProcessEnding(waitStatus: status)
    }
}
