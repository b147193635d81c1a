import CBOR
import Client
import Messages
import ZeroMQ

/// A request of a simulated client, from when it was made to its outcome.
struct Inquiry {
    enum Content {
        case putPaint(Paint)
        case putNote(Note)
        case deletePaint(Identifier)
        case shufflePaints(mark: Int64, fails: Bool)
        case deleteNote(Identifier)
        case getPaint(Identifier)
        case getNote(Identifier)
        case knownPaints(isScan: Bool)
        case rebuild
    }

    let content: Content
    /// nil for queries.
    let key: Identifier?
    /// What has to be seen.
    let after: Positions
    /// In milliseconds of the world's time.
    let deadline: Int64
    /// Whether the paint that a note refers to was there for sure.
    let isPaintKnown: Bool

    var service: ServiceName {
        switch content {
        case .putPaint, .deletePaint, .shufflePaints, .getPaint: Paint.service
        case .putNote, .deleteNote, .getNote, .knownPaints, .rebuild: Note.service
        }
    }

    /// - Parameter endpoint: of the service's requests.
    func outgoing(to endpoint: Endpoint) throws -> Outgoing {
        func make<R: Request>(_ request: R) throws -> Outgoing {
            Outgoing(
                service: service,
                endpoint: endpoint,
                operation: R.operation,
                kind: R.kind,
                key: key,
                after: after,
                body: Frame(try CBOREncoder().encode(request))
            )
        }
        return switch content {
        case .putPaint(let paint): try make(Put(paint))
        case .putNote(let note): try make(Put(note))
        case .deletePaint(let id): try make(Delete<Paint>(id: id))
        case .shufflePaints(let mark, let fails): try make(ShufflePaints(mark: mark, fails: fails))
        case .deleteNote(let id): try make(Delete<Note>(id: id))
        case .getPaint(let id): try make(Get<Paint>(id: id))
        case .getNote(let id): try make(Get<Note>(id: id))
        case .knownPaints(isScan: true): try make(KnownPaints())
        case .knownPaints(isScan: false): try make(KnownPaintsNow())
        case .rebuild: try make(RebuildProjection(source: Paint.service))
        }
    }

    /// Compares an answer with the history.
    ///
    /// - Parameters:
    ///   - own: of the service that answered.
    ///   - paints: of the source.
    /// - Throws: `Violation` where the answer is none that could be given.
    func check(_ answer: Client.Answer, _ own: Ledger, _ paints: Ledger) throws {
        guard answer.header.status == .ok else { return try checkRefusal(answer, own, paints) }
        guard let positions = answer.header.positions, let position = positions[service.rawValue] else {
            throw Violation("an answer of \(service) has no position")
        }
        let logs = own.lineages(at: position)
        try promise(!logs.isEmpty, "an answer of \(service) tells \(position.sequence), which was not committed")
        // `notes` follows `paints`; who is not followed can't change what is read.
        for (name, wanted) in after where key == nil && (name == service.rawValue || service == Note.service) {
            let isSeen = positions[name].map { $0.epoch == wanted.epoch && $0.sequence >= wanted.sequence } ?? false
            try promise(isSeen, "a read did not see what was asked for")
        }
        func effect(_ holds: (Lineage.Known) -> Bool) throws {
            let isThere = logs.contains { position.sequence > 0 && holds($0.events[Int(position.sequence) - 1]) }
            try promise(isThere, "what was acknowledged at \(position.sequence) of \(service) is not there")
        }
        func read(_ id: Identifier) throws {
            let isThere = logs.contains { $0.state(at: position.sequence)?[id]?.body == answer.body[0].bytes }
            try promise(isThere, "a record was read that was not so at \(position.sequence) of \(service)")
        }
        switch content {
        case .putPaint(let paint):
            try effect { $0.event.data?.bytes == answer.body[0].bytes && $0.event.subject == paint.id }
        case .putNote(let note):
            try effect { $0.event.data?.bytes == answer.body[0].bytes && $0.event.subject == note.id }
        case .deletePaint(let id), .deleteNote(let id): try effect { $0.event.isDelete && $0.event.subject == id }
        case .shufflePaints(let mark, let fails):
            try promise(!fails, "a command that failed was acknowledged")
            // All paints that there were, in one transaction, of which this is the last event.
            let isWhole = logs.contains { $0.changedAll(byMark: mark, endingAt: position.sequence) }
            try promise(isWhole, "a command on all of \(service) had another effect at \(position.sequence)")
        case .getPaint(let id), .getNote(let id): try read(id)
        case .rebuild: break
        case .knownPaints:
            let reply = try CBORDecoder().decode(KnownPaints.Reply.self, from: answer.body[0].bytes)
            let followed = positions[Paint.service.rawValue]
            let known = Dictionary(uniqueKeysWithValues: reply.rows.map { ($0.id, $0.mark) })
            let isRight =
                followed.map { followed in
                    paints.lineages(at: followed).contains {
                        $0.state(at: followed.sequence)?.mapValues(\.mark) == known
                    }
                } ?? true
            try promise(isRight, "what \(service) knows of \(Paint.service) is not what was told there")
        }
    }

    private func checkRefusal(_ answer: Client.Answer, _ own: Ledger, _ paints: Ledger) throws {
        let status = answer.header.status
        switch (content, status) {
        case (_, .unavailable), (_, .timedOut): return
        case (_, .resync):
            let isOther = after.values.contains { $0.epoch != own.current.epoch }
            try promise(isOther || own.lineages.count > 1, "\(service) refused a position of its own log")
        case (.putPaint, .conflict), (.putNote, .conflict): return
        // It had written before it failed: nothing of that is left.
        case (.shufflePaints(let mark, true), .conflict):
            try promise(own.current.sequence(ofMark: mark) == nil, "a command that failed has events")
            try own.checkRecords()
        case (.shufflePaints, .notFound): return
        // A version that was lost with what was put back.
        case (.putPaint, .invalid) where own.lineages.count > 1: return
        case (.putNote, .invalid) where own.lineages.count > 1: return
        case (.putPaint, .gone), (.putNote, .gone), (.deletePaint, .gone), (.deleteNote, .gone): return
        case (.putPaint, .notFound), (.putNote, .notFound), (.deletePaint, .notFound), (.deleteNote, .notFound): return
        case (.getPaint, .gone), (.getNote, .gone), (.getPaint, .notFound), (.getNote, .notFound): return
        case (.putNote(let note), .invalid):
            guard let paint = note.paint else { throw Violation("a note without a paint was refused") }
            guard isPaintKnown, paints.lineages.count == 1 else { return }
            try promise(
                paints.current.state[paint] == nil,
                "a paint that was there before was not known to \(service)"
            )
        default:
            let body = try? CBORDecoder().decode(ErrorBody.self, from: answer.body[0].bytes)
            throw Violation("\(service) answered \(status.rawValue): \(body?.message ?? "?")")
        }
    }
}

extension Inquiry {
    /// The same with another budget.
    func asked(until deadline: Int64) -> Inquiry {
        Inquiry(content: content, key: key, after: after, deadline: deadline, isPaintKnown: isPaintKnown)
    }
}
