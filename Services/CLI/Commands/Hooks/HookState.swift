import Client
import JSON
import Messages

/// What a hook does, and how far it has come: `<home>/hooks/NAME/state.json`.
struct HookState: Sendable, Hashable {
    /// How far one log was dealt with.
    struct Place: Sendable, Hashable {
        /// Behind the last whole transaction.
        var position: EventPosition
        /// In the transaction behind it, the last event that was done, and the transaction's time; a sequence number alone
        /// could be another event's after a restore.
        var done: (sequence: Int64, time: Instant)?
        /// How often the event behind was tried in vain.
        var attempts = 0

        /// The last event that was done.
        var sequence: Int64 { max(position.sequence, done?.sequence ?? 0) }

        func isDone(_ event: Event) -> Bool {
            done.map { event.sequence <= $0.sequence && event.time == $0.time } ?? false
        }

        static func == (left: Place, right: Place) -> Bool {
            left.position == right.position && left.done?.sequence == right.done?.sequence
                && left.done?.time == right.done?.time && left.attempts == right.attempts
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(position)
            hasher.combine(sequence)
        }
    }

    /// The program and its arguments.
    var command: [String]
    var selection: EventSelection
    /// What one run may take.
    var timeout: Duration
    var places: [ServiceName: Place] = [:]

    /// `orders:120,catalog:33`.
    var positions: String {
        places.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value.sequence)" }.joined(separator: ",")
    }
}

// MARK: JSON

extension HookState {
    var json: String {
        func list(_ texts: [String]) -> String { "[" + texts.map(GenericJSON.string).joined(separator: ",") + "]" }
        var members = [
            ("command", list(command)),
            ("sources", list(selection.sources.map(\.rawValue))),
            ("types", list(selection.types)),
            ("timeout", String(Int(timeout / .milliseconds(1)))),
        ]
        if let subject = selection.subject { members.append(("subject", GenericJSON.string(subject.description))) }
        let places = places.sorted { $0.key < $1.key }.map { ($0.key.rawValue, $0.value.json) }
        members.append(("positions", GenericJSON.object(places)))
        return GenericJSON.object(members) + "\n"
    }

    /// - Throws: ``CLIError/badConfiguration(file:key:reason:)``: a place that can't be read is never guessed.
    init(json bytes: [UInt8], file: String) throws(CLIError) {
        let value: JSONValue
        do throws(JSONReader.Problem) {
            value = try JSONReader.value(of: bytes)
        } catch {
            throw .badConfiguration(file: file, key: nil, reason: "line \(error.line): \(error.reason)")
        }
        func bad(_ key: String) -> CLIError { .badConfiguration(file: file, key: key, reason: "can't be read") }
        guard let command = value["command"]?.strings, !command.isEmpty else { throw bad("command") }
        guard let sources = value["sources"]?.strings else { throw bad("sources") }
        guard let types = value["types"]?.strings else { throw bad("types") }
        guard let timeout = value["timeout"]?.count else { throw bad("timeout") }
        let subject = value["subject"]?.string.flatMap { Identifier($0) }
        guard (value["subject"] == nil) == (subject == nil) else { throw bad("subject") }
        guard case .object(let members)? = value["positions"] else { throw bad("positions") }
        var places: [ServiceName: Place] = [:]
        for member in members {
            guard let place = Place(json: member.value) else { throw bad("positions") }
            places[ServiceName(rawValue: member.key)] = place
        }
        self.init(
            command: command,
            selection: EventSelection(
                sources: sources.map { ServiceName(rawValue: $0) },
                types: types,
                subject: subject
            ),
            timeout: .milliseconds(timeout),
            places: places
        )
    }
}

extension HookState.Place {
    /// Numbers of 64 bits are text: JSON's readers elsewhere round them.
    fileprivate var json: String {
        var members = [("sequence", GenericJSON.string(String(position.sequence)))]
        if let epoch = position.epoch { members.append(("epoch", GenericJSON.string(epoch.description))) }
        if let chain = position.chain { members.append(("chain", GenericJSON.string(String(chain)))) }
        if let done {
            members.append(("done", GenericJSON.string(String(done.sequence))))
            members.append(("time", GenericJSON.string(done.time.description)))
        }
        if attempts > 0 { members.append(("attempts", String(attempts))) }
        return GenericJSON.object(members)
    }

    fileprivate init?(json value: JSONValue) {
        guard let sequence = value["sequence"]?.string.flatMap({ Int64($0) }), sequence >= 0 else { return nil }
        position = EventPosition(
            epoch: value["epoch"]?.string.flatMap { Identifier($0) },
            sequence: sequence,
            chain: value["chain"]?.string.flatMap { UInt64($0) }
        )
        guard (value["epoch"] == nil) == (position.epoch == nil), (value["chain"] == nil) == (position.chain == nil)
        else {
            return nil
        }
        if let done = value["done"]?.string {
            guard let sequence = Int64(done), sequence >= 0, let time = value["time"]?.string.flatMap({ Instant($0) })
            else { return nil }
            self.done = (sequence, time)
        }
        if let attempts = value["attempts"] {
            guard let count = attempts.count else { return nil }
            self.attempts = count
        }
    }
}

extension JSONValue {
    var string: String? { if case .string(let text) = self { text } else { nil } }

    var integer: Int64? { if case .number(let text) = self { Int64(text) } else { nil } }

    /// A whole number that can be counted on from: from 0 to 2^53.
    var count: Int? { integer.flatMap { 0...1 << 53 ~= $0 ? Int($0) : nil } }

    var strings: [String]? {
        guard case .array(let values) = self else { return nil }
        let texts = values.compactMap(\.string)
        return texts.count == values.count ? texts : nil
    }
}
