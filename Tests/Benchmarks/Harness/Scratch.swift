import Client
import Glibc
import Messages
import Support

/// A folder for one benchmark, and the processes that it started; both go with `end()`.
final class Scratch {
    let folder: String
    private var children: [ChildProcess] = []
    private var started = 0

    init() throws {
        var template = Array("/tmp/daybook-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw HarnessError("can't make a folder in /tmp") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Starts a service beside this program over a folder in this one, and waits until it is ready.
    ///
    /// - Parameter variables: of its environment.
    func start(
        _ service: ServiceName,
        in name: String,
        _ variables: [String: String] = [:]
    ) async throws -> (process: pid_t, endpoints: ServiceEndpoints) {
        let (home, runtime) = ("\(folder)/\(name)", "\(folder)/\(name)/run")
        let process = try await start(
            "\(Environment.programs)/daybook-\(service)",
            [],
            ["DAYBOOK_HOME": home, "DAYBOOK_RUNTIME": runtime, "DAYBOOK_PARENT": String(getpid())]
                .merging(variables) { $1 }
        )
        return (process, .ipc(folder: runtime, service))
    }

    /// Starts this program in another part; see `Main`. It tells when it is ready.
    func startPeer(_ arguments: [String]) async throws -> pid_t {
        try await start("\(Environment.programs)/Benchmarks", arguments, [:])
    }

    /// Starts what the services are measured beside.
    func startLimit(_ arguments: [String]) async throws -> pid_t {
        try await start(PreparedLoad.program, arguments, [:])
    }

    private func start(
        _ program: String,
        _ arguments: [String],
        _ variables: [String: String]
    ) async throws -> pid_t {
        started += 1
        var launch = ChildProcess.Launch(program: program)
        launch.arguments = arguments.map { Array($0.utf8) }
        launch.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(variables) { $1 }
        launch.error = "\(folder)/\(started).log"
        launch.tellsReadiness = true
        let child = try await ChildProcess.start(launch)
        children.append(child)
        try await child.ready()
        return child.process
    }

    /// Ends what was started, the last first, and removes the folder.
    func end() async {
        for child in children.reversed() {
            child.signal(SIGTERM)
            _ = await child.ended(within: .seconds(10))
        }
        var launch = ChildProcess.Launch(program: "/bin/rm")
        launch.arguments = ["-rf", folder].map { Array($0.utf8) }
        _ = try? await ChildProcess.start(launch).ended()
    }
}
