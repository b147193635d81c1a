import CBOR
import Messages
import Testing

@testable import Service

/// A service's parts, out of one store and into another.
struct ArchiveTests {
    let desk: Desk
    private let archive = Identifier.make()

    init() throws {
        desk = try Desk()
    }

    /// The parts of a service, read page by page.
    private struct Parts {
        var rows: [String: [EncodedCBOR]] = [:]
        var log: ArchivedLog
        var reactions: Positions
    }

    private func read(_ desk: Desk, limit: Int? = nil) throws -> Parts {
        var rows: [String: [EncodedCBOR]] = [:]
        var end: ReadArchive.Reply?
        for part in try desk.send(ListArchiveParts(), key: nil).parts {
            var after: [UInt8]?
            rows[part] = []
            repeat {
                let page = try desk.send(ReadArchive(part: part, after: after, limit: limit), key: nil)
                #expect(page.rows.count <= limit ?? 1000)
                rows[part, default: []] += page.rows
                after = page.next
                if page.log != nil { end = page }
            } while after != nil
        }
        let log = try #require(end?.log)
        return Parts(rows: rows, log: log, reactions: end?.reactions ?? [:])
    }

    private func stage(_ parts: Parts, to desk: Desk, in archive: Identifier) throws -> Int {
        var chunk = 0
        var rows = parts.rows
        rows[ArchiveFormat.log] = [try EncodedCBOR(encoding: parts.log)]
        for (part, rows) in rows {
            for start in stride(from: 0, to: rows.count, by: 7) {
                let some = Array(rows[start..<min(start + 7, rows.count)])
                _ = try desk.send(StageArchive(archive: archive, chunk: chunk, part: part, rows: some))
                chunk += 1
            }
        }
        return chunk
    }

    private func load(_ parts: Parts, into desk: Desk) throws -> LoadArchive.Reply {
        let chunks = try stage(parts, to: desk, in: archive)
        return try desk.send(LoadArchive(archive: archive, chunks: chunks), key: archive)
    }

    private func refusal(_ parts: Parts) throws -> String {
        let other = try Desk()
        let chunks = try stage(parts, to: other, in: archive)
        let refused = try other.refusal(LoadArchive(archive: archive, chunks: chunks))
        #expect(refused.status == .invalid)
        #expect(try other.count("SELECT count(*) FROM event") == 0)
        #expect(try other.count("SELECT count(*) FROM notes") == 0)
        #expect(try other.send(ListArchiveParts(), key: nil).sequence == 0)
        // It goes on working, and takes the right one afterwards.
        #expect(try load(read(desk), into: other).sequence == desk.engine.log.sequence)
        return refused.body.message
    }

    /// Records that were made, changed, deleted and brought back.
    private func work() throws {
        var notes: [Note] = []
        for number in 1...20 {
            let line = Note.Line(id: .make(), text: "line \(number)")
            notes.append(try desk.put(desk.note("note \(number)", color: "red", rank: Int64(number), lines: [line])))
        }
        notes[0].title = "changed"
        notes[0] = try desk.put(notes[0])
        _ = try desk.send(Delete<Note>(id: notes[1].id))
        let key = Identifier.make()
        _ = try desk.send(Delete<Note>(id: notes[2].id), key: key)
        _ = try desk.send(UndoCommand(key: key))
        let item = try EncodedCBOR(encoding: ImportItem(record: desk.note("imported"), line: 2))
        let batch = Identifier.make()
        _ = try desk.send(ImportStage(batch: batch, chunk: 0, entity: "note", items: [item]))
        _ = try desk.send(ImportCommit(batch: batch, chunks: 1))
    }

    private func expectEqual(_ one: Parts, _ other: Parts) {
        #expect(one.rows == other.rows)
        #expect(one.log == other.log)
    }

