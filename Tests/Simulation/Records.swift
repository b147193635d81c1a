import Messages
import Service
import Store

/// What the simulated source keeps.
struct Paint: Record {
    static let entity = "paint"
    static let service = ServiceName(rawValue: "paints")

    var id: Identifier
    var version = 0
    var title: String
    var rank: Int64
    /// Another one in each command, by which its effect is known.
    var mark: Int64
}

/// What the service keeps that follows it.
struct Note: Record {
    static let entity = "note"
    static let service = ServiceName(rawValue: "notes")

    var id: Identifier
    var version = 0
    var title: String
    var rank: Int64
    var mark: Int64
    /// A record of the source.
    var paint: Identifier?
}

/// What the follower knows of the source, read on a reader.
struct KnownPaints: Request {
    struct Row: Codable, Hashable, Sendable {
        var id: Identifier
        var mark: Int64
    }

    struct Reply: Codable, Sendable {
        var rows: [Row]
    }

    static let operation = "note.paints"
    static let kind = RequestKind.scan
    static let service: ServiceName? = Note.service
}

/// The same, read in the loop.
struct KnownPaintsNow: Request {
    typealias Reply = KnownPaints.Reply
    static let operation = "note.paints.now"
    static let kind = RequestKind.query
    static let service: ServiceName? = Note.service
}

/// Changes all paints in one transaction, or fails when it has changed them.
struct ShufflePaints: Request {
    typealias Reply = Empty
    static let operation = "paint.shuffle"
    static let kind = RequestKind.command
    static let service: ServiceName? = Paint.service

    var mark: Int64
    var fails: Bool
}

/// Two small services: one keeps records, the other keeps records that refer to them.
enum Definitions {
    static let paints = {
        var routes = Routes()
        let entity = Entity<Paint>(
            table: "paints",
            columns: [.text("title") { $0.title }, .integer("rank") { $0.rank }],
            sort: [SortKey("title")]
        )
        routes.entity(entity)
        routes.command(ShufflePaints.self) { (request, transaction) throws(ServiceError) in
            let paints = try transaction.records(Paint.self, where: "TRUE")
            guard !paints.isEmpty else { throw .refused(.notFound, "there is no paint") }
            for var paint in paints {
                (paint.rank, paint.mark) = ((paint.rank + 3) % 7, request.mark)
                _ = try transaction.put(paint)
            }
            guard !request.fails else { throw .refused(.conflict, "it was to fail") }
            return Empty()
        }
        return ServiceDefinition(name: Paint.service, migrations: [Migration(entity.schema)], routes: routes)
    }()

    static let notes = {
        var routes = Routes()
        let entity = Entity<Note>(
            table: "notes",
            columns: [.text("title") { $0.title }, .integer("rank") { $0.rank }, .id("paint") { $0.paint }],
            sort: [SortKey("title")],
            prepare: { (note, old, transaction) throws(ServiceError) in
                guard let paint = note.paint, paint != old?.paint else { return }
                if try transaction.first("SELECT 1 FROM known WHERE id = $1", .id(paint), make: { _ in true }) == true {
                    return
                }
                guard try transaction.isFollowedToHead(Paint.service) else {
                    throw .refused(.unavailable, "the paint can't be looked up now")
                }
                throw .invalid(field: "paint", found: paint.description, "there is no such paint")
            }
        )
        routes.entity(entity)
        routes.query(KnownPaints.self) { (_, reading) throws(ServiceError) in try known(reading) }
        routes.query(KnownPaintsNow.self) { (_, reading) throws(ServiceError) in try known(reading) }
        let schema = entity.schema + "CREATE TABLE known (id BLOB PRIMARY KEY, mark INTEGER NOT NULL) STRICT;"
        return ServiceDefinition(
            name: Note.service,
            migrations: [Migration(schema)],
            routes: routes,
            projections: [projectionInSmallPages]
        )
    }()

    private static func known(_ reading: Reading) throws(ServiceError) -> KnownPaints.Reply {
        var rows: [KnownPaints.Row] = []
        try reading.query("SELECT id, mark FROM known ORDER BY id") { row in
            if let id = row.id(0) { rows.append(KnownPaints.Row(id: id, mark: row.integer(1))) }
        }
        return KnownPaints.Reply(rows: rows)
    }

    /// So that there are several of them, each read at another position.
    private static let projectionInSmallPages = {
        var small = projection
        small.pageRows = 1
        return small
    }()

    private static let projection = Projection(
        source: Paint.service,
        entities: [Paint.entity],
        tables: ["known"],
        clear: { (transaction) throws(ServiceError) in try transaction.execute("DELETE FROM known") },
        apply: { (event, transaction) throws(ServiceError) in
            guard let paint = try event.record(Paint.self) else {
                try transaction.execute("DELETE FROM known WHERE id = $1", .id(event.subject))
                return
            }
            try transaction.execute(
                """
                INSERT INTO known (id, mark) VALUES ($1, $2)
                ON CONFLICT (id) DO UPDATE SET mark = excluded.mark
                """,
                .id(paint.id),
                .integer(paint.mark)
            )
        },
        react: { (event, transaction) throws(ServiceError) in
            guard event.isDelete else { return }
            let notes = try transaction.records(Note.self, where: "paint = $1", .id(event.subject))
            try clearPaint(of: notes, &transaction)
        },
        mend: { (transaction) throws(ServiceError) in
            let condition = "paint IS NOT NULL AND paint NOT IN (SELECT id FROM known)"
            try clearPaint(of: try transaction.records(Note.self, where: condition), &transaction)
        }
    )

    private static func clearPaint(of notes: [Note], _ transaction: inout Transaction) throws(ServiceError) {
        for var note in notes {
            note.paint = nil
            _ = try transaction.put(note)
        }
    }
}
