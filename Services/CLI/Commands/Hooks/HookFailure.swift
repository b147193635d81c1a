import JSON
import Messages

/// An event that a hook gave up.
struct HookFailure: Sendable, Hashable {
    struct Event: Sendable, Hashable {
        var id: String
        var type: String
        var position: String
        /// CloudEvents JSON, as the command got it.
        var json: String
    }

    var event: Event
    /// How often it was tried.
    var attempts: Int
    /// Why the last attempt failed.
    var reason: String
    /// When.
    var time: Instant

    init(_ event: CloudEvent, attempts: Int, reason: String, time: Instant) {
        self.event = Event(id: event.id, type: event.type, position: event.position, json: event.json)
        self.attempts = attempts
        self.reason = reason
        self.time = time
    }

    var json: String {
        GenericJSON.object([
            ("id", GenericJSON.string(event.id)),
            ("type", GenericJSON.string(event.type)),
            ("position", GenericJSON.string(event.position)),
            ("attempts", String(attempts)),
            ("reason", GenericJSON.string(reason)),
            ("time", GenericJSON.string(time.description)),
            // As text, so that a repetition gets the same bytes.
            ("event", GenericJSON.string(event.json)),
        ]) + "\n"
    }

    /// - Throws: ``CLIError/badConfiguration(file:key:reason:)``.
    init(json bytes: [UInt8], file: String) throws(CLIError) {
        guard let value = try? JSONReader.value(of: bytes), let id = value["id"]?.string,
            let type = value["type"]?.string, let position = value["position"]?.string,
            let attempts = value["attempts"]?.count, let reason = value["reason"]?.string,
            let time = value["time"]?.string.flatMap({ Instant($0) }), let json = value["event"]?.string
        else { throw .badConfiguration(file: file, key: nil, reason: "is no event that was given up") }
        event = Event(id: id, type: type, position: position, json: json)
        self.attempts = attempts
        self.reason = reason
        self.time = time
    }
}

extension Noun where Row == HookFailure {
    static let hookFailure = Noun(
        "failed event",
        plural: "failed events",
        summary: "An event that a hook gave up.",
        fields: [
            .text("position", "Position", "Its place: a service and its number.") { $0.event.position },
            .text("type", "Type", "What happened.") { $0.event.type },
            .integer("attempts", "Tried", "How often it was tried.") { Int64($0.attempts) },
            .text("reason", "Why", "What came of the last attempt.") { $0.reason },
            .instant("time", "When", "When it was given up.") { $0.time },
            .text("event", "Event", "The event's id.", inTable: false) { $0.event.id },
        ]
    )
}
