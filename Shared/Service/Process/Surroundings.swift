internal import Client
internal import Messages
internal import ZeroMQ

/// What the environment says about where a service listens, whom it follows, and with which key.
struct Surroundings {
    private let folders: ServiceFolders
    private let setting: (String) -> String?

    /// - Parameter setting: a variable's value; nil for an empty one.
    init(_ folders: ServiceFolders, setting: @escaping (String) -> String?) {
        self.folders = folders
        self.setting = setting
    }

    /// The service's own key; nil where it has none.
    ///
    /// - Throws: where the key can't be used, or is another than that which the others are told.
    func ownKey(of name: ServiceName) throws(StartError) -> OwnKey? {
        let folder = KeyFolder(path: setting("DAYBOOK_KEYS") ?? "\(folders.home)/keys")
        guard folder.hasSecret(name.rawValue) else { return nil }
        let isOneKey: Bool
        do throws(KeyError) {
            isOneKey = try folder.publicFile(name.rawValue).publicKey == folder.pair(name.rawValue).publicKey
        } catch {
            throw StartError("\(error)")
        }
        guard isOneKey else {
            let (secret, known) = (folder.secretPath(name.rawValue), folder.publicPath(name.rawValue))
            throw StartError("\(secret) and \(known) are not of one key: 'daybook keys rotate \(name)' makes another")
        }
        return OwnKey(folder: folder, name: name.rawValue)
    }

    /// Where the service listens beside its socket files; nil for nowhere.
    ///
    /// - Throws: for what is no address, and for one where anybody could come in.
    func remoteAccess(of name: ServiceName, _ key: OwnKey?) throws(StartError) -> RemoteAccess? {
        let variable = Self.variable(name, "LISTEN")
        let endpoints: ServiceEndpoints
        if let text = setting(variable) {
            endpoints = try Self.endpoints(text, variable)
        } else if let host = setting("DAYBOOK_LISTEN") {
            endpoints = try Self.endpoints(of: name, on: host, "DAYBOOK_LISTEN", instead: variable)
        } else {
            return nil
        }
        let remote = RemoteAccess(endpoints: endpoints, key: key)
        try remote.check(of: name)
        return remote
    }

    /// Where another service is reached.
    func endpoints(of name: ServiceName) throws(StartError) -> ServiceEndpoints {
        let variable = Self.variable(name, "ENDPOINT")
        if let text = setting(variable) { return try Self.endpoints(text, variable) }
        guard let host = setting("DAYBOOK_HOST") else { return .ipc(folder: folders.runtime, name) }
        return try Self.endpoints(of: name, on: host, "DAYBOOK_HOST", instead: variable)
    }

    /// What serves the service's metrics; nil where nobody asks for them.
    ///
    /// - Throws: for what is no address, and where it can't be listened at.
    func metrics(of name: ServiceName) throws(StartError) -> ServiceMetrics? {
        let variable = Self.variable(name, "METRICS")
        if let text = setting(variable) {
            guard case .tcp(let host, let port)? = try? Endpoint(parsing: "tcp://\(text)") else {
                throw StartError("\(variable) is '\(text)': write 127.0.0.1:7403, an address and a port")
            }
            return try ServiceMetrics(host: host, port: port)
        }
        guard let host = setting("DAYBOOK_METRICS") else { return nil }
        guard case .tcp(_, let port)? = ServiceEndpoints.tcp(host: host, name)?.events else {
            throw StartError("\(name) has no ports of its own: set \(variable) to \(host):PORT")
        }
        return try ServiceMetrics(host: host, port: port + 1)
    }

    private static func variable(_ name: ServiceName, _ what: String) -> String {
        "DAYBOOK_\(name.rawValue.uppercased())_\(what)"
    }

    private static func endpoints(_ text: String, _ variable: String) throws(StartError) -> ServiceEndpoints {
        do throws(ZeroMQError) {
            return try ServiceEndpoints(parsing: text)
        } catch {
            throw StartError("\(variable) is '\(text)': \(error) Write tcp://host:7401")
        }
    }

    private static func endpoints(
        of name: ServiceName,
        on host: String,
        _ variable: String,
        instead: String
    ) throws(StartError) -> ServiceEndpoints {
        guard let endpoints = ServiceEndpoints.tcp(host: host, name) else {
            throw StartError("\(name) has no ports of its own: set \(instead) to tcp://\(host):PORT")
        }
        return try self.endpoints(endpoints.requests.description, variable)
    }
}
