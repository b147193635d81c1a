import CBOR
import LiveList
import Messages
import Store
import Testing
import Text

@testable import Service

/// A record with a field of each kind.
struct Sundry: Record {
    static let entity = "sundry"
    static let service = ServiceName(rawValue: "notes")

    var id: Identifier
    var version = 0
    var name: String?
    var place: String?
    var count: Int64?
    var isDone: Bool
    var day: CalendarDay?
    var owner: Identifier?
    var lines: [Line] = []

    struct Line: RecordPart {
        static let entity = "sundry-line"
        static let owner = Sundry.entity
        static let service = Sundry.service

        var id: Identifier
        var text: String
    }
}

private struct StoreForms: TextForms {
    func normalized(_ text: String) -> String { TextNormalizer.normalized(text) }
    func folded(_ text: String) -> String { TextNormalizer.folded(text) }
    func collationKey(_ text: String) -> [UInt8] { Collation.sortKey(text) }
    func words(_ text: String) -> [String] { SearchWords.words(of: text) }
}

private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}

/// The same query in the store and in a live list gives the same rows in the same order.
struct ListAgreementTests {
    private let entity = Entity<Sundry>(
        table: "sundries",
        columns: [
            .text("name") { $0.name }, .text("place") { $0.place }, .integer("count") { $0.count },
            .boolean("done") { $0.isDone }, .day("day") { $0.day }, .id("owner") { $0.owner },
        ],
        parts: [
            PartTable(
                table: "sundry_lines",
                columns: [],
                searchedAs: "lines",
                searched: { (line: Sundry.Line) in [line.text] },
                parts: \.lines
            )
        ],
        sort: [SortKey("name")],
        searched: { [$0.name, $0.place] + $0.lines.map(\.text) },
        prepare: { (_, _, _) throws(ServiceError) in }
    )
    private let schema = ListSchema(
        "sundry",
        [
            .init("name", .text), .init("place", .text), .init("count", .integer), .init("done", .boolean),
            .init("day", .day), .init("owner", .id),
        ],
        searched: [.record, .parts("lines")]
    )
    private static let names: [String?] = [
        nil, "", "ada", "Äda", "A\u{308}da", "Åke", "Bob", "bob ", "Eva", "éva", "Straße", "STRASSE", "ива", "йод", "и",
        "\u{301}", "a\u{0}b", "😀",
    ]
    /// What is put in lines, and looked for: words, beginnings of words, and what search engines have meanings for.
    private static let texts = [
        "brown sugar", "Brown bread, SUGAR", "crème brûlée", "Creme", "brul", "b", "s b", "\"brown", "brown*", "*",
        "brown AND sugar", "NOT brown", "OR", "-sugar", "bro^wn", "name:ada", "(a", "a)", "NEAR(a b)", "李小雨", "小雨",
        "雨 小",
        "½ l", "1\u{2044}2", "", " ", "!?", "a\u{0}b", "ко́фе", "кофе", "й", "и", "Straße", "strasse", "\u{301}",
        "e\u{301}",
        "don't", "t", "{a}", "a:b", "+", "\u{5E9}\u{5B8}\u{5C1}\u{5DC}\u{5D5}\u{5B9}\u{5DD}",
        "\u{5E9}\u{5DC}\u{5D5}\u{5DD}",
        String(repeating: "x", count: 70), String(repeating: "x", count: 64),
    ]

    private func values(_ row: Sundry) -> RowValues {
        func text(_ text: String?) -> FieldValue {
            text.map { .text($0, collationKey: Collation.sortKey($0), folded: TextNormalizer.folded($0)) } ?? .absent
        }
        return RowValues(
            id: row.id,
            [
                text(row.name), text(row.place), row.count.map { .integer($0) } ?? .absent, .boolean(row.isDone),
                row.day.map { .day($0) } ?? .absent, row.owner.map { .id($0) } ?? .absent,
            ],
            searched: entity.listed.searchedWords(of: row)
        )
    }

    private func sundry(_ dice: inout Dice) -> Sundry {
        let count: [Int64?] = [nil, .min, -1, 0, 1, 24, .max]
        let day = [
            nil, CalendarDay("0001-01-01"), CalendarDay("2024-02-29"), CalendarDay("2024-03-01"),
            CalendarDay("9999-12-31"),
        ]
        return Sundry(
            id: Identifier(high: dice.next() % 3 == 0 ? 0 : dice.next(), low: dice.next()),
            name: Self.names[Int(dice.next() % UInt64(Self.names.count))],
            place: Self.names[Int(dice.next() % UInt64(Self.names.count))],
            count: count[Int(dice.next() % 7)],
            isDone: dice.next() % 2 == 0,
            day: day[Int(dice.next() % 5)],
            owner: dice.next() % 3 == 0 ? nil : Identifier(high: dice.next() % 3 << 63, low: dice.next() % 3),
            lines: (0..<dice.next() % 4).map { _ in Sundry.Line(id: .make(), text: Self.text(&dice)) }
        )
    }

