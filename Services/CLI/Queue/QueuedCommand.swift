import CBOR
import Messages

/// A command that could not be delivered yet, with all that it takes to deliver it later.
struct QueuedCommand: Codable, Sendable, Hashable {
    /// Why its service will not do it.
    struct Refusal: Codable, Sendable, Hashable {
        var status: Status
        /// A sentence for a person.
        var reason: String
        var time: Instant
    }

    /// Its place in the queue, from 1.
    var number = 0
    var service: ServiceName
    var operation: String
    /// The same in all attempts, so that the command has its effect once.
    var key: Identifier
    /// The request, in the same bytes in all attempts.
    var body: EncodedCBOR
    /// What was typed, as a shell takes it.
    var line: String
    /// When it was queued.
    var time: Instant
    /// The record that it makes; nil where it makes none.
    var subject: Identifier?
    /// All ids in the body, each once.
    var ids: [Identifier]
    /// nil as long as it was not refused.
    var refusal: Refusal?

    /// - Throws: ``CLIError/failure(_:)`` where the request can't be written.
    init<R: Request>(
        _ request: R,
        to service: ServiceName,
        making subject: Identifier?,
        key: Identifier,
        line: String
    ) throws(CLIError) {
        do throws(CBORError) {
            body = try EncodedCBOR(encoding: request)
            ids = Self.ids(in: try body.decode(CBORValue.self))
        } catch {
            throw .failure("The command can't be queued: \(error).")
        }
        self.service = service
        operation = R.operation
        self.key = key
        self.line = line
        self.subject = subject
        time = .now()
    }

    /// The request, where it is one of this kind.
    func content<R: Request & Decodable>(_ type: R.Type) -> R? {
        operation == R.operation ? try? body.decode(R.self) : nil
    }

    /// Whether it refers to what the other makes.
    func depends(on other: QueuedCommand) -> Bool {
        other.number < number && refers(to: other)
    }

    /// Whether it names what the other makes.
    func refers(to other: QueuedCommand) -> Bool { other.subject.map(ids.contains) ?? false }

    /// On the wire an id is a byte string of 16 bytes, or where a name may stand in its place, text. Others that look like
    /// one do no harm: they equal no id.
    private static func ids(in value: CBORValue) -> [Identifier] {
        var ids: [Identifier] = []
        var left = [value]
        while let value = left.popLast() {
            switch value {
            case .bytes(let bytes):
                if let id = Identifier(bytes: bytes), !ids.contains(id) { ids.append(id) }
            case .text(let text):
                if let id = Identifier(text), !ids.contains(id) { ids.append(id) }
            case .array(let items): left += items
            case .map(let pairs): left += pairs.map(\.value)
            case .tagged(_, let content): left.append(content)
            default: break
            }
        }
        return ids
    }
}
