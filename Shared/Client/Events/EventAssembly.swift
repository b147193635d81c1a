import CBOR
import Messages

/// Puts the events of a log together to transactions, and leaves out what was not asked for. A value.
struct EventAssembly: Sendable {
    /// A transaction is held until its last event, as far as it is not larger than this; a larger one is told in parts.
    static let largestBytes = 1 << 20

    /// A part of the log, and how many bytes it takes on the wire.
    struct Piece: Sendable, Equatable {
        var update: EventUpdate
        var bytes: Int
    }

    private let service: ServiceName
    private let entities: Set<String>?
    private var held: [Event] = []
    private var heldBytes = 0

    /// - Parameter entities: those whose events are wanted; nil for all.
    init(of service: ServiceName, entities: Set<String>? = nil) {
        self.service = service
        self.entities = entities
    }

    /// Takes a run of events, which continues the one before.
    ///
    /// - Returns: What has ended with it.
    /// - Throws: `malformedReply` for an event that can't be read.
    mutating func add(
        _ events: [EncodedCBOR],
        chains: [UInt64]?,
        reaching end: EventPosition
    ) throws(ClientError) -> [Piece] {
        var pieces: [Piece] = []
        for (index, encoded) in events.enumerated() {
            let event: Event
            do throws(CBORError) {
                event = try encoded.decode(Event.self)
            } catch {
                throw .malformedReply(service, "in an event behind \(end.sequence - Int64(events.count)): \(error)")
            }
            if entities?.contains(event.entity) ?? true {
                held.append(event)
                heldBytes += encoded.bytes.count
            }
            let isLast = event.last ?? false
            guard isLast || heldBytes >= Self.largestBytes else { continue }
            let place =
                index == events.count - 1
                ? end : EventPosition(epoch: end.epoch, sequence: event.sequence, chain: chains?[index])
            let transaction = EventTransaction(service: service, events: held, position: place, continues: !isLast)
            if held.isEmpty, pieces.last?.bytes == 0 { pieces.removeLast() }
            pieces.append(Piece(update: .transaction(transaction), bytes: heldBytes))
            (held, heldBytes) = ([], 0)
        }
        return pieces
    }

    /// Drops what has not ended: after a resync.
    mutating func reset() {
        (held, heldBytes) = ([], 0)
    }
}
