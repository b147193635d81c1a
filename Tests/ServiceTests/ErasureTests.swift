import CBOR
import Glibc
import Messages
import Store
import Testing

@testable import Service

struct ErasureTests {
    let desk: Desk
    private let secret = "Bj\u{F6}rk Qvistzon +46 70 123"

    init() throws {
        desk = try Desk()
    }

    /// A note that was made, edited twice and, in between, held what is secret in every way.
    private func secretNote() throws -> Note {
        var note = desk.note(secret, color: secret)
        note.lines = [Note.Line(id: .make(), text: secret)]
        note = try desk.put(note)
        note.color = nil
        note = try desk.put(note)
        note.color = secret
        note.rank = 7
        return try desk.put(note)
    }

    private func history(_ subject: Identifier) throws -> [Event] {
        try desk.send(ReadHistory(subject: subject), key: nil).events.map { try $0.decode(Event.self) }
    }

    private func log() throws -> [(digest: UInt64, chain: UInt64)] {
        var log: [(UInt64, UInt64)] = []
        try desk.engine.session.query("SELECT digest, chain FROM event ORDER BY sequence") {
            log.append(($0.bits(0), $0.bits(1)))
        }
        return log
    }

    /// Whether a row of a table holds the bytes.
    private func isStored(_ bytes: [UInt8]) throws -> Bool {
        for (table, column) in [
            ("event", "body"), ("reply", "body"), ("staged", "body"), ("notes", "body"), ("notes", "title"),
            ("notes", "title_key"), ("notes", "title_folded"), ("notes", "searched"), ("notes", "color"),
            ("note_lines", "text"), ("note_lines", "searched"),
        ] where try desk.count("SELECT count(*) FROM \(table) WHERE instr(CAST(\(column) AS BLOB), \(sql(bytes)))") > 0
        {
            return true
        }
        return false
    }