    @Test(arguments: [nil, 1, 3])
    func whatIsLoadedIsWhatWasRead(limit: Int?) throws {
        try work()
        let parts = try read(desk, limit: limit)
        let other = try Desk()
        let epoch = other.engine.log.epoch
        let reply = try load(parts, into: other)
        #expect(reply.sequence == desk.engine.log.sequence && reply.records == ["note": 20])
        expectEqual(try read(other), parts)
        // A log of its own, so that whoever followed either begins anew.
        #expect(reply.epoch == other.engine.log.epoch)
        #expect(Set([epoch, desk.engine.log.epoch, reply.epoch]).count == 3)
        #expect(other.told.isEmpty)
        try other.reopen()
        #expect(other.engine.log.epoch == reply.epoch)
        expectEqual(try read(other), parts)
        #expect(try other.send(VerifyLog(), key: nil).differences == 0)
        let sort = [SortKey("title")]
        #expect(
            try other.send(List<Note>(sort: sort), key: nil).rows == desk.send(List<Note>(sort: sort), key: nil).rows
        )
    }

    @Test func goesOnWhereTheOtherWas() throws {
        try work()
        let last = try #require(try desk.send(ListCommands(), key: nil).commands.first)
        let other = try Desk()
        _ = try load(try read(desk), into: other)
        let key = Identifier.make()
        #expect(try other.send(UndoCommand(key: last.key), key: key).events == ["note.created"])
        #expect(try desk.send(UndoCommand(key: last.key), key: key).events == ["note.created"])
        #expect(try other.put(other.note("next")).version == 1)
        #expect(other.told.map(\.sequence).max() == desk.engine.log.sequence + 1)
        // A key of the past is a key of the past.
        #expect(try other.refusal(Put(other.note("x")), key: last.key).status == .keyReused)
        #expect(try other.send(VerifyLog(), key: nil).differences == 0)
    }

    @Test func theSameCommandAgainIsAnswered() throws {
        try work()
        let other = try Desk()
        let parts = try read(desk)
        let reply = try load(parts, into: other)
        let chunks = parts.rows.values.reduce(1) { $0 + ($1.count + 6) / 7 }
        let again = try other.answer(LoadArchive(archive: archive, chunks: chunks), key: archive)
        #expect(again.replayed == true)
        #expect(try CBORDecoder().decode(LoadArchive.Reply.self, from: again.body) == reply)
        #expect(try other.send(ListArchiveParts(), key: nil).archive == archive)
    }

    @Test func onlyAnEmptyServiceTakesIt() throws {
        try work()
        let parts = try read(desk)
        let other = try Desk()
        let chunks = try stage(parts, to: other, in: archive)
        _ = try other.put(other.note("mine"))
        let staged = try other.refusal(StageArchive(archive: archive, chunk: 0, part: "note", rows: []))
        #expect(staged.body.message.contains("is not empty: its log has 1 events"))
        let loaded = try other.refusal(LoadArchive(archive: archive, chunks: chunks))
        #expect(loaded.body.field == "archive" && loaded.body.found == "1")
        #expect(try other.count("SELECT count(*) FROM notes") == 1)
    }

    @Test func aPartThatItLacksIsRefused() throws {
        let stage = try desk.refusal(StageArchive(archive: archive, chunk: 0, part: "orders", rows: []))
        #expect(stage.body.field == "part")
        let read = try desk.refusal(ReadArchive(part: "orders"), key: nil)
        #expect(read.body.field == "part" && read.body.message.contains("imported, reply, base, note, event"))
        #expect(try desk.refusal(LoadArchive(archive: archive, chunks: 1)).status == .notFound)
    }

    // MARK: What doesn't fit together

    @Test func aChangedEventIsRefused() throws {
        try work()
        var parts = try read(desk)
        let rows = try #require(parts.rows[ArchiveFormat.events])
        var bytes = rows[4].bytes
        let title = try #require(bytes.indices.first { bytes[$0...].starts(with: "note 5".utf8) })
        bytes[title + 5] = UInt8(ascii: "X")
        parts.rows[ArchiveFormat.events]?[4] = EncodedCBOR(trusted: bytes)
        #expect(try refusal(parts).contains("event 5 is not what was written"))
        parts.rows[ArchiveFormat.events] = rows
        parts.rows[ArchiveFormat.events]?.remove(at: 4)
        #expect(try refusal(parts).contains("events are missing between 4 and 6"))
        parts.rows[ArchiveFormat.events] = rows.dropLast()
        #expect(try refusal(parts).contains("the archive doesn't fit together"))
    }

    @Test func recordsThatTheLogTellsOtherwiseAreRefused() throws {
        try work()
        var parts = try read(desk)
        let notes = try #require(parts.rows["note"])
        parts.rows["note"] = notes.dropLast()
        #expect(try refusal(parts).contains("is not stored"))
        var other = try notes[0].decode(Note.self)
        other.rank += 1
        parts.rows["note"] = [try EncodedCBOR(encoding: other)] + notes.dropFirst()
        #expect(try refusal(parts).contains("is stored otherwise than in the log"))
        parts.rows["note"] = notes + [try EncodedCBOR(encoding: desk.note("another"))]
        #expect(try refusal(parts).contains("has no event"))
        parts.rows["note"] = notes + [notes[0], EncodedCBOR(trusted: [0x01])]
        #expect(try refusal(parts).contains("is no note"))
        parts.rows["note"] = notes
        parts.log.sequence -= 1
        #expect(try refusal(parts).contains("not with"))
    }

    /// Whatever numbers a file has, they are refused before something is counted on from them.
    @Test func numbersThatNothingHasAreRefused() throws {
        try work()
        var policy = RetentionPolicy()
        policy.bytes = 1500
        while try desk.engine.trim(policy) {}
        let honest = try read(desk)
        func refused(_ change: (inout Parts) throws -> Void) throws -> Bool {
            var parts = honest
            try change(&parts)
            return try refusal(parts).contains("which none has")
        }
        let floor = try #require(honest.log.floor)
        for number in [Int64.min, -1, .max] {
            #expect(try refused { $0.log.floor?.sequence = number })
            #expect(try refused { $0.log.floor?.transaction = number })
            #expect(try refused { $0.log.counters["transaction"] = number })
            #expect(try refused { $0.log.counters["number/note"] = number })
            #expect(
                try refused {
                    var base = try #require($0.rows["base"]?.first).decode(BaseRow.self)
                    base.version = number
                    $0.rows["base"]?[0] = try EncodedCBOR(encoding: base)
                }
            )
            #expect(
                try refused {
                    var reply = try #require($0.rows["reply"]?.first).decode(ReplyRow.self)
                    reply.events = number
                    $0.rows["reply"]?[0] = try EncodedCBOR(encoding: reply)
                }
            )
            for path in [\Event.sequence, \.previous, \.transaction] {
                #expect(
                    try refused {
                        var row = try #require($0.rows[ArchiveFormat.events]?.last).decode(ArchivedEvent.self)
                        var event = try row.event.decode(Event.self)
                        event[keyPath: path] = number
                        row.event = try EncodedCBOR(encoding: event)
                        $0.rows[ArchiveFormat.events]?.removeLast()
                        $0.rows[ArchiveFormat.events]?.append(try EncodedCBOR(encoding: row))
                    }
                )
            }
        }
        #expect(try refused { $0.log.floor?.time = Instant(microseconds: .max) })
        #expect(floor.sequence > 0)
    }

    // MARK: What is no longer kept, and what was erased

    @Test func aTrimmedLogIsLoadedFromItsFloor() throws {
        try work()
        var policy = RetentionPolicy()
        policy.bytes = 1500
        while try desk.engine.trim(policy) {}
        #expect(try desk.count("SELECT sequence FROM floor") > 0)
        let parts = try read(desk)
        let other = try Desk()
        _ = try load(parts, into: other)
        expectEqual(try read(other), parts)
        #expect(try other.send(VerifyLog(), key: nil).differences == 0)
    }

    @Test func whatWasErasedStaysErased() throws {
        try work()
        let note = try #require(try desk.send(List<Note>(), key: nil).rows.first)
        _ = try desk.send(Erase<Note>(id: note.id))
        let parts = try read(desk)
        let other = try Desk()
        _ = try load(parts, into: other)
        expectEqual(try read(other), parts)
        #expect(try other.count("SELECT count(*) FROM event WHERE erased = 1") > 0)
        #expect(try other.send(VerifyLog(), key: nil).differences == 0)
    }
}
