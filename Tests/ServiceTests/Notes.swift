import CBOR
import Glibc
import Messages
import Store
import Support
import Testing

@testable import Service

/// A small record of the tests' own, with parts.
struct Note: Record {
    static let entity = "note"
    static let service = ServiceName(rawValue: "notes")

    struct Line: RecordPart {
        static let entity = "line"
        static let owner = Note.entity
        static let service = Note.service

        var id: Identifier
        var text: String
    }

    var id: Identifier
    var version = 0
    var title: String
    var color: String?
    var rank: Int64 = 0
    var lines: [Line] = []
    /// Set by the service: how many lines.
    var count = 0
}

/// A record of another service, which notes refer to by their colour.
struct Paint: Record {
    static let entity = "paint"
    static let service = ServiceName(rawValue: "paints")

    var id: Identifier
    var version = 0
    var name: String
}

struct Strike: Request {
    typealias Reply = Empty
    static let operation = "note.strike"
    static let kind = RequestKind.command
    static let service: ServiceName? = Note.service

    /// Changes all notes, then fails where this is true.
    var fails: Bool
}

enum Notes {
    static let entity = Entity<Note>(
        table: "notes",
        columns: [.text("title") { $0.title }, .text("color") { $0.color }, .integer("rank") { $0.rank }],
        parts: [
            PartTable(
                table: "note_lines",
                columns: [.text("text") { $0.text }],
                searchedAs: "lines",
                searched: { [$0.text] },
                parts: \.lines
            )
        ],
        indexes: ["title_key"],
        sort: [SortKey("title")],
        derived: ["count"],
        keyed: ["lines"],
        searched: { [$0.title, $0.color] + $0.lines.map(\.text) },
        prepare: { (note, _, transaction) throws(ServiceError) in
            note.title = try TextRules.name(note.title, field: "title")
            note.count = note.lines.count
            guard let color = note.color, color.hasPrefix("paint:") else { return }
            let known = try transaction.first("SELECT 1 FROM paints WHERE name = $1", .text(String(color.dropFirst(6))))
            {
                _ in true
            }
            if known == true { return }
            guard try transaction.isFollowedToHead(Paint.service) else {
                throw .refused(.unavailable, "cannot check the paint now")
            }
            throw .invalid(field: "color", found: color, "there is no \(color)")
        },
        erase: { note in
            note.title = Erased.name
            note.color = nil
            note.lines = []
        }
    )

    static let paints = Projection(
        source: Paint.service,
        entities: [Paint.entity],
        tables: ["paints"],
        clear: { (transaction) throws(ServiceError) in try transaction.execute("DELETE FROM paints") },
        apply: { (event, transaction) throws(ServiceError) in
            if let paint = try event.record(Paint.self) {
                if paint.name == "poison" { throw .invalid(field: "name", "this can't be applied") }
                try transaction.execute("DELETE FROM paints WHERE id = $1", .id(event.subject))
                try transaction.execute(
                    "INSERT INTO paints (id, name) VALUES ($1, $2)",
                    .id(event.subject),
                    .text(paint.name)
                )
            } else {
                try transaction.execute("DELETE FROM paints WHERE id = $1", .id(event.subject))
            }
        },
        react: { (event, transaction) throws(ServiceError) in
            if event.isErasure {
                // A line may be about a paint: then it has the paint's id.
                try transaction.eraseKept(Note.self, mentioning: event.subject) { note in
                    for index in note.lines.indices where note.lines[index].id == event.subject {
                        note.lines[index].text = Erased.name
                    }
                }
            }
            guard event.isDelete else { return }
            for note in try transaction.records(Note.self, where: "color = 'gone'") {
                var cleared = note
                cleared.color = nil
                try transaction.put(cleared)
            }
        },
        mend: { (transaction) throws(ServiceError) in
            let dangling = "color LIKE 'paint:%' AND substr(color, 7) NOT IN (SELECT name FROM paints)"
            for note in try transaction.records(Note.self, where: dangling) {
                var cleared = note
                cleared.color = nil
                try transaction.put(cleared)
            }
        }
    )

