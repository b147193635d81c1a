import Client
import Messages
import Support
import Testing
import ZeroMQ

/// The services of a Daybook as they are reached over TCP, and the keys of those who reach them.
struct Town: Sendable {
    let daybook: Daybook
    private let first: UInt16

    /// Makes the keys of all services, and of these people.
    init(_ daybook: Daybook, _ people: [String: String] = ["anna": "writer", "rita": "reader"]) async throws {
        try self.init(withoutKeys: daybook)
        try await keys("new", "catalog", "orders", "reporting", "walks", "--role", "service")
        for (name, role) in people { try await keys("new", name, "--role", role) }
    }

    /// Makes no keys: at loopback services listen without, too.
    init(withoutKeys daybook: Daybook) throws {
        self.daybook = daybook
        first = try Ports.free(2 * UInt16(ServiceName.all.count))
    }

    var folder: KeyFolder { KeyFolder(path: "\(daybook.home)/keys") }

    /// Runs `daybook keys …`, which has to succeed.
    @discardableResult
    func keys(_ arguments: String..., code: Int32 = 0) async throws -> Daybook.Output {
        let output = try await daybook.shell("daybook keys \(arguments.joined(separator: " "))")
        try #require(output.code == code, "keys \(arguments): \(output.code) \(output.error)")
        return output
    }

    private func port(_ service: ServiceName) -> UInt16 {
        first + 2 * UInt16(ServiceName.all.firstIndex(of: service) ?? 0)
    }

    func endpoints(_ service: ServiceName, host: String = "127.0.0.1") -> ServiceEndpoints {
        let port = port(service)
        return ServiceEndpoints(requests: .tcp(host: host, port: port), events: .tcp(host: host, port: port + 1))
    }

    /// Where services listen, and where they find each other: over TCP, too.
    func variables(host: String = "127.0.0.1", name: String? = nil) -> [String: String] {
        var variables: [String: String] = [:]
        for service in ServiceName.all {
            let name = name ?? host
            variables["DAYBOOK_\(service.rawValue.uppercased())_LISTEN"] = "tcp://\(host):\(port(service))"
            variables["DAYBOOK_\(service.rawValue.uppercased())_ENDPOINT"] = "tcp://\(name):\(port(service))"
        }
        return variables
    }

    func start(_ services: ServiceName...) async throws {
        try await daybook.start(services, variables: variables())
    }

    /// A client over TCP.
    ///
    /// - Parameter name: whose key it shows; nil for none.
    func client(_ name: String?, in folder: KeyFolder? = nil, timeout: Duration = .seconds(10)) throws -> DaybookClient
    {
        var endpoints: [ServiceName: ServiceEndpoints] = [:]
        for service in ServiceName.all { endpoints[service] = self.endpoints(service) }
        let key = name.map { OwnKey(folder: folder ?? self.folder, name: $0) }
        return try daybook.client(timeout: timeout, instead: endpoints, key: key)
    }

    /// The variables by which the command reaches the services over TCP.
    func reach(_ name: String) -> [String: String] { variables().merging(["DAYBOOK_KEY": name]) { $1 } }

    /// How a socket of somebody's meets a service.
    func curve(_ name: String, _ service: ServiceName = .catalog) throws -> SocketOptions.Curve {
        .client(try folder.pair(name), serverKey: try folder.publicFile(service.rawValue).publicKey)
    }
}
