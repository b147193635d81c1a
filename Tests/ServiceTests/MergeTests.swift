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

    /// What two people make of the lines a to e, and what comes of it; nil where the second is told.
    @Test(
        arguments: [
            ("eabcd", "bacde", "ebacd"), ("abcde", "edcba", "edcba"), ("eabcd", "eabcd", "eabcd"),
            // The same line moved to two places.
            ("eabcd", "abecd", nil),
            // A swap can be seen as either line's move: the one that leaves the other's move alone.
            ("bacde", "acbde", "cbade"),
            // Additions, and lines taken out, beside moves.
            ("abcdex", "eabcd", "eabcdx"), ("abxcde", "eabcdy", "eabxcdy"), ("bcdea", "abcdey", "bcdeya"),
            ("abde", "eabcd", "eabd"), ("cabde", "bcde", "cbde"),
        ] as [(String, String, String?)]
    )
    func movesOfDifferentPartsGoTogether(mine: String, theirs: String, merged: String?) throws {
        let ids = Dictionary(uniqueKeysWithValues: "abcdexy".map { ($0, Identifier.make()) })
        let base = try desk.put(desk.note("List", lines: lines("abcde", ids)))
        var (my, their) = (base, base)
        their.lines = lines(theirs, ids)
        _ = try desk.put(their)
        my.lines = lines(mine, ids)
        guard let merged else {
            #expect(try desk.refusal(Put(my)).body.field == "lines")
            return
        }
        #expect(try desk.put(my).lines.map(\.text).joined() == merged)
    }

    private func lines(_ texts: String, _ ids: [Character: Identifier]) -> [Note.Line] {
        texts.compactMap { text in ids[text].map { Note.Line(id: $0, text: String(text)) } }
    }

    /// Whatever two people do to the order of a list: either one is told, or no part is lost, doubled or brought back, and
    /// what neither moved keeps its order.
    @Test(arguments: [1, 7, 42, 2026]) func noPartIsLostOrDoubledByReordering(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var refused = 0
        for _ in 0..<2000 {
            let base = (0..<Int.random(in: 0...8, using: &random)).map { _ in Identifier.make() }
            let mine = changed(base, &random)
            let theirs = changed(base, &random)
            guard let merged = PartOrder.merged(base: base, mine: mine, theirs: theirs) else {
                refused += 1
                continue
            }
            let (was, my, their) = (Set(base), Set(mine), Set(theirs))
            let expected = my.union(their).filter { was.contains($0) ? my.contains($0) && their.contains($0) : true }
            #expect(Set(merged) == expected && merged.count == expected.count, "seed \(seed)")
            #expect(PartOrder.merged(base: base, mine: base, theirs: theirs) == theirs, "seed \(seed)")
            #expect(PartOrder.merged(base: base, mine: mine, theirs: base) == mine, "seed \(seed)")
            #expect(PartOrder.merged(base: base, mine: mine, theirs: mine) == mine, "seed \(seed)")
            // Who alone moved something sees it where they put it.
            let kept = base.filter(expected.contains)
            for (unmoved, other) in [(mine, theirs), (theirs, mine)] where unmoved.filter(kept.contains) == kept {
                #expect(merged.filter(kept.contains) == other.filter(kept.contains), "seed \(seed)")
            }
        }
        // Two random moves seldom meet.
        #expect(refused > 0 && refused < 1500, "seed \(seed)")
    }

    /// Up to two moves, an addition, and a part taken out.
    private func changed(_ base: [Identifier], _ random: inout Seeded) -> [Identifier] {
        var list = base
        for _ in 0..<Int.random(in: 0...2, using: &random) where !list.isEmpty {
            let moved = list.remove(at: Int.random(in: list.indices, using: &random))
            list.insert(moved, at: Int.random(in: 0...list.count, using: &random))
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            list.insert(.make(), at: Int.random(in: 0...list.count, using: &random))
        }
        if !list.isEmpty, Int.random(in: 0..<4, using: &random) == 0 {
            list.remove(at: Int.random(in: list.indices, using: &random))
        }
        return list
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
