internal import CBOR
internal import Client
internal import LiveList
internal import Messages
internal import Store
internal import Synchronization
internal import ZeroMQ

/// Opens live lists, and tells their watchers what changed.
extension ServiceLoop {
    /// Who waits for a list that is being built.
    struct ListWaiter {
        var envelope: Envelope
        var request: Incoming

        var id: UInt64 { request.header.id }
    }

    /// A list on its way from the reader thread to the loop.
    final class BuiltList: Sendable {
        let list = Mutex<LiveList?>(nil)
    }

    /// Answers `list.open`: at once where the list is there, otherwise when it was built.
    func openList(_ envelope: Envelope, _ request: Incoming) throws {
        let waiter = ListWaiter(envelope: envelope, request: request)
        let plan: ListHub.Plan
        do throws(ServiceError) {
            plan = try hub.plan(try decodeRequest(OpenList.self, request.body).query, service: engine.definition.name)
        } catch {
            return try answer(envelope, waiter.id, engine.failure(error))
        }
        engine.tracksChanges = true
        switch hub.open(plan, positions: engine.positions, now: now) {
        case .open(let snapshot):
            try answer(waiter, snapshot, plan)
        case .refused(let reason):
            try answer(envelope, waiter.id, .failure(.unavailable, reason))
        case .wait:
            listWaiters[plan.key, default: []].append(waiter)
        case .build:
            listWaiters[plan.key] = [waiter]
            try build(plan)
        }
    }

    private func build(_ plan: ListHub.Plan) throws {
        let built = BuiltList()
        let (definition, epoch, id) = (engine.definition, engine.log.epoch, engine.clock.makeIdentifier())
        try startScan(
            { (session) throws(ServiceError) in
                let positions = try storing { () throws(StoreError) in
                    try Engine.positions(definition, epoch: epoch, session)
                }
                let list = try plan.build(session, as: id, positions: positions)
                built.list.withLock { $0 = list }
                return Answer(status: .ok, body: [])
            },
            done: { loop, answer in try loop.finish(plan, built, answer) }
        )
    }

    /// The list was built, or could not be: those who wait are answered.
    private func finish(_ plan: ListHub.Plan, _ built: BuiltList, _ answer: Answer) throws {
        let waiters = listWaiters.removeValue(forKey: plan.key) ?? []
        let result = Result { () throws(ServiceError) -> LiveList.Snapshot? in
            guard let list = built.list.withLock({ $0 }) else { return nil }
            return try hub.built(plan, list, positions: engine.positions, engine.session, now: now)
        }
        if case .success(let snapshot?) = result {
            for waiter in waiters { try self.answer(waiter, snapshot, plan) }
            return
        }
        hub.failed(plan)
        // Built, but given up meanwhile: asking again builds it anew.
        var refusal = answer.status == .ok ? .failure(.unavailable, "the list was given up: ask again") : answer
        if case .failure(let error) = result { refusal = engine.failure(error) }
        for waiter in waiters { try self.answer(waiter.envelope, waiter.id, refusal) }
    }

    /// What a list shows, in as many frames as it needs; encoded on a reader thread where that takes long.
    private func answer(_ waiter: ListWaiter, _ snapshot: LiveList.Snapshot, _ plan: ListHub.Plan) throws {
        let (envelope, id) = (waiter.envelope, waiter.id)
        // As with queries: what the list shows may have been emptied since it was asked for.
        guard isReached(waiter.request, at: snapshot.positions) else {
            return try waitForPositions(waiter.request, envelope)
        }
        if let refusal = refusal(of: waiter.request) { return try answer(envelope, id, refusal) }
        let topic = plan.topic
        let encode: @Sendable () throws(ServiceError) -> Answer = { () throws(ServiceError) in
            var frames: [[UInt8]] = []
            for part in snapshot.reply(topic: topic).frames(ofBytes: Envelope.mostFrameBytes * 9 / 10) {
                frames.append(try encoded(part))
            }
            return .ok(frames, snapshot.positions)
        }
        guard snapshot.count > 1000 else {
            let result = Result { () throws(ServiceError) in try encode() }
            switch result {
            case .success(let answer): return try self.answer(envelope, id, answer)
            case .failure(let error): return try answer(envelope, id, engine.failure(error))
            }
        }
        try start({ (_) throws(ServiceError) in try encode() }, envelope, waiter.request)
    }

    /// Tells the watchers what the last commit changed.
    func publishLists() throws {
        let touched = engine.takeTouched()
        guard !touched.isEmpty, !hub.isEmpty else { return }
        do throws(ServiceError) {
            publish(try hub.apply(touched, positions: engine.positions, engine.session))
        } catch {
            // A list that can't follow would be wrong from now on: whoever watches opens it again.
            log.write(.error, "live lists can't follow: \(error)")
            hub = ListHub(Array(hub.sources.values))
        }
    }

    func publish(_ messages: [ListHub.Message]) {
        for message in messages {
            // A subscriber that takes no more notices by the number.
            try? tell([Array(message.topic.utf8), message.body])
        }
    }
}
