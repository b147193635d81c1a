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
    /// Of every service in ``ServiceName/all``.
    var endpoints: [ServiceName: ServiceEndpoints]
    /// Whether this is the demonstration's home, which shares nothing with the real one.
    var isDemo: Bool
    /// What would have to stand in front of a command, in a new shell, to reach the same books.
    var reaching: [String]

    /// The longest path of a socket; Linux refuses 108 bytes and more (unix(7)).
    static let maximumSocketPathBytes = 100
}

/// What the command line says about the configuration.
struct ConfigurationFlags: Sendable {
    var home: String?
    /// In seconds.
    var timeout: String?
    var format: OutputFormat?
    var isDemo = false
}
