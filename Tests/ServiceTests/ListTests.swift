import CBOR
import Messages
import Store
import Testing

@testable import Service

struct ListTests {
    let desk: Desk

    init() throws {
        desk = try Desk()
    }

    /// All rows by walking pages.
    private func walk(_ request: List<Note>, between: (Int) throws -> Void = { _ in }) throws -> [Note] {
        var rows: [Note] = []
        var request = request
        for page in 1...1000 {
            let reply = try desk.send(request)
            rows += reply.rows
            guard let next = reply.next else { return rows }
            request.after = next
            try between(page)
        }
        Issue.record("the pages never end")
        return rows
    }

    private func titles(_ filter: Filter) throws -> [String] {
        try desk.send(List<Note>(filter: filter)).rows.map(\.title)
    }

    @Test func sortsByCollationWhateverTheCase() throws {
        let sorted = ["ada", "Äda", "Åke", "Bob", "Eva", "éva", "Zoe", "ива", "игла", "йод"]
        for title in sorted.shuffled() { _ = try desk.put(desk.note(title)) }
        #expect(try desk.send(List<Note>()).rows.map(\.title) == sorted)
    }

    /// As many values as may be, in the shapes that make the deepest statements; and one more.
    @Test func aFilterOfManyValuesIsAnsweredOrRefused() throws {
        for rank in 0..<10 as Range<Int64> { _ = try desk.put(desk.note("\(rank)", rank: rank)) }
        let values = (0..<2000 as Range<Int64>).map { Filter.equal("rank", .integer($0 * 3)) }
        #expect(try titles(.or(values)) == ["0", "3", "6", "9"])
        #expect(try titles(.and(values.map(Filter.not))) == ["1", "2", "4", "5", "7", "8"])
        let nested = (0..<12).reduce(Filter.or([])) { inner, level in
            .or([inner] + values[level * 166..<(level + 1) * 166])
        }
        #expect(try titles(nested) == ["0", "3", "6", "9"])
        let none = [Filter](repeating: .equal("color", nil), count: 3000)
        #expect(try titles(.and(none)).count == 10)
        for filter in [
            Filter.or(values + [.equal("rank", .integer(1))]), .and(none + none),
        ] {
            let refusal = try desk.refusal(List<Note>(filter: filter))
            #expect(refusal.status == .invalid && refusal.body.message.contains("too large"))
        }
    }

    @Test func sortKeysOfAnotherVersionOfCollationAreMadeAnew() throws {
        for title in ["b", "Ä", "c"] { _ = try desk.put(desk.note(title)) }
        let session = desk.engine.session
        try session.executeScript(
            "UPDATE notes SET title_key = x'FF'; UPDATE meta SET value = 'old' WHERE key = 'collation'"
        )
        try desk.reopen()
        #expect(try desk.send(List<Note>()).rows.map(\.title) == ["Ä", "b", "c"])
        #expect(try desk.count("SELECT count(*) FROM meta WHERE key = 'collation' AND value <> 'old'") == 1)
    }

    @Test func pagesGiveEachRowOnceThoughOthersComeAndGo() throws {
        var notes: [Note] = []
        for _ in 0..<119 { notes.append(try desk.put(desk.note("same"))) }
        let seen = try walk(List<Note>(limit: 13)) { page in
            guard page == 3 else { return }
            _ = try desk.put(desk.note("aaa: sorts first"))
            _ = try desk.send(Delete<Note>(id: notes[5].id))
        }
        #expect(seen.map(\.id) == notes.map(\.id))
    }

    @Test(arguments: [0, -1, 10_001, 1_000_000_000]) func refusesAnImpossiblePage(limit: Int) throws {
        #expect(try desk.refusal(List<Note>(limit: limit)).body.field == "limit")
    }

    @Test func pagesGoOnInEveryDirectionOfTheKeys() throws {
        for rank in 0..<20 {
            _ = try desk.put(desk.note("t\(rank % 3)", color: rank % 2 == 0 ? nil : "red", rank: Int64(rank % 5)))
        }
        let all = try desk.send(List<Note>(limit: 100)).rows
        for sort in [
            [SortKey("title", descending: true), SortKey("rank")], [SortKey("rank", descending: true)],
            [SortKey("color"), SortKey("rank", descending: true)], [SortKey("id", descending: true)],
        ] {
            let walked = try walk(List<Note>(sort: sort, limit: 3))
            let whole = try desk.send(List<Note>(sort: sort, limit: 100)).rows
            #expect(walked == whole && Set(whole) == Set(all))
        }
    }

