import Client
import Messages

/// The forms in which events are printed.
enum EventFormat: String, Sendable, CaseIterable {
    /// A line for people, and one below it for each field that changed.
    case text
    /// CloudEvents 1.0 JSON, an event on each line.
    case jsonl
}

/// Prints what a subscription gives out.
struct EventPrinter: Sendable {
    var format: EventFormat
    var selection: EventSelection
    var output: Output
    var cells = CellText.current

    /// - Throws: as ``Output/write(_:)``.
    func print(_ update: EventUpdate, of service: ServiceName) throws(CLIError) {
        switch update {
        case .transaction(let transaction):
            for event in transaction.events where selection.contains(event) {
                try output.write(text(of: event, service, transaction.position.epoch))
            }
        case .resync(let reason, let position):
            switch format {
            case .text: try output.line(Self.sentence(reason, service, position))
            case .jsonl: try output.line(CloudEvent(reason, of: service, behind: position, time: .now()).json)
            }
        }
    }

    private func text(of event: Event, _ service: ServiceName, _ epoch: Identifier?) -> String {
        switch format {
        case .jsonl: return CloudEvent(event, of: service, epoch: epoch).json + "\n"
        case .text:
            var words = [cells.text(.instant(event.time), idDigits: nil), "\(service):\(event.sequence)"]
            words += [CellText.escaped(event.type), event.subject.description]
            if let principal = event.principal { words.append("by \(CellText.escaped(principal))") }
            if let cause = event.cause { words.append("because of \(CellText.escaped(cause))") }
            let changes = FieldChange.all(of: event).map { "  \($0.text)\n" }
            return words.joined(separator: "  ") + "\n" + changes.joined()
        }
    }

    /// Why what was printed so far can't be continued.
    static func sentence(_ reason: ResyncReason, _ service: ServiceName, _ position: EventPosition) -> String {
        let why =
            switch reason {
            case .epoch: "the log of \(service) was made anew or restored"
            case .diverged: "the log of \(service) has another past than was read: its store was put back"
            case .compacted: "events of \(service) from there on are no longer kept"
            case .future: "the log of \(service) ends before the position"
            }
        return "resync (\(reason.rawValue)): \(why); it goes on behind \(service):\(position.sequence)"
    }
}