    private static func text(_ dice: inout Dice) -> String { texts[Int(dice.next() % UInt64(texts.count))] }

    private func value(_ field: String, _ rows: [Sundry], _ dice: inout Dice) -> FilterValue? {
        let row = rows[Int(dice.next() % UInt64(rows.count))]
        switch field {
        case "name", "place":
            return (Self.names[Int(dice.next() % UInt64(Self.names.count))] ?? row.name).map { .text($0) }
        case "count": return row.count.map { .integer($0) }
        case "done": return .boolean(row.isDone)
        case "day": return row.day.map { .text($0.description) }
        case "owner": return row.owner.map { .id($0) }
        case "tail": return .text(String(row.id.hexadecimal.suffix(Int(dice.next() % 3) + 1)))
        default: return .id(row.id)
        }
    }

    private func filter(_ depth: Int, _ rows: [Sundry], _ dice: inout Dice) -> Filter {
        let fields = ["name", "place", "count", "done", "day", "owner"]
        let field = fields[Int(dice.next() % 6)]
        let text = Self.names[Int(dice.next() % UInt64(Self.names.count))] ?? ""
        switch dice.next() % (depth > 2 ? 7 : 11) {
        case 0: return .equal(field, value(field, rows, &dice))
        case 1:
            return .range(
                field,
                from: dice.next() % 3 == 0 ? nil : value(field, rows, &dice),
                through: value(field, rows, &dice)
            )
        case 2: return .contains(["name", "place"][Int(dice.next() % 2)], String(text.prefix(Int(dice.next() % 3))))
        case 3: return .startsWith("name", String(text.prefix(Int(dice.next() % 3))))
        case 4:
            return dice.next() % 2 == 0
                ? .equal("tail", value("tail", rows, &dice)) : .equal("id", value("id", rows, &dice))
        case 5: return .search(nil, Self.text(&dice))
        case 6: return .search("lines", Self.text(&dice))
        case 7...8: return .not(filter(depth + 1, rows, &dice))
        case 9: return .and((0..<Int(dice.next() % 4)).map { _ in filter(depth + 1, rows, &dice) })
        default: return .or((0..<Int(dice.next() % 4)).map { _ in filter(depth + 1, rows, &dice) })
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func queriesAgree(seed: UInt64) throws {
        var dice = Dice(state: seed)
        let scratch = try Desk()
        let session = scratch.engine.session
        try session.executeScript(entity.schema)
        let table = RecordTable(entity)
        var rows = (0..<60).map { _ in sundry(&dice) }
        try session.begin()
        for row in rows { _ = try table.write(row, body: try CBOREncoder().encode(row), replacing: nil, session) }
        // Some are changed and some are gone: the full-text index follows.
        for index in rows.indices where index % 3 == 0 {
            var changed = sundry(&dice)
            changed.id = rows[index].id
            let body = try CBOREncoder().encode(changed)
            _ = try table.write(changed, body: body, replacing: rows[index], session)
            rows[index] = changed
        }
        for row in rows.suffix(5) { _ = try table.remove(row, session) }
        try session.commit()
        rows.removeLast(5)
        for round in 0..<1500 {
            let filter = filter(0, rows, &dice)
            let sort = (0..<Int(dice.next() % 4)).map { _ in
                SortKey(
                    ["name", "place", "count", "done", "day", "owner", "id"][Int(dice.next() % 7)],
                    descending: dice.next() % 2 == 0
                )
            }
            let request = List<Sundry>(filter: filter, sort: sort, limit: 1000)
            let found = try CBORDecoder().decode(
                Page<Sundry>.self,
                from: try RecordList.read(request, table.listed, session)
            )
            .rows
            let predicate = try ListPredicate(filter, schema, StoreForms())
            let order = try ListOrder(sort: sort, otherwise: entity.sort, schema)
            let live = LiveList(
                id: .make(),
                rows: rows.lazy.map(values).filter(predicate.holds).map {
                    ListRow(id: $0.id, order: order.key($0), row: EncodedCBOR(trusted: $0.id.encoded()))
                }
            )
            let ids = try live.sections.flatMap(\.rows).map { try $0.decode(Identifier.self) }
            #expect(found.map(\.id) == ids, "seed \(seed), round \(round): \(filter), \(sort)")
            if found.map(\.id) != ids { return }
        }
    }
}
