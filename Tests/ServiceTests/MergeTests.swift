import CBOR
import Messages
import Testing

@testable import Service

struct MergeTests {
    let desk: Desk

    init() throws {
        desk = try Desk()
    }

    private func line(_ text: String) -> Note.Line {
        Note.Line(id: .make(), text: text)
    }

    @Test func fieldsThatTheOtherDidNotTouchMerge() throws {
        let base = try desk.put(desk.note("Milk", color: "red"))
        var (mine, theirs) = (base, base)
        theirs.title = "Bread"
        _ = try desk.put(theirs)
        mine.color = "blue"
        let merged = try desk.put(mine)
        #expect(merged.title == "Bread" && merged.color == "blue" && merged.version == 3)
    }

    @Test func theSameFieldIsAConflictThatShowsWhatIsThere() throws {
        let base = try desk.put(desk.note("Milk"))
        var (mine, theirs) = (base, base)
        theirs.title = "Bread"
        theirs = try desk.put(theirs)
        mine.title = "Eggs"
        let refusal = try desk.refusal(Put(mine))
        #expect(refusal.status == .conflict && refusal.body.field == "title")
        #expect(try refusal.body.current?.decode(Note.self) == theirs)
        #expect(try desk.send(Get<Note>(id: base.id)) == theirs)
    }

    @Test func theSameValueOnBothSidesIsNoConflict() throws {
        let base = try desk.put(desk.note("Milk"))
        var (mine, theirs) = (base, base)
        theirs.title = "Bread"
        theirs = try desk.put(theirs)
        mine.title = "Bread"
        #expect(try desk.put(mine) == theirs)
        #expect(desk.told.count == 2)
    }

    @Test func takingAFieldAwayIsAChange() throws {
        let base = try desk.put(desk.note("Milk", color: "red"))
        var (mine, theirs) = (base, base)
        theirs.color = nil
        _ = try desk.put(theirs)
        mine.title = "Bread"
        let merged = try desk.put(mine)
        #expect(merged.color == nil && merged.title == "Bread")
    }

    @Test func eachPartMergesAsAFieldOfItsOwn() throws {
        let base = try desk.put(desk.note("List", lines: [line("a"), line("b"), line("c")]))
        var (mine, theirs) = (base, base)
        theirs.lines[0].text = "A"
        theirs.lines.append(line("theirs"))
        _ = try desk.put(theirs)
        mine.lines[1].text = "B"
        mine.lines.remove(at: 2)
        mine.lines.append(line("mine"))
        let merged = try desk.put(mine)
        #expect(merged.lines.map(\.text) == ["A", "B", "theirs", "mine"])
        #expect(merged.count == 4)
        #expect(try desk.count("SELECT count(*) FROM note_lines") == 4)
    }

    @Test func thePartThatBothChangedIsAConflict() throws {
        let base = try desk.put(desk.note("List", lines: [line("a"), line("b")]))
        var (mine, theirs) = (base, base)
        theirs.lines[0].text = "A"
        _ = try desk.put(theirs)
        mine.lines[0].text = "Ä"
        let refusal = try desk.refusal(Put(mine))
        #expect(refusal.body.field == "lines/\(base.lines[0].id)")
    }

    @Test func changingADeletedPartIsAConflict() throws {
        let base = try desk.put(desk.note("List", lines: [line("a"), line("b")]))
        var (mine, theirs) = (base, base)
        theirs.lines.remove(at: 0)
        _ = try desk.put(theirs)
        mine.lines[0].text = "A"
        #expect(try desk.refusal(Put(mine)).status == .conflict)
    }

    @Test func reorderingSurvivesTheOthersChange() throws {
        let base = try desk.put(desk.note("List", lines: [line("a"), line("b"), line("c")]))
        var (mine, theirs) = (base, base)
        theirs.lines[2].text = "C"
        _ = try desk.put(theirs)
        mine.lines.swapAt(0, 2)
        #expect(try desk.put(mine).lines.map(\.text) == ["C", "b", "a"])
    }

    @Test func aVersionThatIsNotYetIsInvalid() throws {
        var note = try desk.put(desk.note("Milk"))
        note.version = 7
        #expect(try desk.refusal(Put(note)).body.field == "version")
    }

    @Test func creatingWhatIsThereIsAConflict() throws {
        var note = try desk.put(desk.note("Milk"))
        note.version = 0
        note.title = "Bread"
        #expect(try desk.refusal(Put(note)).status == .conflict)
    }

    @Test func aDeleteOfAnOldVersionIsAConflict() throws {
        var note = try desk.put(desk.note("Milk"))
        note.title = "Bread"
        note = try desk.put(note)
        #expect(try desk.refusal(Delete<Note>(id: note.id, version: 1)).status == .conflict)
        #expect(try desk.send(Delete<Note>(id: note.id, version: 2)) == note)
        #expect(try desk.count("SELECT count(*) FROM note_lines") == 0)
    }

    /// Whatever two people do to a record, what only one of them touched is kept, and folding the log gives the table.
    @Test(arguments: [1, 7, 42, 2026]) func mergesKeepWhatOnlyOneSideTouched(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var note = try desk.put(desk.note("Note", lines: (0..<4).map { line("line \($0)") }))
        for round in 0..<50 {
            var (mine, theirs) = (note, note)
            let index = Int.random(in: 0..<4, using: &random)
            let other = (index + Int.random(in: 1..<4, using: &random)) % 4
            theirs.lines[index].text = "theirs \(round)"
            theirs.rank = Int64(round)
            mine.lines[other].text = "mine \(round)"
            mine.color = "color \(round)"
            _ = try desk.put(theirs)
            note = try desk.put(mine)
            #expect(
                note.lines[index].text == "theirs \(round)" && note.lines[other].text == "mine \(round)",
                "seed \(seed)"
            )
            #expect(note.rank == Int64(round) && note.color == "color \(round)", "seed \(seed)")
        }
        #expect(try desk.told.last?.data?.decode(Note.self) == note)
    }
}

/// SplitMix64: the same numbers for the same seed.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
