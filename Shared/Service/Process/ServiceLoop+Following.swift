internal import CBOR
internal import Client
internal import Glibc
internal import Messages
internal import Store
internal import ZeroMQ

/// Follows the logs of other services between groups.
extension ServiceLoop {
    func follow() throws {
        for source in sources {
            let now = now
            if source.renewIfSilent(now: now) { hasNewSockets = true }
            // Some hundred events at a time: a burst of another service's must not keep requests waiting.
            for _ in 0..<8 {
                guard let actions = try source.receive(now: now) else { break }
                try perform(actions, of: source)
            }
            try perform(source.follower.tick(now: now), of: source)
        }
    }

    func perform(_ actions: [Follower.Action], of source: SourceConnection) throws {
        for action in actions {
            switch action {
            case .read(let request, let id):
                try source.send(request, id: id)
            case .readPage(let request, let id):
                try source.send(request, id: id)
            case .apply(let events, let cursor):
                let result = try engine.apply(events, of: source.source, reaching: cursor)
                guard try isWritten(result, "events up to \(cursor.sequence)", of: source) else { return }
            case .catchUp(let events, let cursor, let copy):
                let result = try engine.apply(events, of: source.source, reaching: cursor, catchingUp: copy)
                guard try isWritten(result, "events up to \(cursor.sequence)", of: source) else { return }
            case .copy(let rows):
                let result = try engine.copy(rows, of: source.source)
                guard try isWritten(result.map { [] }, "records at \(rows.sequence)", of: source) else { return }
            case .reset(let reason):
                log.write(.warning, "building anew what is known of \(source.source)", ["reason": reason.rawValue])
                let isCompacted = reason == .compacted
                let result = try engine.reset(source.source, isOtherLog: !isCompacted, isCopied: isCompacted)
                hub.dropReports()
                guard try isWritten(result.map { [] }, "what was known", of: source) else { return }
            case .settled(let ticket, let reached):
                try settled(source.source, through: ticket, reached: reached)
            }
        }
    }

    /// Publishes what a step of following told; where the step was not written, the follower is told.
    func isWritten(
        _ result: Result<[LoggedEvent], StoreError>,
        _ what: String,
        of source: SourceConnection
    ) throws -> Bool {
        // What was not written is told again from here.
        let cursor = engine.cursors[source.source]
        switch result {
        case .success(let told):
            hasChanged = true
            repeated.settle(source.source.rawValue)
            try publish(told)
            return true
        case .failure(.full), .failure(.busy):
            let message = "can't write \(what) of \(source.source): trying again"
            repeated.tell(.warning, message, about: source.source.rawValue, now: now)
            source.follower.postpone(cursor: cursor, now: now)
            // Whoever waits for that learns why.
            if case .failure(.full) = result { try refuse(waitingFor: source.source, .store(.full)) }
        case .failure(let error):
            let reason = "can't apply \(what) of \(source.source): \(error)"
            log.write(.error, reason)
            try perform(source.follower.stop(reason, cursor: cursor), of: source)
        }
        return false
    }
}
