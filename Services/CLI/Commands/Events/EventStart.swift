import ArgumentParser
import Client
import Messages

/// Where following begins: `start`, `now`, or positions: `orders:120,catalog:33`, or `120` of the only source.
///
/// With the log's epoch, as in an event's id, `orders:<epoch>:120`, a log that was made anew or restored since is noticed.
enum EventStart: Sendable, Hashable {
    /// The first event that is kept.
    case start
    /// What comes from now on.
    case now
    /// Behind these; the name is nil where it was left out.
    case behind([Place])

    struct Place: Sendable, Hashable {
        var service: ServiceName?
        var position: EventPosition
    }

    /// The services that are named.
    var services: [ServiceName] {
        guard case .behind(let places) = self else { return [] }
        return places.compactMap(\.service)
    }

    /// The position in a service's log; nil for now.
    ///
    /// - Throws: ``CLIError/usage(_:)`` where positions are given and this service has none.
    func position(of service: ServiceName, among sources: [ServiceName]) throws(CLIError) -> EventPosition? {
        switch self {
        case .start: return .start
        case .now: return nil
        case .behind(let places):
            if let place = places.first(where: { $0.service == service }) { return place.position }
            guard places.count == 1, let place = places.first, place.service == nil else {
                throw .usage(
                    "--from has no position of \(service): write '\(service):NUMBER', or leave the source out."
                )
            }
            guard sources.count == 1 else {
                let example = sources.map { "\($0):\(place.position.sequence)" }.joined(separator: ",")
                throw .usage("--from \(place.position.sequence) needs one --source; or write '\(example)'.")
            }
            return place.position
        }
    }
}

extension EventStart: ExpressibleByArgument {
    init?(argument: String) {
        switch argument {
        case "start": self = .start
        case "now": self = .now
        default:
            let words = argument.split(separator: ",", omittingEmptySubsequences: false)
            var places: [Place] = []
            for word in words {
                guard let place = Place(word), !places.contains(where: { $0.service == place.service }),
                    place.service != nil || words.count == 1
                else { return nil }
                places.append(place)
            }
            self = .behind(places)
        }
    }

    var defaultValueDescription: String { "" }
}

extension EventStart.Place {
    fileprivate init?(_ word: Substring) {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, let sequence = Int64(last), sequence >= 0, !last.hasPrefix("+") else { return nil }
        switch parts.count {
        case 1: self.init(service: nil, position: EventPosition(sequence: sequence))
        case 2, 3:
            let service = ServiceName(rawValue: String(parts[0]))
            let epoch = parts.count == 3 ? Identifier(String(parts[1])) : nil
            guard ServiceName.all.contains(service), parts.count == 2 || epoch != nil else { return nil }
            self.init(service: service, position: EventPosition(epoch: epoch, sequence: sequence))
        default: return nil
        }
    }
}