    @Test func filtersByEveryOperator() throws {
        _ = try desk.put(desk.note("Björn", color: "red", rank: 1))
        _ = try desk.put(desk.note("Bjo\u{308}rk", rank: 2))
        _ = try desk.put(desk.note("Йод 100%", color: "blue", rank: 3))
        #expect(try titles(.contains("title", "BJOR")) == ["Björk", "Björn"])
        #expect(try titles(.startsWith("title", "йод")) == ["Йод 100%"])
        #expect(try titles(.startsWith("title", "иод")) == [])
        #expect(try titles(.contains("title", "0%")) == ["Йод 100%"])
        #expect(try titles(.equal("color", nil)) == ["Björk"])
        #expect(try titles(.not(.equal("color", .text("red")))) == ["Björk", "Йод 100%"])
        #expect(try titles(.range("rank", from: .integer(2), through: nil)) == ["Björk", "Йод 100%"])
        #expect(try titles(.range("rank", from: nil, through: .integer(2))) == ["Björk", "Björn"])
        #expect(try titles(.and([.contains("title", "b"), .equal("rank", .integer(1))])) == ["Björn"])
        #expect(try titles(.or([.equal("rank", .integer(1)), .equal("rank", .integer(3))])) == ["Björn", "Йод 100%"])
        #expect(try titles(.or([])) == [])
        #expect(try titles(.and([])).count == 3)
    }

    @Test func findsByAnyTailOfTheId() throws {
        let note = try desk.put(desk.note("Milk"))
        _ = try desk.put(desk.note("Bread"))
        for digits in [1, 4, 5, 12, 31, 32] {
            let tail = String(note.id.hexadecimal.suffix(digits))
            #expect(try titles(.equal("tail", .text(tail))).contains("Milk"))
            #expect(try titles(.equal("tail", .text(tail.uppercased()))).contains("Milk"))
        }
        #expect(try desk.refusal(List<Note>(filter: .equal("tail", .text("xyz")))).status == .invalid)
        #expect(try desk.refusal(List<Note>(filter: .equal("tail", .text("")))).status == .invalid)
    }

    @Test func findsByARangeOfIds() throws {
        let notes = try ["a", "b", "c"].map { try desk.put(desk.note($0)) }
        #expect(try titles(.range("id", from: .id(notes[1].id), through: .id(notes[2].id))) == ["b", "c"])
        #expect(try titles(.equal("id", .id(notes[0].id))) == ["a"])
        #expect(try desk.refusal(List<Note>(filter: .equal("id", .text("a")))).status == .invalid)
    }

    @Test func anUnknownFieldIsRefusedWithTheKnownOnes() throws {
        let refusal = try desk.refusal(List<Note>(filter: .equal("titel", .text("x"))))
        #expect(refusal.status == .invalid && refusal.body.message.contains("title"))
        #expect(try desk.refusal(List<Note>(sort: [SortKey("nothing")])).status == .invalid)
    }

    @Test func foreignCursorsAreRefused() throws {
        for cursor in [[], [0x80], [0xFF], Array(repeating: 0x9F, count: 100), [0x82, 0x01, 0xF6]] as [[UInt8]] {
            #expect(try desk.refusal(List<Note>(after: cursor)).body.field == "after")
        }
    }

    @Test func filtersThatAreTooLargeAreRefused() throws {
        var filter = Filter.equal("rank", .integer(1))
        for _ in 0..<14 { filter = .not(filter) }
        #expect(try desk.send(List<Note>(filter: filter)).rows.isEmpty)
        // Each level is a map and a list: the wire's limit of 32 levels comes first.
        #expect(throws: CBORError.self) { try CBOREncoder().encode(List<Note>(filter: .not(.not(filter)))) }
        let wide = Filter.and(Array(repeating: .equal("rank", .integer(1)), count: 2001))
        #expect(try desk.refusal(List<Note>(filter: wide)).status == .invalid)
    }

    @Test func aPageIsOneStatement() throws {
        for index in 0..<100 { _ = try desk.put(desk.note("note \(index)")) }
        let before = desk.engine.session.statementsRun
        _ = try desk.send(List<Note>(limit: 100))
        #expect(desk.engine.session.statementsRun - before == 1)
    }
}
