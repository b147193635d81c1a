import Glibc

/// Where the services of one user have their stores and their sockets: one rule for services, clients and the command.
public struct ServiceFolders: Sendable, Hashable {
    /// The stores: `DAYBOOK_HOME`; otherwise `$XDG_DATA_HOME/daybook`, or `~/.local/share/daybook`.
    public var home: String
    /// The sockets: `DAYBOOK_RUNTIME`; otherwise, of the default home, `$XDG_RUNTIME_DIR/daybook` where that variable
    /// names a folder; otherwise `<home>/run`.
    public var runtime: String

    /// The folders that the environment says; nil where it names no home at all.
    ///
    /// - Parameters:
    ///   - environment: a variable's value; this process's by default. Empty counts as absent.
    ///   - isFolder: whether there is a folder at a path; asked of the file system by default.
    public init?(
        environment: (String) -> String? = Self.variable,
        isFolder: (String) -> Bool = Self.isFolder
    ) {
        func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        let data = value("XDG_DATA_HOME") ?? value("HOME").map { "\($0)/.local/share" }
        let usual = data.map { "\($0)/daybook" }
        guard let home = value("DAYBOOK_HOME") ?? usual else { return nil }
        self.home = home
        if let chosen = value("DAYBOOK_RUNTIME") {
            runtime = chosen
        } else if home == usual, let folder = value("XDG_RUNTIME_DIR"), isFolder(folder) {
            runtime = "\(folder)/daybook"
        } else {
            runtime = "\(home)/run"
        }
    }

    /// A variable of this process's environment.
    public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Whether there is a folder at this path.
    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