    static var definition: ServiceDefinition {
        var routes = Routes()
        routes.entity(entity)
        routes.command(Strike.self) { (request, transaction) throws(ServiceError) in
            for var note in try transaction.records(Note.self, where: "1 = 1") {
                note.title += " (struck)"
                try transaction.put(note)
            }
            if request.fails { throw .invalid(field: "fails", "it was asked to fail") }
            return Empty()
        }
        return ServiceDefinition(
            name: Note.service,
            migrations: [
                Migration(entity.schema + "CREATE TABLE paints (id BLOB PRIMARY KEY, name TEXT NOT NULL) STRICT;")
            ],
            routes: routes,
            projections: [paints]
        )
    }
}

/// The service that has the paints.
enum Paints {
    static var definition: ServiceDefinition {
        var routes = Routes()
        let entity = Entity<Paint>(
            table: "paints",
            columns: [.text("name") { $0.name }],
            sort: [SortKey("name")],
            prepare: { (_, _, _) throws(ServiceError) in }
        )
        routes.entity(entity)
        return ServiceDefinition(name: Paint.service, migrations: [Migration(entity.schema)], routes: routes)
    }
}

/// An engine on a scratch store, driven without sockets.
final class Desk {
    private let scratch: ScratchFolder
    var folder: String { scratch.path }
    private let definition: ServiceDefinition
    private(set) var engine: Engine
    /// Keeps what was made to read the past, as in a service.
    private(set) var past: Reader
    var told: [Event] = []
    private var nextID: UInt64 = 0

    init(_ definition: ServiceDefinition = Notes.definition) throws {
        self.definition = definition
        scratch = try ScratchFolder()
        engine = try Engine(definition, storePath: "\(scratch.path)/desk.db")
        past = Reader(label: "past", path: "\(scratch.path)/desk.db")
    }

    func incoming(_ request: some Request, key: Identifier? = .make()) throws -> Incoming {
        nextID += 1
        let header = RequestHeader(id: nextID, operation: type(of: request).operation, key: key)
        return Incoming(header: header, body: try CBOREncoder().encode(request))
    }

    /// Decides a group and keeps what it told.
    func decide(_ group: [Incoming]) throws -> [Outcome] {
        let (outcomes, events) = try engine.decide(group)
        told += try events.map { try CBORDecoder().decode(Event.self, from: $0.body) }
        return outcomes
    }

    func answer(_ request: some Request, key: Identifier? = .make()) throws -> Answer {
        let outcome = try decide([try incoming(request, key: key)])[0]
        switch outcome {
        case .answer(let answer): return answer
        case .past(let scan):
            do throws(ServiceError) { return try past.read(scan) } catch { return engine.failure(error) }
        case .scan(let scan):
            let reader = try Store.reader(path: engine.store.path)
            try reader.beginReading()
            do throws(ServiceError) { return try scan(reader) } catch { return engine.failure(error) }
        case .awaiting, .aside: throw Unanswered(outcome: outcome)
        }
    }

    /// The reply to a request that is expected to be done.
    func send<R: Request>(_ request: R, key: Identifier? = .make()) throws -> R.Reply {
        let answer = try answer(request, key: key)
        guard answer.status == .ok else { throw Refused(status: answer.status, body: try error(answer)) }
        return try CBORDecoder().decode(R.Reply.self, from: answer.body)
    }

    /// Why a request was refused.
    func refusal(_ request: some Request, key: Identifier? = .make()) throws -> Refused {
        let answer = try answer(request, key: key)
        try #require(answer.status != .ok)
        return Refused(status: answer.status, body: try error(answer))
    }

    func error(_ answer: Answer) throws -> ErrorBody {
        try CBORDecoder().decode(ErrorBody.self, from: answer.body)
    }

    func note(_ title: String, color: String? = nil, rank: Int64 = 0, lines: [Note.Line] = []) -> Note {
        Note(id: .make(), title: title, color: color, rank: rank, lines: lines)
    }

    func put(_ note: Note) throws -> Note {
        try send(Put(note))
    }

    /// What the store holds after the process had ended.
    func reopen() throws {
        // The old engine's lock has to go before the new one takes it.
        let path = "\(folder)/desk.db"
        engine = try Engine(definition, storePath: path + ".other")
        for name in ["", "-wal", "-shm", ".lock"] { unlink("\(path).other\(name)") }
        engine = try Engine(definition, storePath: path)
    }

    func count(_ sql: String) throws -> Int64 {
        try #require(try engine.session.first(sql) { $0.integer(0) })
    }
}

struct Refused: Error {
    var status: Status
    var body: ErrorBody
}

struct Unanswered: Error {
    var outcome: Outcome
}
