import CBOR
import Client
import Messages

/// Events for the world outside: CloudEvents 1.0 in its JSON format, on one line.
///
/// | attribute | value |
/// |---|---|
/// | `id` | `<epoch>:<sequence>`: unique in its source; a repetition has the same |
/// | `source` | `daybook/orders` |
/// | `type` | `order.created`, `order.updated`, `order.deleted`, or `daybook.resync` |
/// | `subject` | the record's id, a UUID |
/// | `time` | of the change, RFC 3339 |
/// | `data` | `record`: after the change, null for a delete; `before`: what the changed fields were, null where there was nothing, for a delete the whole record |
/// | `position` | `orders:120`, as `--from` takes it |
/// | `transaction` | the number of the command's transaction, in decimal digits |
/// | `last` | true on the last event of its transaction |
/// | `recordversion` | the record's version after the change |
/// | `principal` | who made it, where that is known |
/// | `cause` | the event of another service that it follows from, as `catalog:33` |
/// | `traceparent` | the W3C trace context, where there is one |
///
/// Names of extensions are lower-case letters and digits (CloudEvents 1.0, naming conventions). `data` is in the mapping
/// of ``GenericJSON``. A resync has `data` with the `reason`, and a `position` behind which the events go on.
struct CloudEvent: Sendable, Hashable {
    static let resyncType = "daybook.resync"

    var id: String
    var type: String
    var position: String
    /// The whole event.
    var json: String

    init(_ event: Event, of service: ServiceName, epoch: Identifier?) {
        id = Self.id(EventPosition(epoch: epoch, sequence: event.sequence))
        type = event.type
        position = "\(service):\(event.sequence)"
        var members = Self.context(id, service, type, event.time)
        members.append(("subject", GenericJSON.string(event.subject.description)))
        members.append(("position", GenericJSON.string(position)))
        members.append(("transaction", GenericJSON.string(String(event.transaction))))
        members.append(("last", event.last == true ? "true" : "false"))
        members.append(("recordversion", String(event.version)))
        for (name, value) in [
            ("principal", event.principal), ("cause", event.cause), ("traceparent", event.traceparent),
        ] {
            if let value, !value.isEmpty { members.append((name, GenericJSON.string(value))) }
        }
        let data = [("record", GenericJSON.text(event.data)), ("before", GenericJSON.text(event.before))]
        members.append(("data", GenericJSON.object(data)))
        json = GenericJSON.object(members)
    }

    /// What is told where a position can't be continued from.
    init(_ reason: ResyncReason, of service: ServiceName, behind place: EventPosition, time: Instant) {
        id = Self.id(place) + ":resync"
        type = Self.resyncType
        position = "\(service):\(place.sequence)"
        var members = Self.context(id, service, type, time)
        members.append(("position", GenericJSON.string(position)))
        members.append(("data", GenericJSON.object([("reason", GenericJSON.string(reason.rawValue))])))
        json = GenericJSON.object(members)
    }

    private static func id(_ place: EventPosition) -> String {
        "\(place.epoch?.description ?? ""):\(place.sequence)"
    }

    private static func context(
        _ id: String,
        _ service: ServiceName,
        _ type: String,
        _ time: Instant
    ) -> [(key: String, value: String)] {
        [
            ("specversion", GenericJSON.string("1.0")),
            ("id", GenericJSON.string(id)),
            ("source", GenericJSON.string("daybook/\(service)")),
            ("type", GenericJSON.string(type)),
            ("time", GenericJSON.string(time.description)),
            ("datacontenttype", GenericJSON.string("application/json")),
        ]
    }
}
