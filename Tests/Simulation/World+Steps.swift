import CBOR
import Messages
import Service
import Store
import ZeroMQ

/// What happens in a step, by chance.
extension World {
    func step() throws {
        count.steps += 1
        let faults = [
            plan.resets, plan.cuts, plan.kills, plan.stops, plan.stalls, plan.restarts, plan.putBacks,
        ]
        var place = chance.below(100 + faults.reduce(0, +))
        guard place >= 100 else { return try work(place) }
        place -= 100
        for (index, weight) in faults.enumerated() {
            if place < weight { return try fault(index) }
            place -= weight
        }
    }

    private func work(_ place: Int) throws {
        switch place {
        case 0..<28: deliverSomething()
        case 28..<50: try runSomething()
        case 50..<59: try advance(by: Int64(chance.below(plan.pace) + 1))
        case 59..<74: try ask(chance.below(clients.count))
        case 74..<80: try takeSomething()
        case 80..<84: runScan()
        case 84..<88: connectSomething()
        default: try flow()
        }
    }

    private func fault(_ kind: Int) throws {
        switch kind {
        case 0: resetSomething()
        case 1:
            guard let wire = chance.pick(network.wires) else { return }
            wire.isCut.toggle()
            trace.note(.cut, Int64(wire.number), 0, "wire \(wire.number) \(wire.isCut ? "cut" : "healed")")
        case 2: try killSomething()
        case 3:
            let service = services[chance.below(services.count)]
            guard service.isRunning else { return try start(service) }
            trace.note(.stop, 0, 0, "\(service.name) stops")
            try service.stop()
            _ = try service.takeCommitted()
        case 4 where chance.once(in: 2):
            let client = clients[chance.below(clients.count)]
            client.stalledUntil = time.now + Int64(chance.below(4000))
            trace.note(.stall, client.stalledUntil, 1, "client \(client.number) stalls until \(client.stalledUntil)")
        case 4:
            let service = services[chance.below(services.count)]
            service.stalledUntil = time.now + Int64(chance.below(4000))
            trace.note(.stall, service.stalledUntil, 0, "\(service.name) stalls until \(service.stalledUntil)")
        case 5: try restartSomething()
        default: try copyOrPutBack()
        }
    }

    // MARK: The network

    private func deliverSomething() {
        var choices: [(Wire, Bool)] = []
        for wire in network.wires where !wire.isCut {
            if !wire.toListener.isEmpty { choices.append((wire, true)) }
            if !wire.toConnector.isEmpty { choices.append((wire, false)) }
        }
        guard let (wire, toListener) = chance.pick(choices) else { return connectSomething() }
        for _ in 0...chance.below(4) { deliver(wire, toListener) }
    }

    func deliver(_ wire: Wire, _ toListener: Bool) {
        guard !(toListener ? wire.toListener : wire.toConnector).isEmpty else { return }
        // Subscriptions belong to the connection itself.
        let isReliable = !hasFaults || (toListener && wire.listener.type == .xpub)
        if !isReliable {
            if chance.once(in: plan.loss) {
                if toListener { wire.toListener.removeFirst() } else { wire.toConnector.removeFirst() }
                return trace.note(.lose, Int64(wire.number), 0, "wire \(wire.number) loses a message")
            }
            if chance.once(in: plan.reordering), (toListener ? wire.toListener : wire.toConnector).count > 1 {
                if toListener { wire.toListener.swapAt(0, 1) } else { wire.toConnector.swapAt(0, 1) }
            }
            if chance.once(in: plan.repetition) {
                if toListener {
                    wire.toListener.insert(wire.toListener[0], at: 0)
                } else {
                    wire.toConnector.insert(wire.toConnector[0], at: 0)
                }
            }
        }
        let frames = toListener ? wire.toListener[0] : wire.toConnector[0]
        trace.add(frames)
        trace.note(.deliver, Int64(wire.number), toListener ? 1 : 0, text(of: frames, wire, toListener))
        network.deliver(on: wire, toListener: toListener)
    }

