internal import Client
internal import Glibc
internal import ZeroMQ

/// Two bound sockets, for requests and for events: those on this machine, or those that are reached from elsewhere.
///
/// Each can be closed and bound anew. Messages queued at the old one still leave; connections are made again by the peers.
final class Entrance {
    let endpoints: ServiceEndpoints
    /// Tells routing ids of one ROUTER from those of another, so that no reply goes astray.
    private(set) var number: Int
    /// nil while its port is not free yet.
    private(set) var router: (any MessageSocket)?
    private(set) var publisher: (any MessageSocket)?
    /// Whether whoever comes in has passed the gate.
    let isGuarded: Bool
    /// The live lists that are subscribed to at the publisher.
    var topics: Set<String> = []
    /// More are not remembered.
    private static let mostTopics = 10_000
    private let network: any Network
    /// The own key; nil where none is asked for.
    private(set) var curve: SocketOptions.Curve?

    /// Binds both.
    ///
    /// - Parameters:
    ///   - number: another one for each; those of a ROUTER that is bound anew are above it by whole thousands.
    ///   - isGuarded: whether the gate is asked about each connection.
    init(
        _ network: any Network,
        _ endpoints: ServiceEndpoints,
        number: Int,
        curve: SocketOptions.Curve? = nil,
        isGuarded: Bool
    ) throws(ZeroMQError) {
        self.network = network
        self.endpoints = endpoints
        self.number = number
        self.curve = curve
        self.isGuarded = isGuarded
        router = try bound(.router)
        publisher = try bound(.xpub)
    }

    /// Whether both listen.
    var isWhole: Bool { router != nil && publisher != nil }

    private func bound(_ type: SocketType) throws(ZeroMQError) -> any MessageSocket {
        var options = SocketOptions()
        // What was decided last has to reach who waits for it, on a busy machine too.
        options.linger = type == .router ? .milliseconds(1500) : .milliseconds(500)
        // Requests wait in the loop's queue, where their number and bytes are bounded.
        if type == .router { options.receiveHighWaterMark = ServiceLoop.largestGroup }
        options.curve = curve
        options.zapDomain = isGuarded ? Gatekeeper.domain : nil
        let endpoint = type == .router ? endpoints.requests : endpoints.events
        return try network.bound(type, at: endpoint, options: options)
    }

    /// A topic has a subscriber.
    func subscribed(_ topic: String) {
        if topic.hasPrefix("="), topics.count < Self.mostTopics { topics.insert(topic) }
    }

    /// Ends all subscriptions: nothing that is published from now on reaches those who are connected now.
    func closePublisher() {
        publisher?.close()
        publisher = nil
    }

    /// Listens under another key of its own from now on.
    func close(for curve: SocketOptions.Curve) {
        closePublisher()
        router?.close()
        router = nil
        number += 1000
        self.curve = curve
    }

    /// Binds what is closed; the ports are free when the I/O thread has closed what was bound before.
    ///
    /// - Throws: where that is not so yet, with `EADDRINUSE`; and where it can't be.
    func reopen() throws(ZeroMQError) {
        if router == nil { router = try bound(.router) }
        if publisher == nil { publisher = try bound(.xpub) }
    }

    func close() {
        router?.close()
        publisher?.close()
        for case .ipc(let path) in [endpoints.requests, endpoints.events] { unlink(path) }
    }
}