    private func sql(_ bytes: [UInt8]) -> String {
        "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }

    @Test func blanksTheRecordAndTellsIt() throws {
        let note = try secretNote()
        let reply = try desk.send(Erase<Note>(id: note.id))
        let erased = try desk.send(Get<Note>(id: note.id))
        #expect(erased.title == "erased" && erased.color == nil && erased.lines.isEmpty && erased.rank == 7)
        #expect(reply.record == erased && !reply.wasErased && reply.copies.isEmpty && erased.version == 4)
        let event = try #require(desk.told.last)
        #expect(event.type == "note.erased" && event.before == nil && event.version == 4)
        #expect(try event.data?.decode(Note.self) == erased)
        #expect(try !isStored(Array(secret.utf8)))
    }

    @Test func blanksItsEventsAndLeavesTheChain() throws {
        let other = try desk.put(desk.note("other"))
        let note = try secretNote()
        let before = try log()
        _ = try desk.send(Erase<Note>(id: note.id))
        let after = try log()
        #expect(after.count == 5 && zip(before, after).allSatisfy { $0 == $1 })
        var chain: UInt64 = 0
        for link in after {
            var digest = Digest()
            digest.add(number: chain)
            digest.add(number: link.digest)
            chain = digest.value
            #expect(chain == link.chain)
        }
        #expect(try desk.count("SELECT count(*) FROM event WHERE erased = 1") == 3)
        let events = try history(note.id)
        #expect(events.map(\.version) == [4, 3, 2, 1])
        #expect(try events.allSatisfy { try $0.data?.decode(Note.self).title == "erased" })
        // Which fields changed is still told, and what is not personal.
        let changes = try events.map { event in
            try event.before.map { try CBORValue(decoding: $0.bytes, profile: .wire).description }
        }
        #expect(changes == [nil, #"{"rank": 0, "color": null}"#, #"{"color": null}"#, nil])
        #expect(try history(other.id)[0].data?.decode(Note.self) == other)
    }

    @Test func blanksStoredRepliesAndGivesThemToARepeat() throws {
        let key = Identifier.make()
        let request = Put(desk.note(secret))
        _ = try desk.send(request, key: key)
        _ = try desk.send(Erase<Note>(id: request.record.id))
        let answer = try desk.answer(request, key: key)
        #expect(answer.status == .ok && answer.replayed == true)
        #expect(try CBORDecoder().decode(Note.self, from: answer.body).title == "erased")
        #expect(try !isStored(Array(secret.utf8)))
    }

    @Test func dropsStagedImportsAndKeepsOutWhatWasImported() throws {
        let note = desk.note(secret)
        let items = [try EncodedCBOR(encoding: ImportItem(record: note, line: 2))]
        func stage() throws -> Identifier {
            let batch = Identifier.make()
            _ = try desk.send(ImportStage(batch: batch, chunk: 0, entity: "note", items: items))
            return batch
        }
        _ = try desk.send(ImportCommit(batch: try stage(), chunks: 1))
        let open = try stage()
        _ = try desk.send(Erase<Note>(id: note.id))
        #expect(try !isStored(Array(secret.utf8)))
        #expect(try desk.refusal(ImportCommit(batch: open, chunks: 1)).status == .notFound)
        let again = try desk.send(ImportCommit(batch: try stage(), chunks: 1))
        #expect(again.counts["note"] == ImportCounts(unchanged: 1))
        #expect(try desk.send(Get<Note>(id: note.id)).title == "erased")
    }

    @Test func aSecondTimeSaysSoAndTellsNothing() throws {
        var note = try secretNote()
        note = try #require(try desk.send(Erase<Note>(id: note.id)).record)
        let told = desk.told.count
        let second = try desk.send(Erase<Note>(id: note.id))
        #expect(second.wasErased && second.record == note && desk.told.count == told)
        note.color = secret
        _ = try desk.put(note)
        #expect(try !desk.send(Erase<Note>(id: note.id)).wasErased)
        #expect(try !isStored(Array(secret.utf8)))
    }

    @Test func aDeletedRecordIsErasedInItsHistory() throws {
        let key = Identifier.make()
        let note = try secretNote()
        _ = try desk.send(Delete<Note>(id: note.id), key: key)
        let reply = try desk.send(Erase<Note>(id: note.id))
        #expect(reply.record == nil && !reply.wasErased)
        let event = try #require(desk.told.last)
        #expect(event.type == "note.erased" && event.data == nil && event.before == nil && event.version == 5)
        #expect(try !isStored(Array(secret.utf8)))
        #expect(try desk.send(Erase<Note>(id: note.id)).wasErased)
        #expect(try desk.refusal(Get<Note>(id: note.id)).status == .gone)
        #expect(try desk.refusal(UndoCommand(key: key)).status == .conflict)
    }

    @Test func whatNeverWasIsRefused() throws {
        #expect(try desk.refusal(Erase<Note>(id: .make())).status == .notFound)
        #expect(desk.told.isEmpty && desk.engine.erasing == nil)
    }

    @Test func anEditOfWhatWasSeenBeforeCantBringItBack() throws {
        var note = try secretNote()
        _ = try desk.send(Erase<Note>(id: note.id))
        note.rank = 9
        #expect(try desk.refusal(Put(note)).status == .conflict)
        #expect(try desk.send(Get<Note>(id: note.id)).title == "erased")
    }

    @Test func anErasureAndWhatWasBeforeCantBeUndone() throws {
        let (made, erased) = (Identifier.make(), Identifier.make())
        let note = try desk.send(Put(desk.note(secret)), key: made)
        _ = try desk.send(Erase<Note>(id: note.id), key: erased)
        #expect(try desk.refusal(UndoCommand(key: erased)).status == .conflict)
        #expect(try desk.refusal(UndoCommand(key: made)).status == .conflict)
        #expect(try desk.send(Get<Note>(id: note.id)).title == "erased")
    }

    // MARK: Files

    /// Whether a file of the store holds the bytes.
    private func isInFiles(_ bytes: [UInt8]) throws -> Bool {
        for suffix in ["", "-wal", "-shm"] {
            guard let file = fopen(desk.engine.store.path + suffix, "r") else { continue }
            defer { fclose(file) }
            var content: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = fread(&block, 1, block.count, file), count > 0 { content += block.prefix(count) }
            if content.firstRange(of: bytes) != nil { return true }
        }
        return false
    }

    /// The bytes that must go: as text, folded, and as a sort key.
    private func traces(_ note: Note) throws -> [[UInt8]] {
        let row = try desk.engine.session.first("SELECT title_folded, title_key FROM notes WHERE id = $1", .id(note.id))
        {
            [Array($0.text(0).utf8), $0.blob(1)]
        }
        // As the words stand in the full-text index, too.
        return [Array(secret.utf8), Array("qvistzon".utf8), Array("bjork".utf8)] + (try #require(row))
    }

    /// Among many others, some deleted, so that pages split and are freed.
    private func crowdedSecret() throws -> Note {
        let note = try secretNote()
        var others: [Note] = []
        for number in 0..<300 {
            others.append(try desk.put(desk.note("\(secret.prefix(3))\(number * 7919 % 300)", color: "c\(number)")))
        }
        for other in others where other.rank % 3 == 0 { _ = try desk.send(Delete<Note>(id: other.id)) }
        return note
    }

    @Test func afterwardsNoFileHoldsABitOfIt() throws {
        let note = try crowdedSecret()
        let traces = try traces(note)
        _ = try desk.send(Erase<Note>(id: note.id))
        #expect(try traces.allSatisfy { try isInFiles($0) })
        #expect(desk.engine.erasing == .rewriting)
        #expect(try desk.engine.finishErasing())
        for trace in traces { #expect(try !isInFiles(trace)) }
        #expect(desk.engine.erasing == nil)
        #expect(try desk.count("SELECT count(*) FROM meta WHERE key = 'erasing'") == 0)
    }

    @Test func readersMayFinishFirst() throws {
        let note = try crowdedSecret()
        let traces = try traces(note)
        let reader = try Store.reader(path: desk.engine.store.path)
        try reader.beginReading()
        _ = try reader.first("SELECT count(*) FROM notes") { $0.integer(0) }
        _ = try desk.send(Erase<Note>(id: note.id))
        #expect(try !desk.engine.finishErasing())
        #expect(desk.engine.erasing == .cutting)
        #expect(try reader.first("SELECT title FROM notes WHERE id = $1", .id(note.id)) { $0.text(0) } == secret)
        try reader.rollback()
        #expect(try desk.engine.finishErasing())
        for trace in traces { #expect(try !isInFiles(trace)) }
    }

    @Test func isGoneOnWithAfterARestart() throws {
        let note = try crowdedSecret()
        let traces = try traces(note)
        _ = try desk.send(Erase<Note>(id: note.id))
        try desk.reopen()
        #expect(desk.engine.erasing == .rewriting)
        #expect(try desk.engine.finishErasing())
        for trace in traces { #expect(try !isInFiles(trace)) }
        try desk.reopen()
        #expect(desk.engine.erasing == nil)
    }

    @Test func namesTheCopiesThatWereKept() throws {
        let copy = "\(desk.engine.store.path).before-2"
        close(open(copy, O_CREAT | O_WRONLY, 0o600))
        defer { unlink(copy) }
        #expect(try desk.send(Erase<Note>(id: try secretNote().id)).copies == [copy])
    }

    // MARK: Other services' records

    private func paintErased(_ paint: Identifier, _ sequence: Int64) throws -> EncodedCBOR {
        try EncodedCBOR(
            encoding: Event(
                sequence: sequence,
                previous: 0,
                transaction: 1,
                last: true,
                type: "paint.erased",
                subject: paint,
                time: .now(),
                version: 2,
                data: try EncodedCBOR(encoding: Paint(id: paint, version: 2, name: "erased")),
                before: nil,
                principal: nil,
                cause: nil,
                traceparent: nil
            )
        )
    }

    @Test func whatIsKeptOfAnothersRecordGoesWithItsEvent() throws {
        let paint = Identifier.make()
        var note = desk.note("wall")
        note.lines = [Note.Line(id: paint, text: secret), Note.Line(id: .make(), text: "kept")]
        note = try desk.put(note)
        _ = try desk.send(Delete<Note>(id: note.id))
        let unrelated = try desk.put(desk.note("unrelated", color: secret))
        let epoch = Identifier.make()
        func apply() throws {
            let cursor = Cursor(epoch: epoch, sequence: 1, chain: 0)
            _ = try desk.engine.apply([paintErased(paint, 1)], of: Paint.service, reaching: cursor).get()
        }
        try apply()
        let events = try history(note.id)
        #expect(try events.last?.data?.decode(Note.self).lines.map(\.text) == ["erased", "kept"])
        #expect(try events.first?.before?.decode(Note.self).lines.map(\.text) == ["erased", "kept"])
        #expect(try desk.count("SELECT count(*) FROM reply WHERE instr(body, \(sql(Array(secret.utf8))))") == 1)
        #expect(try desk.send(Get<Note>(id: unrelated.id)) == unrelated)
        #expect(desk.engine.erasing == .rewriting)
        // A rebuild of the projection meets the event again.
        let before = try log().count
        _ = try desk.engine.reset(Paint.service, isOtherLog: false).get()
        try apply()
        #expect(try history(note.id) == events && log().count == before)
    }
}