    private func text(of frames: [Frame], _ wire: Wire, _ toListener: Bool) -> String {
        let way = toListener ? "->" : "<-"
        let sizes = frames.map { String($0.count) }.joined(separator: "+")
        var content = ""
        switch (wire.listener.type, toListener) {
        case (.xpub, true): content = "subscription"
        case (.xpub, false):
            content = String(decoding: frames[0].bytes, as: UTF8.self)
            if let header = try? CBORDecoder().decode(EventsHeader.self, from: frames[1].bytes) {
                content += " \(header.first)...\(header.through)"
            } else if let heartbeat = try? CBORDecoder().decode(Heartbeat.self, from: frames[1].bytes) {
                content += " at \(heartbeat.sequence)"
            }
        case (_, true):
            if let header = try? CBORDecoder().decode(RequestHeader.self, from: frames[0].bytes) {
                content = "\(header.operation) \(header.id)"
            }
        default:
            if let header = try? CBORDecoder().decode(ReplyHeader.self, from: frames[0].bytes) {
                let positions = header.positions?.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.sequence)" }
                content = "\(header.status.rawValue) to \(header.id) at \(positions ?? [])"
            }
        }
        return "wire \(wire.number) \(way) \(wire.listener.endpoint): \(content) (\(sizes))"
    }

    /// A moment in which nothing holds anything up, but for what is cut or stalls.
    private func flow() throws {
        for socket in network.connectors where socket.isAlone { connect(socket) }
        for wire in network.wires where !wire.isCut {
            for _ in 0..<20 where !wire.toListener.isEmpty { deliver(wire, true) }
        }
        for service in services where service.stalledUntil <= time.now && service.isDue(at: time.now) {
            try run(service)
        }
        for wire in network.wires where !wire.isCut {
            for _ in 0..<20 where !wire.toConnector.isEmpty { deliver(wire, false) }
        }
        for index in clients.indices where clients[index].stalledUntil <= time.now {
            if clients[index].isDue(at: time.now) { try runClient(index) }
        }
    }

    private func connectSomething() {
        guard let socket = chance.pick(network.connectors.filter(\.isAlone)) else { return }
        connect(socket)
    }

    func connect(_ socket: SimulatedSocket) {
        guard let wire = network.connect(socket) else { return }
        trace.note(.connect, Int64(wire.number), 0, "wire \(wire.number) connects to \(socket.endpoint)")
    }

    /// Ends a connection; one whose other side is gone before any other.
    private func resetSomething() {
        guard let wire = chance.pick(network.wires.filter(\.isHalf)) ?? chance.pick(network.wires) else { return }
        reset(wire)
    }

    func reset(_ wire: Wire) {
        trace.note(.reset, Int64(wire.number), 0, "wire \(wire.number) ends")
        network.end(wire, losesArrived: hasFaults && chance.once(in: 2))
    }

    // MARK: Processes

    private func runSomething() throws {
        let dueServices = services.indices.filter {
            services[$0].stalledUntil <= time.now && services[$0].isDue(at: time.now)
        }
        let dueClients = clients.indices.filter {
            clients[$0].stalledUntil <= time.now && clients[$0].isDue(at: time.now)
        }
        guard !dueServices.isEmpty || !dueClients.isEmpty else { return deliverSomething() }
        let index = chance.below(dueServices.count + dueClients.count)
        if index < dueServices.count {
            try run(services[dueServices[index]])
        } else {
            try runClient(dueClients[index - dueServices.count])
        }
    }

    func run(_ service: SimulatedService) throws {
        let isAlive = try service.takeTurn()
        let events = try service.takeCommitted()
        try service.ledger.followFloor()
        trace.note(.run, service.ledger.current.head, isAlive ? 1 : 0, "\(service.name) runs, \(events) events")
        if !isAlive {
            count.kills += 1
            trace.note(.crash, 0, 0, "\(service.name) was killed in the middle of it")
        }
        try checkProjection()
    }

    func runClient(_ index: Int) throws {
        trace.note(.run, Int64(index), 2, "client \(clients[index].number) runs")
        for (id, outcome) in try clients[index].takeTurn() { try finish(id, outcome, of: index) }
    }

    private func runScan() {
        for service in services {
            guard let readers = service.readers, !readers.isIdle else { continue }
            trace.note(.scan, 0, 0, "a scan of \(service.name)")
            return readers.runOne()
        }
        deliverSomething()
    }

    private func killSomething() throws {
        let service = services[chance.below(services.count)]
        guard service.isRunning else { return try start(service) }
        switch chance.below(3) {
        // Between a commit and its answers, between two answers, between two events that are told.
        case 0: service.host?.sendsLeft = chance.below(6)
        // Before a commit, whatever was done before it.
        case 1: service.host?.commitsLeft = chance.below(4)
        default: try kill(service)
        }
    }

    private func kill(_ service: SimulatedService) throws {
        trace.note(.crash, 1, 0, "\(service.name) is killed")
        count.kills += 1
        service.kill()
        _ = try service.takeCommitted()
    }

    func start(_ service: SimulatedService) throws {
        guard !service.isRunning else { return }
        try service.start()
        trace.note(.start, 0, 0, "\(service.name) starts")
        _ = try service.takeCommitted()
        try service.ledger.checkRecords()
        checkedCursor = nil
        try checkProjection()
    }

    private func restartSomething() throws {
        let index = chance.below(eventWatchers.count + listWatchers.count + clients.count)
        trace.note(.watch, Int64(index), 0, "watcher or client \(index) begins again")
        if index < eventWatchers.count { return eventWatchers[index].restart() }
        if index < eventWatchers.count + listWatchers.count {
            return try listWatchers[index - eventWatchers.count].restart()
        }
        let number = index - eventWatchers.count - listWatchers.count
        // A process that ends, and asks again for what it had no answer to.
        guard !eventWatchers.contains(where: { $0.client === clients[number] }),
            !listWatchers.contains(where: { $0.client === clients[number] })
        else { return }
        let inquiries = open[number].map(\.inquiry)
        clients[number].kill()
        try addClient()
        clients[number] = clients.removeLast()
        _ = (open.removeLast(), written.removeLast())
        open[number] = []
        for inquiry in inquiries where inquiry.key != nil { try send(inquiry, by: number) }
    }

    private func copyOrPutBack() throws {
        let index = chance.below(services.count)
        let service = services[index]
        if chance.once(in: 2) || copies[index].isEmpty {
            guard copies[index].count < 2 else { return }
            let copy = try pool.take(service.definition)
            try copy.putBack(service.store, isMarked: false)
            let lineage = service.ledger.current
            copies[index].append(
                Copy(store: copy, lineage: lineage, sequence: lineage.head, floor: lineage.floor)
            )
            return trace.note(.copy, lineage.head, 0, "\(service.name) is copied at \(lineage.head)")
        }
        service.kill()
        _ = try service.takeCommitted()
        let copy = copies[index][chance.below(copies[index].count)]
        try service.store.putBack(copy.store, isMarked: plan.isMarked)
        try service.ledger.wasPutBack(
            to: copy.lineage,
            through: copy.sequence,
            floor: copy.floor,
            isMarked: plan.isMarked
        )
        count.putBacks += 1
        checkedCursor = nil
        trace.note(.putBack, copy.sequence, 0, "\(service.name) is put back to \(copy.sequence)")
    }

    // MARK: Time

    func advance(by milliseconds: Int64) throws {
        let end = time.now + milliseconds
        var turns = 0
        // Clients have their turns in time, and at once where a caller asks; services may be slow.
        func due(_ index: Int) -> Int64 {
            max(clients[index].isTold ? time.now : clients[index].deadline, clients[index].stalledUntil)
        }
        while let next = clients.indices.min(by: { due($0) < due($1) }), due(next) <= end {
            turns += 1
            try promise(turns < 10_000, "a client finds no rest")
            time.now = max(time.now, due(next))
            try runClient(next)
        }
        time.now = end
        trace.note(.time, end, 0, "\(end) ms")
        for (index, inquiries) in open.enumerated() where clients[index].stalledUntil <= end {
            for (id, inquiry) in inquiries {
                let isInTime = max(inquiry.deadline, clients[index].stalledUntil) >= end
                try promise(isInTime, "request \(id) has no outcome within its budget")
            }
        }
    }

    // MARK: Watchers

    private func takeSomething() throws {
        let index = chance.below(max(1, eventWatchers.count + listWatchers.count))
        let most = 1 + chance.below(20)
        var taken = 0
        if index < eventWatchers.count {
            taken = try eventWatchers[index].take(most)
        } else if index - eventWatchers.count < listWatchers.count {
            taken = try listWatchers[index - eventWatchers.count].take(most)
        }
        guard taken > 0 else { return deliverSomething() }
        trace.note(.take, Int64(index), Int64(taken), "watcher \(index) takes \(taken)")
    }
}
