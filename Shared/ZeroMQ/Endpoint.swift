import Glibc

/// Where a socket binds or connects: one of the three transports that are spoken here.
///
/// libzmq's own parser also accepts `ws://`, `udp://`, `pgm://` and more, so its strings never come from outside unparsed.
public enum Endpoint: Hashable, Sendable {
    /// A host name, an IPv4 address, an IPv6 address without brackets, or `*` for every interface; port 0 lets bind choose.
    ///
    /// A name is resolved to its IPv4 address, at every attempt to connect. Bind takes addresses and interface names only.
    case tcp(host: String, port: UInt16)
    /// A socket file. Bind deletes whatever file is there, a living server's too: take a lock file first.
    case ipc(path: String)
    /// A name within one `Context`.
    case inproc(name: String)

    /// The bytes at which a path is too long: `sun_path` of `sockaddr_un` with its NUL (unix(7)).
    public static let maximumPathBytes = 108

    /// Reads `tcp://127.0.0.1:7401`, `tcp://[::1]:7401`, `tcp://*:*`, `ipc:///run/daybook/catalog.events`, `inproc://zap`.
    ///
    /// - Throws: `invalidEndpoint` with the reason.
    public init(parsing text: String) throws(ZeroMQError) {
        do {
            self = try Self.parse(text)
            try check()
        } catch {
            throw .invalidEndpoint(text, reason: error)
        }
    }

    /// Whether only this machine, or this process, can reach it: ipc, inproc, and tcp on a loopback address or `localhost`.
    public var isLocal: Bool {
        switch self {
        case .tcp(let host, _): host == "localhost" || Self.isLoopback(host)
        case .ipc, .inproc: true
        }
    }
}

extension Endpoint: CustomStringConvertible {
    /// libzmq's form, which `init(parsing:)` reads back.
    public var description: String {
        switch self {
        case .tcp(let host, let port):
            "tcp://\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port == 0 ? "*" : "\(port)")"
        case .ipc(let path): "ipc://\(path)"
        case .inproc(let name): "inproc://\(name)"
        }
    }
}

extension Endpoint {
    /// The host, where it is a name that has to be looked up.
    package var hostName: String? {
        guard case .tcp(let host, _) = self, host != "*", !isIPv6 else { return nil }
        var address = in_addr()
        return unsafe inet_pton(AF_INET, host, &address) == 1 ? nil : host
    }

    var isIPv6: Bool {
        if case .tcp(let host, _) = self { host.utf8.contains(UInt8(ascii: ":")) } else { false }
    }

    /// The form for bind.
    func bindable() throws(ZeroMQError) -> String {
        do { try check() } catch { throw .invalidEndpoint(description, reason: error) }
        return description
    }

    /// The form for connect, which needs a host and a port.
    func connectable() throws(ZeroMQError) -> String {
        if case .tcp(let host, let port) = self, port == 0 || host == "*" {
            throw .invalidEndpoint(description, reason: .onlyForBind)
        }
        return try bindable()
    }

    private static func parse(_ text: String) throws(ZeroMQError.EndpointFault) -> Endpoint {
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            throw .malformed
        }
        let rest = text[bytes.index(colon, offsetBy: 3)...]
        switch text[..<colon] {
        case "tcp": return try parseTCP(rest)
        case "ipc": return .ipc(path: String(rest))
        case "inproc": return .inproc(name: String(rest))
        default: throw .unsupportedTransport
        }
    }

    private static func parseTCP(_ text: Substring) throws(ZeroMQError.EndpointFault) -> Endpoint {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { throw .badPort }
        var host = text[..<colon]
        if host.first == "[" || host.last == "]" {
            guard host.count > 2, host.first == "[", host.last == "]" else { throw .badHost }
            host = host.dropFirst().dropLast()
            guard host.utf8.contains(UInt8(ascii: ":")) else { throw .badHost }
        } else if host.utf8.contains(UInt8(ascii: ":")) {
            throw .badHost  // 2001:db8::1:7401 is ambiguous
        }
        return .tcp(host: String(host), port: try parsePort(text[text.utf8.index(after: colon)...]))
    }

    private static func parsePort(_ text: Substring) throws(ZeroMQError.EndpointFault) -> UInt16 {
        if text == "*" { return 0 }
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(text)
        else { throw .badPort }
        return port
    }

    /// What must hold of the parts however they were made, since libzmq would read on in the string or cut it at a NUL.
    private func check() throws(ZeroMQError.EndpointFault) {
        switch self {
        case .tcp(let host, _):
            let allowed = host.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true  // 0-9 A-Z a-z
                case 0x2D, 0x2E, 0x3A, 0x5F, 0x25: true  // - . : _ %
                default: false
                }
            }
            guard host == "*" || (allowed && (1...255).contains(host.utf8.count)) else { throw .badHost }
            if isIPv6 && !Self.isIPv6Address(host) { throw .badHost }
        case .ipc(let path):
            // An abstract name (@) is outside any folder's permissions; * makes a folder of libzmq's choice.
            guard (1..<Self.maximumPathBytes).contains(path.utf8.count), path != "*",
                path.utf8.first != UInt8(ascii: "@"),
                !path.utf8.contains(0)
            else { throw .badPath }
        case .inproc(let name):
            guard !name.isEmpty, !name.utf8.contains(0) else { throw .badName }
        }
    }

    private static func isIPv6Address(_ host: String) -> Bool {
        var address = in6_addr()
        let withoutZone = host.prefix { $0 != "%" }
        return unsafe inet_pton(AF_INET6, String(withoutZone), &address) == 1
    }

    private static func isLoopback(_ host: String) -> Bool {
        var four = in_addr()
        if unsafe inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        guard unsafe inet_pton(AF_INET6, host, &six) == 1 else { return false }
        return unsafe withUnsafeBytes(of: six) { unsafe $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }
}
