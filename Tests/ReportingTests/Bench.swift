import CBOR
import Glibc
import Messages
import Store
import Support
import Testing

@testable import Service

/// A service's engine on a scratch store, driven without sockets.
final class Bench {
    let engine: Engine
    /// Keeps what was made to read the past, as in a service.
    private let past: Reader
    private let folder: ScratchFolder
    private var nextID: UInt64 = 0

    init(_ definition: ServiceDefinition) throws {
        folder = try ScratchFolder()
        engine = try Engine(definition, storePath: "\(folder.path)/bench.db")
        past = Reader(label: "past", path: "\(folder.path)/bench.db")
    }

    /// The reply to a request that is expected to be done.
    @discardableResult
    func send<R: Request>(_ request: R) throws -> R.Reply {
        nextID += 1
        let header = RequestHeader(id: nextID, operation: R.operation, key: R.kind == .command ? .make() : nil)
        let incoming = Incoming(header: header, body: try CBOREncoder().encode(request))
        let answer: Answer
        switch try engine.decide([incoming]).outcomes[0] {
        case .answer(let given): answer = given
        case .past(let scan): answer = try past.read(scan)
        case .scan(let scan): answer = try scan(try Store.reader(path: engine.store.path))
        case .aside: throw Unexpected("\(R.operation) wants something computed")
        case .awaiting(let source): throw Unexpected("\(R.operation) waits for \(source)")
        }
        guard answer.status == .ok, answer.more.isEmpty else {
            throw Unexpected("\(R.operation): \(answer.status), \(String(decoding: answer.body, as: UTF8.self))")
        }
        return try CBORDecoder().decode(R.Reply.self, from: answer.body)
    }

    /// The events behind a number, all of them.
    func events(after sequence: Int64 = 0) throws -> [EncodedCBOR] {
        var events: [EncodedCBOR] = []
        var position = ReadEvents(sequence: sequence)
        while true {
            let page = try send(position)
            events += page.events
            if page.through == page.head { return events }
            position = ReadEvents(epoch: page.epoch, sequence: page.through, chain: page.chain)
        }
    }

    /// Applies events that follow each other, to the last.
    func apply(_ events: some Collection<EncodedCBOR>, of source: ServiceName, epoch: Identifier) throws {
        guard let last = Array(events).last else { return }
        let cursor = Cursor(epoch: epoch, sequence: try last.decode(Event.self).sequence, chain: 0)
        _ = try engine.apply(Array(events), of: source, reaching: cursor).get()
    }

    /// The rows of a query as text, ids in hexadecimal.
    func rows(_ sql: String) throws -> [String] {
        var rows: [String] = []
        try engine.session.query(sql) { rows.append($0.text(0)) }
        return rows
    }
}

/// What a test can't go on from: one sentence.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
