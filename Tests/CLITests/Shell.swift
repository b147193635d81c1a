import Glibc
import Messages

@testable import CLI

/// Runs the real command by a shell, in folders of its own.
struct Shell {
    struct Outcome: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// A fresh folder, removed with what is in it by ``remove()``.
    let folder: String
    var environment: [String: String]

    /// The command as it was built: beside the test runner.
    static let daybook: String = {
        let own = ProcessEnvironment.executable
        return String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)]) + "/daybook"
    }()

    init() throws {
        // Short, because paths of sockets must be.
        folder = "/tmp/daybook-\(getpid())-\(Identifier.make().tail(12))"
        try File.makeFolder(folder)
        environment = [
            "HOME": folder, "PATH": "/usr/bin:/bin", "daybook": Self.daybook, "folder": folder,
            "DAYBOOK_LIBEXEC": "\(folder)/services", "DAYBOOK_TIMEOUT": "0.2", "TERM": "dumb",
            // Where the tests are run by coverage, the command must not write over the tests' profile.
            "LLVM_PROFILE_FILE": "/dev/null",
        ]
    }

    /// Runs a script of sh(1), where `$daybook` is the command and `$folder` the folder.
    func run(_ script: String) async throws -> Outcome {
        let name = "\(folder)/\(Identifier.make())"
        let none = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(none) }
        let process = try ChildProcess.start(
            "/bin/sh",
            arguments: ["-c", "unset DAYBOOK_READY_FD; exec 3>&- >\(name).out 2>\(name).err\n\(script)"],
            environment: environment,
            output: none,
            ready: none
        )
        let ending = try await SupervisorThread.run {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return ProcessEnding(waitStatus: status)
        }
        let status: Int32 =
            switch ending {
            case .status(let status): status
            case .signal(let signal): 128 + signal
            }
        func text(_ path: String) throws -> String { String(decoding: try File.contents(path) ?? [], as: UTF8.self) }
        return Outcome(status: status, output: try text("\(name).out"), errors: try text("\(name).err"))
    }

    /// Stops what was started, and removes the folder.
    func remove() async {
        let script = """
            "$daybook" down >/dev/null; "$daybook" down --home "$folder/other" >/dev/null
            for file in "$folder"/*.pid; do test -f "$file" && kill -9 "$(cat "$file")"; done
            rm -rf "$folder"
            """
        _ = try? await run(script)
    }
}
