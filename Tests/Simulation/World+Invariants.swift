import Client
import Messages
import Service
import Store
import ZeroMQ

/// What has to hold, always and in the end.
extension World {
    /// Whether what the follower keeps is what the source's log led to where its cursor is.
    func checkProjection() throws {
        guard services.count > 1 else { return }
        let session = try services[1].store.writer()
        let sql = "SELECT epoch, sequence, chain FROM cursor WHERE source = 'paints'"
        let cursor = try session.first(sql) {
            EventPosition(epoch: $0.id(0), sequence: $0.integer(1), chain: $0.bits(2))
        }
        guard let cursor, cursor != checkedCursor, let epoch = cursor.epoch else { return }
        checkedCursor = cursor
        var known: [Identifier: Int64] = [:]
        try session.query("SELECT id, mark FROM known") { row in
            if let id = row.id(0) { known[id] = row.integer(1) }
        }
        let isRight = services[0].ledger.lineages(at: Position(epoch: epoch, sequence: cursor.sequence)).contains {
            $0.chain(at: cursor.sequence) == cursor.chain
                && $0.state(at: cursor.sequence)?.mapValues(\.mark) == known
        }
        try promise(isRight, "the projection is not what the log led to at \(cursor.sequence)")
    }

    /// Ends all faults, and lets time pass until everything is as it has to be.
    func settle() throws {
        hasFaults = false
        network.highWaterMark = 1000
        trace.note(.settle, time.now, 0, "faults end")
        for wire in network.wires {
            wire.isCut = false
            if wire.isHalf { reset(wire) }
        }
        for client in clients { client.stalledUntil = min(client.stalledUntil, time.now) }
        for service in services {
            service.stalledUntil = 0
            service.host?.sendsLeft = nil
            service.host?.commitsLeft = nil
            try start(service)
        }
        let end = time.now + Self.settling
        while let lack = try lack() {
            try promise(time.now < end, "\(Self.settling) ms after the last fault: \(lack)")
            var turns = 0
            while try workOff() {
                turns += 1
                try promise(turns < 10_000, "the world finds no rest")
            }
            let next = services.map(\.deadline) + clients.map(\.deadline)
            try advance(by: max(1, min(next.min() ?? .max, time.now + 1000) - time.now))
        }
        for service in services { try service.ledger.checkRecords() }
    }

    /// Does what can be done without time passing.
    private func workOff() throws -> Bool {
        var hasWorked = false
        for socket in network.connectors where socket.isAlone {
            connect(socket)
            hasWorked = hasWorked || !socket.isAlone
        }
        for wire in network.wires {
            if wire.isHalf {
                reset(wire)
                hasWorked = true
                continue
            }
            while !wire.toListener.isEmpty || !wire.toConnector.isEmpty {
                hasWorked = true
                deliver(wire, true)
                deliver(wire, false)
            }
        }
        for service in services {
            while let readers = service.readers, !readers.isIdle { readers.runOne() }
            guard service.isDue(at: time.now) else { continue }
            hasWorked = true
            try run(service)
        }
        for index in clients.indices where clients[index].isDue(at: time.now) {
            hasWorked = true
            try runClient(index)
        }
        for watcher in eventWatchers where try watcher.take(1000) > 0 { hasWorked = true }
        for watcher in listWatchers where try watcher.take(1000) > 0 { hasWorked = true }
        return hasWorked
    }

    /// What is not yet as it has to be; nil where everything is.
    private func lack() throws -> String? {
        if let open = open.first(where: { !$0.isEmpty })?.first { return "request \(open.id) has no outcome" }
        for watcher in eventWatchers { if let lack = watcher.lack { return lack } }
        for watcher in listWatchers { if let lack = watcher.lack { return lack } }
        guard services.count > 1 else { return nil }
        let paints = services[0].ledger
        let session = try services[1].store.writer()
        let sql = "SELECT epoch, sequence, chain FROM cursor WHERE source = 'paints'"
        let cursor = try session.first(sql) {
            EventPosition(epoch: $0.id(0), sequence: $0.integer(1), chain: $0.bits(2))
        }
        let head = paints.current.head
        guard let cursor, cursor.epoch == paints.current.epoch, cursor.chain == paints.current.chain(at: head) else {
            return "the projection is at \(cursor?.sequence ?? 0), the log at \(head)"
        }
        // Of a source that was put back there may be references which no event clears.
        guard paints.lineages.count == 1 else { return nil }
        let paint = services[1].ledger.current.state.values.compactMap(\.paint).first {
            paints.current.state[$0] == nil
        }
        return paint.map { "a note refers to the paint \($0), which is gone" }
    }
}
