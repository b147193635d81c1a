import Client
import Messages

/// Where the books are and how to reach them.
///
/// Each setting comes from the first of: its flag, its environment variable, the configuration file, its default.
struct Configuration: Sendable {
    /// The folder of the stores and logs; absolute.
    var home: String
    /// The folder of the sockets and the lock file; absolute.
    var runtime: String
    /// Of amounts that name none.
    var currency: Currency
    /// What a request may take in all.
    var timeout: Duration
    var format: OutputFormat
    /// How long services that are started keep events, such as `90d,500MB`; nil for ever.
    var keepEvents: String?
    /// Of rows of orders that name none; nil for none.
    var taxRate: TaxRate?
    /// In how many days a new order is due that doesn't say; nil for no due date.
    var dueDays: Int?
    /// How the orders service that is started numbers: `running` or `yearly`; nil for its own choice.
    var orderNumbers: String?
    /// What papers say of whose books these are.
    var business: Business
    /// How orders bill walks.
    var walkBilling: WalkBilling
    /// The configuration file that was looked for.
    var file: String
    /// Whether commands that make records are kept where they can't be delivered.
    var isQueueing = false
    /// Of every service in ``ServiceName/all``.
    var endpoints: [ServiceName: ServiceEndpoints]
    /// The folder of the keys; absolute.
    var keys: String
    /// The name of the key that is shown to services over TCP; nil for none.
    var key: String?
    /// Where services that are started listen beside their socket files, such as `*`; nil for nowhere.
    var listen: String?
    /// Whether this is the demonstration's home, which shares nothing with the real one.
    var isDemo: Bool
    /// What a new shell needs to reach the same books.
    var reach: Reach

    /// How the services are reached. A trace that the command was started in goes on in them: `TRACEPARENT` names it.
    var client: ClientConfiguration {
        let key = key.map { OwnKey(folder: KeyFolder(path: keys), name: $0) }
        var client = ClientConfiguration(endpoints: endpoints, timeout: timeout, key: key)
        client.trace = ProcessEnvironment.variables["TRACEPARENT"].flatMap { TraceContext($0) }
        return client
    }

    /// The longest path of a socket; Linux refuses 108 bytes and more (unix(7)).
    static let maximumSocketPathBytes = 100
}

/// What a command line in a new shell needs to reach the same books; nothing for the default ones.
struct Reach: Sendable, Hashable {
    /// In front of the program, as `DAYBOOK_RUNTIME=/run/books`.
    var assignments: [String] = []
    /// Behind it, as `--demo`.
    var options: [String] = []

    /// A line that a shell runs as it is.
    func commandLine(_ program: String, _ arguments: String) -> String {
        (assignments + [shellQuoted(program)] + options + [arguments]).joined(separator: " ")
    }
}

/// What the command line says about the configuration.
struct ConfigurationFlags: Sendable {
    var home: String?
    /// In seconds.
    var timeout: String?
    var format: OutputFormat?
    var isDemo = false
    var keepEvents: String?
}
