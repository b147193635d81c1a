internal import CBOR
internal import Client
internal import Glibc
internal import Messages
internal import Store
internal import ZeroMQ

/// The heartbeat, and what can wait for a quiet moment.
extension ServiceLoop {
    /// How long what was made to read the past is kept after it was last asked for, in milliseconds.
    private static let pastKept: Int64 = 60_000

    /// The heartbeat, and where the live lists are; each second.
    func tellHeartbeat() throws {
        let now = now
        guard now >= nextHeartbeat else { return }
        nextHeartbeat = now + 1000
        let log = engine.storedLog
        let heartbeat = Heartbeat(
            epoch: log.epoch,
            run: engine.run,
            sequence: log.sequence,
            entities: log.entities
        )
        let topic = Topic.heartbeat(engine.definition.name)
        try tell([Array(topic.utf8), try CBOREncoder().encode(heartbeat)])
        publish(try hub.beat(now: now))
    }

    func beat() throws {
        if now >= nextHeartbeat {
            followKeys()
            metrics?.refresh(self)
        }
        try tellHeartbeat()
        engine.tracksChanges = !hub.isEmpty
        let now = now
        // What was erased must not stay in it.
        readers.forgetPast(unlessAskedSince: engine.erasing == nil ? now - Self.pastKept : .max)
        if engine.erasing != nil, erasingDeadline == nil {
            // Whoever waits to be forgotten is not kept waiting, unless there is other work.
            erasingDeadline = now + 60_000
            nextTidying = now + 200
        }
        engine.definition.copies.drop(idleSince: ServiceLoop.now - StoreCopies.kept)
        guard now >= nextTidying else { return }
        refusals.settle(now: now)
        nextTidying = now + (engine.erasing == nil ? 2000 : 200)
        // Only a moment in which nothing came is quiet.
        let isQuiet = !hasChanged
        hasChanged = false
        if engine.erasing != nil { try finishErasing(isQuiet, now) }
        if isQuiet, engine.store.walBytes > 1 << 20 { try engine.tidy() }
    }

    /// Rewrites the files after an erasure: in a quiet moment, or in any after a minute.
    func finishErasing(_ isQuiet: Bool, _ now: Int64) throws {
        let deadline = erasingDeadline ?? now + 60_000
        erasingDeadline = deadline
        guard now >= nextErasing, isQuiet || now >= deadline else { return }
        if try engine.finishErasing() {
            erasingDeadline = nil
            log.write(.info, "the store's files no longer hold what was erased")
        } else {
            log.write(.warning, "the store's files still hold what was erased: trying again")
            // Rewriting is dear, cutting is not.
            nextErasing = engine.erasing == .rewriting ? now + 60_000 : 0
        }
    }

    /// Drops old events: a small step now and then while there is other work, one after the other in a quiet moment.
    func trim() throws {
        let now = now
        guard now >= nextTrimming else { return }
        guard !retention.keepsAll, try engine.trim(retention) else {
            nextTrimming = now + 10_000
            return
        }
        nextTrimming = now + (hasChanged ? 100 : 5)
    }
}
