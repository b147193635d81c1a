internal import CBOR
internal import Client
internal import Failpoints
internal import Glibc
internal import Messages
internal import ZeroMQ

/// Who may do what, and what becomes of connections when keys change.
extension ServiceLoop {
    /// Opens what is reached from elsewhere, and proves that strangers are turned away there.
    ///
    /// - Throws: `StartError`, `KeyError`, `ZeroMQError`.
    static func entrance(_ network: any Network, _ remote: RemoteAccess, _ gate: Gatekeeper?) throws -> Entrance {
        let curve = try remote.curve()
        let entrance: Entrance
        do throws(ZeroMQError) {
            entrance = try Entrance(network, remote.endpoints, number: 1, curve: curve, isGuarded: gate != nil)
        } catch {
            guard case .failed(.bind, let endpoint?, let reason) = error, reason.number == EADDRINUSE else {
                throw error
            }
            throw StartError("another program listens at \(endpoint) already: end it, or choose another port")
        }
        guard let gate, let context = network as? Context, case .server(let pair) = curve else { return entrance }
        let stranger = try gate.stranger()
        for (type, endpoint) in [(SocketType.dealer, remote.endpoints.requests), (.sub, remote.endpoints.events)] {
            try RemoteAccess.prove(context, type, endpoint, serverKey: pair.publicKey, stranger: stranger)
        }
        return entrance
    }

    // MARK: Requests

    /// The request with who sent it: what the gate said of the connection, and nothing that the sender says.
    func identified(_ request: Incoming, _ message: Multipart, _ entrance: Entrance) -> Incoming {
        // Without the gate a peer could name itself.
        guard let gate, entrance.isGuarded, let frame = message.frames.last,
            let publicKey = frame.metadata("User-Id"), !publicKey.isEmpty
        else { return request }
        var request = request
        request.publicKey = publicKey
        request.principal = gate.holder(of: publicKey)?.name
        return request
    }

    /// What a request is answered with that its key does not allow, as it is now; nil where it may be done.
    func refusal(of request: Incoming) -> Answer? {
        guard let publicKey = request.publicKey else { return nil }
        let operation = request.header.operation
        guard let holder = gate?.holder(of: publicKey) else {
            let former = request.principal ?? gate?.formerName(of: publicKey)
            let name = former.map { "the key '\($0)'" } ?? "the key of this connection"
            return .failure(.notAllowed, "\(name) is no longer allowed here: \(operation.prefix(100)) was not done")
        }
        guard let role = engine.definition.routes.role(of: operation), holder.role < role else { return nil }
        let message =
            "the key '\(holder.name)' is a \(holder.role.rawValue)'s, and \(operation) needs a \(role.rawValue)'s"
        return .failure(.notAllowed, message)
    }

    /// Those of a group that may be done; the others are answered.
    func allowed(_ group: [Incoming], _ envelopes: [Envelope]) throws -> ([Incoming], [Envelope]) {
        guard gate != nil else { return (group, envelopes) }
        var (allowed, theirs): ([Incoming], [Envelope]) = ([], [])
        for (request, envelope) in zip(group, envelopes) {
            if let refusal = refusal(of: request) {
                try answer(envelope, request.header.id, refusal)
            } else {
                allowed.append(request)
                theirs.append(envelope)
            }
        }
        return (allowed, theirs)
    }

    // MARK: Keys

    /// Answers `keys.read`: with the answer, the keys as they lie in the folder are in force.
    func readKeys(_ request: Incoming, _ envelope: Envelope) throws {
        if let refusal = refusal(of: request) { return try answer(envelope, request.header.id, refusal) }
        var inForce = KeysInForce()
        var renewal: SocketOptions.Curve?
        if let gate {
            gate.refresh(always: true)
            endLostSubscriptions()
            do throws(KeyError) {
                renewal = try anotherCurve()
            } catch {
                log.write(.error, error.description)
                return try answer(envelope, request.header.id, .failure(.internal, error.description))
            }
            if case .server(let pair) = renewal ?? elsewhere?.curve { inForce.own = pair.publicKey }
            inForce.keys = gate.keys
        }
        let reply = Answer(status: .ok, positions: engine.positions, body: try CBOREncoder().encode(inForce))
        try answer(envelope, request.header.id, reply)
        if let renewal { listen(under: renewal) }
    }

    /// Looks whether the keys are others, each second.
    func followKeys() {
        guard let gate else { return }
        let wasRead = gate.refresh()
        endLostSubscriptions()
        guard wasRead else { return }
        do throws(KeyError) {
            if let curve = try anotherCurve() { listen(under: curve) }
        } catch {
            log.write(.error, "going on under the key of before: \(error)")
        }
    }

    private var elsewhere: Entrance? { remote == nil ? nil : entrances.last }

    /// The own key as it lies in its file, where it is another one than that which is listened under.
    private func anotherCurve() throws(KeyError) -> SocketOptions.Curve? {
        guard let elsewhere, let curve = try remote?.curve(), curve != elsewhere.curve else { return nil }
        return curve
    }

    /// Where a key was taken away, nobody who is connected now hears what is published from now on: the gate is asked only
    /// at a handshake, so all make a new one. Those who may still come read what they missed.
    private func endLostSubscriptions() {
        guard let gate, let elsewhere, gate.takeLost() else { return }
        log.write(.info, "a key was taken away: all subscribers from elsewhere have to connect anew")
        elsewhere.closePublisher()
        failpoint("revoke.closed")
        reopen(elsewhere)
    }

    private func listen(under curve: SocketOptions.Curve) {
        guard let elsewhere else { return }
        log.write(.info, "listening under another key from now on")
        elsewhere.close(for: curve)
        failpoint("rotate.closed")
        reopen(elsewhere)
    }

    private func reopen(_ entrance: Entrance) {
        let topics = entrance.topics
        entrance.topics = []
        for topic in topics { unsubscribed(topic) }
        closedSince = now
        nextReopening = 0
        hasNewSockets = true
        reopenEntrances()
    }

    /// Binds what was closed. Its ports are free some moments later; whatever else takes them is waited for.
    func reopenEntrances() {
        let now = now
        guard now >= nextReopening else { return }
        for entrance in entrances where !entrance.isWhole {
            do throws(ZeroMQError) {
                try entrance.reopen()
                if let since = closedSince, now - since > 1000 { log.write(.info, "listening again") }
                closedSince = nil
                hasNewSockets = true
            } catch {
                let waited = now - (closedSince ?? now)
                nextReopening = now + (waited < 1000 ? 5 : 1000)
                hasNewSockets = true
                if waited >= 1000 { log.write(.error, "can't listen, trying again: \(error)") }
            }
        }
    }
}

extension RemoteAccess {
    /// The own key as it lies in its file; nil where none is used.
    func curve() throws(KeyError) -> SocketOptions.Curve? {
        guard let key else { return nil }
        return .server(try key.folder.pair(key.name))
    }
}
