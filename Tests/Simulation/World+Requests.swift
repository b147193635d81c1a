import Client
import Messages
import Service
import ZeroMQ

/// What clients ask, and what becomes of it.
extension World {
    func ask(_ client: Int) throws {
        guard open[client].count < 4 else { return }
        let service = services[chance.below(services.count)]
        let state = service.ledger.current.state
        let known = state.keys.sorted()
        lastMark += 1
        let title = "t\(chance.below(12))"
        let rank = Int64(chance.below(7))
        let isPaints = service.name == Paint.service
        var content: Inquiry.Content
        var isPaintKnown = false
        switch chance.below(10) {
        case 0..<3 where known.count < 12, 3..<6 where known.isEmpty:
            let id = time.makeIdentifier()
            if isPaints {
                content = .putPaint(Paint(id: id, title: title, rank: rank, mark: lastMark))
            } else {
                let paint = somePaint(&isPaintKnown)
                content = .putNote(Note(id: id, title: title, rank: rank, mark: lastMark, paint: paint))
            }
        case 0..<6:
            guard let id = chance.pick(known), let entry = state[id] else { return }
            // Now and then of a version that is no longer there.
            let version = max(1, entry.version - (chance.once(in: 6) ? 1 : 0))
            if isPaints {
                content = .putPaint(Paint(id: id, version: version, title: title, rank: rank, mark: lastMark))
            } else {
                let paint = chance.once(in: 2) ? entry.paint : somePaint(&isPaintKnown)
                content = .putNote(
                    Note(id: id, version: version, title: title, rank: rank, mark: lastMark, paint: paint)
                )
            }
        case 6 where !isPaints && chance.once(in: 4): content = .rebuild
        case 6 where isPaints && chance.once(in: 2):
            content = .shufflePaints(mark: lastMark, fails: chance.once(in: 2))
        case 6:
            guard let id = chance.pick(known) else { return }
            content = isPaints ? .deletePaint(id) : .deleteNote(id)
        default:
            let id = chance.pick(known) ?? time.makeIdentifier()
            let known = Inquiry.Content.knownPaints(isScan: chance.once(in: 2))
            content = isPaints ? .getPaint(id) : chance.once(in: 2) ? known : .getNote(id)
        }
        let isCommand: Bool =
            switch content {
            case .getPaint, .getNote, .knownPaints: false
            default: true
            }
        let timeout = [300, 1000, 3000, 8000][chance.below(4)]
        let inquiry = Inquiry(
            content: content,
            key: isCommand ? time.makeIdentifier() : nil,
            after: chance.once(in: 3) ? [:] : written[chance.below(written.count)],
            deadline: time.now + Int64(timeout),
            isPaintKnown: isPaintKnown
        )
        if isCommand { count.commands += 1 } else { count.reads += 1 }
        try send(inquiry, by: client)
    }

    /// A paint that is there, or one that isn't.
    private func somePaint(_ isKnown: inout Bool) -> Identifier? {
        guard !chance.once(in: 3), let paints = services.first?.ledger.current.state else { return nil }
        if chance.once(in: 8) { return time.makeIdentifier() }
        let paint = chance.pick(paints.keys.sorted())
        isKnown = paint != nil
        return paint
    }

    func send(_ inquiry: Inquiry, by client: Int) throws {
        let timeout = [300, 1000, 3000, 8000][chance.below(4)]
        let inquiry = inquiry.asked(until: time.now + Int64(timeout))
        let endpoint = endpoints(of: inquiry.service).requests
        let id = clients[client].send(try inquiry.outgoing(to: endpoint), timeout: Int64(timeout))
        open[client].append((id, inquiry))
        trace.note(.ask, Int64(bitPattern: id), 0, "client \(clients[client].number) asks \(id): \(inquiry.content)")
    }

    func finish(_ id: UInt64, _ outcome: Outcome, of client: Int) throws {
        guard let index = open[client].firstIndex(where: { $0.id == id }) else {
            throw Violation("request \(id) ended twice")
        }
        let inquiry = open[client].remove(at: index).inquiry
        let latest = max(inquiry.deadline, clients[client].stalledUntil)
        try promise(time.now <= latest, "request \(id) ended after its budget")
        switch outcome {
        case .success(let answer):
            trace.add(answer.body)
            let status = answer.header.status
            trace.note(.outcome, Int64(bitPattern: id), 1, "\(id) ends: \(status.rawValue)")
            guard let own = services.first(where: { $0.name == inquiry.service }) else { return }
            try inquiry.check(answer, own.ledger, services[0].ledger)
            switch status {
            case .ok:
                guard inquiry.key != nil, let positions = answer.header.positions else { return }
                count.acknowledged += 1
                remember(positions, client)
            case .resync: written[client] = [:]
            case .unavailable, .timedOut: try askAgain(inquiry, client)
            default: break
            }
        case .failure(.unreachable):
            trace.note(.outcome, Int64(bitPattern: id), 2, "\(id) ends: unreachable")
            count.unknown += 1
            try askAgain(inquiry, client)
        case .failure(let error): throw Violation("request \(id) ended with \(error)")
        }
    }

    /// As the command's queue does: the same key once more.
    private func askAgain(_ inquiry: Inquiry, _ client: Int) throws {
        guard hasFaults, inquiry.key != nil, chance.once(in: 2) else { return }
        try send(inquiry, by: client)
    }

    private func remember(_ positions: Positions, _ client: Int) {
        for (name, position) in positions {
            if let known = written[client][name], known.epoch == position.epoch, known.sequence > position.sequence {
                continue
            }
            written[client][name] = position
        }
    }
}
