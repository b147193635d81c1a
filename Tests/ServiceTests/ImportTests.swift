import CBOR
import Messages
import Testing

@testable import Service

struct ImportTests {
    let desk: Desk

    init() throws {
        desk = try Desk()
    }

    private func stage(_ notes: [Note], batch: Identifier, chunk: Int) throws {
        let items = try notes.enumerated().map { index, note in
            try EncodedCBOR(encoding: ImportItem(record: note, line: index + 2))
        }
        _ = try desk.send(ImportStage(batch: batch, chunk: chunk, entity: "note", items: items))
    }

    private func run(_ notes: [Note], dryRun: Bool? = nil) throws -> ImportCounts {
        let batch = Identifier.make()
        try stage(Array(notes.prefix(2)), batch: batch, chunk: 0)
        try stage(Array(notes.dropFirst(2)), batch: batch, chunk: 1)
        let reply = try desk.send(ImportCommit(batch: batch, chunks: 2, dryRun: dryRun))
        return try #require(reply.counts["note"])
    }

    private var notes: [Note] { (1...5).map { desk.note("note \($0)", rank: Int64($0)) } }

    @Test func takesAllInOneTransaction() throws {
        #expect(try run(notes) == ImportCounts(created: 5))
        #expect(desk.told.count == 5 && Set(desk.told.map(\.transaction)).count == 1)
        #expect(try desk.count("SELECT count(*) FROM staged") == 0)
    }

    @Test func aSecondImportChangesNothing() throws {
        let notes = notes
        _ = try run(notes)
        #expect(try run(notes) == ImportCounts(unchanged: 5))
        #expect(desk.told.count == 5)
    }

    @Test func anEditMadeSinceIsLeftAloneByTheSameFile() throws {
        let notes = notes
        _ = try run(notes)
        var edited = try desk.send(Get<Note>(id: notes[0].id))
        edited.title = "mine"
        edited = try desk.put(edited)
        #expect(try run(notes) == ImportCounts(unchanged: 5))
        #expect(try desk.send(Get<Note>(id: notes[0].id)) == edited)
    }

    @Test func aCorrectedLineChangesItsRecord() throws {
        var notes = notes
        _ = try run(notes)
        notes[3].title = "corrected"
        #expect(try run(notes) == ImportCounts(updated: 1, unchanged: 4))
    }

    @Test func oneBadLineStoresNothingAndIsNamed() throws {
        var notes = notes
        notes[4].title = " "
        let batch = Identifier.make()
        try stage(notes, batch: batch, chunk: 0)
        let refusal = try desk.refusal(ImportCommit(batch: batch, chunks: 1))
        #expect(refusal.body.message.hasPrefix("line 6: title is blank"))
        #expect(desk.told.isEmpty)
        #expect(try desk.count("SELECT count(*) FROM notes") == 0)
        #expect(try desk.count("SELECT count(*) FROM imported") == 0)
    }

    @Test func aDryRunChecksAllAndStoresNothing() throws {
        #expect(try run(notes, dryRun: true) == ImportCounts(created: 5))
        #expect(desk.told.isEmpty)
        #expect(try desk.count("SELECT count(*) FROM notes") == 0)
        // What would change is found as before, by its own words alone.
        var note = try desk.put(desk.note("bread"))
        note.title = "cake"
        #expect(try run([note], dryRun: true) == ImportCounts(updated: 1))
        for (word, found) in [("bread", 1), ("cake", 0)] {
            #expect(try desk.send(List<Note>(filter: .search(nil, word)), key: nil).rows.count == found)
        }
        let bad = [desk.note("good"), desk.note("")]
        #expect(throws: Refused.self) { try run(bad, dryRun: true) }
    }

    @Test func aMissingChunkIsRefused() throws {
        let batch = Identifier.make()
        try stage(notes, batch: batch, chunk: 0)
        #expect(try desk.refusal(ImportCommit(batch: batch, chunks: 2)).status == .notFound)
    }

    @Test func aChunkSentTwiceReplacesItself() throws {
        let batch = Identifier.make()
        try stage(notes, batch: batch, chunk: 0)
        let last = notes
        try stage(last, batch: batch, chunk: 0)
        _ = try desk.send(ImportCommit(batch: batch, chunks: 1))
        #expect(try desk.send(List<Note>()).rows.map(\.id) == last.map(\.id))
    }

    @Test func anUnknownEntityIsRefused() throws {
        let stage = ImportStage(batch: .make(), chunk: 0, entity: "elephant", items: [])
        #expect(try desk.refusal(stage).body.message.contains("note"))
    }
}
