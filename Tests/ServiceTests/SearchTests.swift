import CBOR
import Messages
import Store
import Testing

@testable import Service

/// Full-text search in the store.
struct SearchTests {
    let desk: Desk

    init() throws {
        desk = try Desk()
    }

    private func found(_ text: String, in field: String? = nil) throws -> [String] {
        try desk.send(List<Note>(filter: .search(field, text)), key: nil).rows.map(\.title)
    }

    private func lines(_ texts: String...) -> [Note.Line] { texts.map { Note.Line(id: .make(), text: $0) } }

    @Test func findsByBeginningsOfWordsInAnyOrder() throws {
        _ = try desk.put(desk.note("K\u{E4}sekuchen", color: "red", lines: lines("Brown rice", "white Sugar")))
        _ = try desk.put(desk.note("Bread", lines: lines("brown sugar", "rice")))
        #expect(try found("kase") == ["K\u{E4}sekuchen"])
        #expect(try found("SUGAR brown") == ["Bread", "K\u{E4}sekuchen"])
        #expect(try found("su br re") == ["K\u{E4}sekuchen"])
        #expect(try found("ugar").isEmpty)
        // Each line by itself.
        #expect(try found("sugar brown", in: "lines") == ["Bread"])
        #expect(try found("bread", in: "lines").isEmpty)
    }

    @Test(arguments: [
        "\"", "*", "b*d", "bread AND", "bread OR x", "NOT bread", "-bread", "^bread", "title:bread", "NEAR(bread)",
        "a'b",
    ])
    func aTextIsNeverAPattern(text: String) throws {
        _ = try desk.put(desk.note("bread"))
        // No error, and no more than its words say.
        let isOnlyBread = text.filter { !$0.isLetter && $0 != " " } == text || text == "-bread" || text == "^bread"
        #expect(try found(text) == (isOnlyBread ? ["bread"] : []))
    }

    @Test func whatCantBeSearchedIsRefused() throws {
        #expect(try desk.refusal(List<Note>(filter: .search("colors", "x"))).status == .invalid)
        let words = (0...32).map { "w\($0)" }.joined(separator: " ")
        #expect(try desk.refusal(List<Note>(filter: .search(nil, words))).status == .invalid)
    }

    /// Whatever was put, changed, undone by a failing command or deleted, the index is that of the rows.
    @Test(arguments: [1, 7, 42]) func theIndexFollowsEveryChange(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var notes: [Note] = []
        let words = ["ada", "\u{C5}ke", "bread", "brown", "sugar", "rye"]
        func text() -> String {
            (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in words.randomElement(using: &random) }
                .joined(separator: " ")
        }
        for _ in 0..<200 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: notes.append(try desk.put(desk.note(text(), lines: lines(text(), text()))))
            case 2 where !notes.isEmpty:
                let index = Int.random(in: notes.indices, using: &random)
                notes[index].title = text()
                notes[index].lines.append(contentsOf: lines(text()))
                if Bool.random(using: &random) { notes[index].lines.removeFirst() }
                notes[index] = try desk.put(notes[index])
            case 3 where !notes.isEmpty:
                let gone = notes.remove(at: Int.random(in: notes.indices, using: &random))
                _ = try desk.send(Delete<Note>(id: gone.id))
            default: _ = try desk.refusal(Strike(fails: true))
            }
        }
        let session = desk.engine.session
        for table in ["notes", "note_lines"] {
            // The check of FTS5 itself: index and rows agree.
            try session.execute("INSERT INTO \(table)_search (\(table)_search, rank) VALUES ('integrity-check', 1)")
        }
        for word in words {
            let expected = notes.filter { note in
                ([note.title] + note.lines.map(\.text)).contains { $0.split(separator: " ").contains(Substring(word)) }
            }
            #expect(Set(try ids(.search(nil, word))) == Set(expected.map(\.id)), "seed \(seed)")
        }
        #expect(try desk.send(VerifyLog(), key: nil).differences == 0)
    }

    private func ids(_ filter: Filter) throws -> [Identifier] {
        try desk.send(List<Note>(filter: filter, limit: 1000), key: nil).rows.map(\.id)
    }

    @Test func theCheckFindsWordsThatAreNotTheRecords() throws {
        let note = try desk.put(desk.note("bread", lines: lines("rye")))
        try desk.engine.session.execute("UPDATE notes SET searched = 'cake' WHERE id = $1", .id(note.id))
        #expect(try desk.send(VerifyLog(), key: nil).differences == 1)
    }
}
