import CBOR
import Glibc
import LiveList
import Messages
import Support
import ZeroMQ

@testable import Catalog
@testable import Orders
@testable import Reporting
@testable import Service
@testable import Store
@testable import Walks

/// A service without sockets, which finds its store as it was with each input.
final class ServiceUnderTest {
    private let definition: ServiceDefinition
    private let folder: ScratchFolder
    private var engine: Engine
    private var past: Reader
    private var faults: [String] = []
    private var base: [UInt8] = []
    /// How often the store was put back: each time it is another file, since connections may still have the one before.
    private var generation = 0
    private var path: String { "\(folder.path)/store-\(generation).db" }

    /// - Parameter records: encoded requests that make what is there before the first input.
    init(_ definition: ServiceDefinition, holding records: [(operation: String, body: [UInt8])] = []) throws {
        self.definition = definition
        folder = try ScratchFolder()
        engine = try Engine(definition, storePath: "\(folder.path)/store-0.db")
        past = Reader(label: "past", path: "\(folder.path)/store-0.db")
        for (operation, body) in records {
            var request = Incoming(header: RequestHeader(id: 1, operation: operation, key: .make()), body: body)
            request.followed = Dictionary(uniqueKeysWithValues: definition.projections.map { ($0.source, true) })
            _ = try engine.decide([request])
        }
        try engine.store.checkpoint(engine.session)
        base = File.read(path) ?? []
        listen()
    }

    deinit {
        definition.copies.stop()
    }

    private func listen() {
        engine.report = { [unowned self] in faults.append($0) }
    }

    /// Puts the store back to what it was before the first input.
    private func restore() throws {
        let old = path
        generation += 1
        try File.write(base, to: path)
        engine = try Engine(definition, storePath: path)
        past = Reader(label: "past", path: path)
        for end in ["", "-wal", "-shm", ".lock"] { unlink(old + end) }
        listen()
    }

    /// Does with a message what the loop does, and holds what is answered to the protocol.
    func take(_ frames: [[UInt8]]) throws(Finding) {
        guard let (envelope, content) = Envelope.open(Multipart(frames: frames.map { Frame($0) }), at: 0) else {
            return
        }
        guard case .request(let header, let body) = content else {
            guard case .refused(let id, let status, let body) = content else { return }
            return try check(.failure(status, body), id, envelope)
        }
        let before = engine.log.sequence
        var request = Incoming(header: header, body: body)
        request.followed = Dictionary(uniqueKeysWithValues: definition.projections.map { ($0.source, true) })
        let answer = try decided(request)
        try check(answer, header.id, envelope)
        try require(faults.isEmpty, "\(header.operation): \(faults.joined(separator: "; "))")
        guard engine.log.sequence != before || answer.status == .ok, isCommand(header.operation) else { return }
        try require(answer.status == .ok, "\(header.operation) was refused, and left events")
        let again = try decided(request)
        try require(again.replayed == true && again.body == answer.body, "a repeat of \(header.operation) is another")
        do { try restore() } catch { throw Finding("the store can't be opened again: \(error)") }
    }

    private func isCommand(_ operation: String) -> Bool {
        if case .command? = definition.routes.handlers[operation] { true } else { false }
    }

    private func decided(_ request: Incoming) throws(Finding) -> Answer {
        if request.header.operation == OpenList.operation { return try opened(request.body) }
        do {
            let (outcomes, _) = try engine.decide([request])
            guard outcomes.count == 1 else { throw Finding("\(outcomes.count) outcomes for one request") }
            switch outcomes[0] {
            case .answer(let answer): return answer
            case .scan(let scan), .past(let scan):
                do throws(ServiceError) { return try past.read(scan) } catch { return engine.failure(error) }
            // What would be waited for.
            case .awaiting(let source): return engine.failure(.awaiting(source))
            case .aside(let work): return engine.failure(.aside(work))
            }
        } catch let finding as Finding {
            throw finding
        } catch {
            throw Finding("the store failed: \(error)")
        }
    }

    /// Opens a live list as the loop does, from one snapshot.
    private func opened(_ body: [UInt8]) throws(Finding) -> Answer {
        let hub = ListHub(definition.routes.listSources)
        do throws(ServiceError) {
            let plan = try hub.plan(try decodeRequest(OpenList.self, body).query, service: definition.name)
            let positions = engine.positions
            let snapshot = try past.read { (session) throws(ServiceError) in
                try plan.build(session, positions: positions).snapshot
            }
            var frames: [[UInt8]] = []
            for part in snapshot.reply(topic: plan.topic).frames(ofBytes: Envelope.mostFrameBytes) {
                frames.append(try encoded(part))
            }
            return .ok(frames, positions)
        } catch {
            return engine.failure(error)
        }
    }

    /// An answer fits into its frames, says to whom, and an error is a sentence that shows nothing of the inside.
    private func check(_ answer: Answer, _ id: UInt64, _ envelope: Envelope) throws(Finding) {
        let reply = Array(envelope.reply(id: id, run: engine.run, answer).dropFirst(envelope.address.count))
        try require((2...(1 + ReplyHeader.maximumBodyFrames)).contains(reply.count), "a reply of \(reply.count) frames")
        guard let header = try? CBORDecoder().decode(ReplyHeader.self, from: reply[0].bytes) else {
            throw Finding("the header of a reply can't be read")
        }
        try require(header.id == id, "the reply to \(id) has the id \(header.id)")
        try require(header.status != .internal, "a fault: \(faults.joined(separator: "; "))")
        for body in reply.dropFirst() {
            try require((try? CBORDecoder().decode(CBORValue.self, from: body.bytes)) != nil, "a body that is no item")
        }
        guard header.status != .ok else { return }
        guard let error = try? CBORDecoder().decode(ErrorBody.self, from: reply[1].bytes) else {
            throw Finding("an error without its body")
        }
        try require(!error.message.isEmpty && error.message.utf8.count < 2000, "an error says '\(error.message)'")
        for word in ["SQL", "SELECT", "syntax error"] {
            try require(!error.message.contains(word) || isSaid(word, in: envelope), "an error says '\(error.message)'")
        }
    }

    /// Whether the word is one of the sender's own, which an error may repeat.
    private func isSaid(_ word: String, in envelope: Envelope) -> Bool {
        envelope.origin?.operation.contains(word) ?? true
    }
}

/// The four services, each made once in a process.
struct ServicesUnderTest {
    private let services: [ServiceUnderTest]

    init() throws {
        func put(_ entities: [String]) -> [(operation: String, body: [UInt8])] {
            Golden.messages.compactMap { message in
                let operation = message.rule.dropLast("-request".count)
                guard message.rule.hasSuffix(".put-request"), entities.contains(where: { operation == "\($0).put" })
                else { return nil }
                return (try? message.encode()).map { (String(operation), $0) }
            }
        }
        services = [
            try ServiceUnderTest(Catalog.definition, holding: put(["customer", "service", "recipe-type", "recipe"])),
            try ServiceUnderTest(Orders.definition, holding: put(["order"])),
            try ServiceUnderTest(Walks.definition, holding: put(["dog", "walk"])),
            try ServiceUnderTest(Reporting.definition),
        ]
    }

    /// Hands the message to every service that knows the operation; one that none knows, to all.
    func take(_ frames: [[UInt8]]) throws(Finding) {
        for service in services { try service.take(frames) }
    }
}
