package import Messages
package import ZeroMQ

/// Makes sockets that are connected to services: over TCP with the key that there is, over ipc without one.
///
/// For one thread.
package struct Dialer {
    package let network: any Network
    package let key: OwnKey?

    /// - Parameter key: nil: no keys are used.
    package init(_ network: any Network, key: OwnKey?) {
        self.network = network
        self.key = key
    }

    /// How a service is met, by the key files as they are now; nil: without encryption.
    ///
    /// - Throws: what is wrong with the own key's file or the service's.
    package func curve(_ service: ServiceName, _ endpoint: Endpoint) throws(KeyError) -> SocketOptions.Curve? {
        guard let key, case .tcp = endpoint else { return nil }
        let pair = try key.folder.pair(key.name)
        return .client(pair, serverKey: try key.folder.publicFile(service.rawValue).publicKey)
    }

    /// A socket that connects in the background.
    package func socket(
        _ type: SocketType,
        _ endpoint: Endpoint,
        _ curve: SocketOptions.Curve?
    ) throws(ZeroMQError) -> any MessageSocket {
        var options = SocketOptions()
        // A service that was just started is found soon; one that is down costs two attempts a second.
        options.reconnectInterval = .milliseconds(20)...(.milliseconds(500))
        options.curve = curve
        return try network.connected(type, to: endpoint, options: options)
    }

    /// A socket that connects in the background, with the keys as they are now.
    ///
    /// - Throws: `key`, `transport`.
    package func socket(
        _ type: SocketType,
        _ service: ServiceName,
        _ endpoint: Endpoint
    ) throws(ClientError) -> any MessageSocket {
        let curve: SocketOptions.Curve?
        do throws(KeyError) { curve = try self.curve(service, endpoint) } catch { throw .key(error) }
        do throws(ZeroMQError) { return try socket(type, endpoint, curve) } catch { throw .transport(error) }
    }
}
