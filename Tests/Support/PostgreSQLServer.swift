import Glibc

/// A PostgreSQL server of the tests' own, with an empty folder of its own, reached over its socket file alone. It syncs what
/// it commits, as one that is used does.
///
/// It ends, and its folder goes, with the process that started it, whatever ends that. As root it runs as `nobody`.
public final class PostgreSQLServer: Sendable {
    /// The one that the tests of a process share, each with a database of its own.
    public static let shared = Task { try await PostgreSQLServer() }

    /// Why there can be none; nil where there can.
    public static let absence: String? = {
        guard programs != nil else {
            return "PostgreSQL's server programs are not installed (Debian's package postgresql)"
        }
        return geteuid() == 0 && !File.exists("/usr/bin/setpriv") ? "setpriv is not installed" : nil
    }()

    /// The folder of the newest server programs, as Debian has them.
    private static let programs: String? = {
        (13...30).reversed().map { "/usr/lib/postgresql/\($0)/bin" }.first { File.exists("\($0)/initdb") }
    }()

    private let folder: String
    private let process: ChildProcess
    /// As long as this end is open, the server runs.
    private let lifeline: Int32

    /// Makes its folder and starts it: about 2 s.
    public init() async throws {
        guard let programs = Self.programs else { throw HarnessError(Self.absence ?? "") }
        var template = Array("/tmp/daybook-postgres-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw HarnessError("can't make a folder in /tmp")
        }
        self.folder = folder
        guard mkfifo("\(folder)/lifeline", 0o600) == 0 else { throw HarnessError("can't make a pipe in \(folder)") }
        lifeline = open("\(folder)/lifeline", O_RDWR | O_CLOEXEC)
        var user: [String] = []
        if geteuid() == 0, let nobody = getpwnam("nobody")?.pointee {
            chown(folder, nobody.pw_uid, nobody.pw_gid)
            user = ["/usr/bin/setpriv", "--reuid", "nobody", "--regid", "\(nobody.pw_gid)", "--clear-groups", "--"]
        }
        let script = """
            cd '\(folder)'
            '\(programs)/initdb' --pgdata data --username daybook --auth trust --encoding UTF8 --locale C.UTF-8 --no-sync \
            && '\(programs)/pg_ctl' start --pgdata data --wait --log log \
                --options "-k '\(folder)' -c listen_addresses= -c fsync=on -c max_connections=200" \
            && : > started
            cat > /dev/null
            '\(programs)/pg_ctl' stop --pgdata data --mode immediate
            rm -rf '\(folder)'
            """
        let words = user + ["/bin/sh", "-c", script]
        var launch = ChildProcess.Launch(program: words[0])
        launch.arguments = words.dropFirst().map { Array($0.utf8) }
        launch.environment = ["PATH": "/usr/bin:/bin", "TZ": "UTC"]
        launch.input = "\(folder)/lifeline"
        launch.output = "\(folder)/output"
        launch.error = "\(folder)/output"
        process = try await ChildProcess.start(launch)
        let deadline = ContinuousClock.now + .promised(seconds: 60)
        while !File.exists("\(folder)/started") {
            guard process.endedAt == nil, ContinuousClock.now < deadline else {
                throw HarnessError(
                    "PostgreSQL did not start: \(File.text("\(folder)/output")) \(File.text("\(folder)/log"))"
                )
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    deinit {
        close(lifeline)
    }

    /// The folder of its socket file, `.s.PGSQL.5432`.
    public var socketFolder: String { folder }

    /// libpq's connection string of one of its databases.
    public func database(_ name: String) -> String { "host=\(folder) user=daybook dbname=\(name)" }

    /// What its administrator does.
    public var administration: String { database("postgres") }
}
