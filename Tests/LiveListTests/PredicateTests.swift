import CBOR
import LiveList
import Messages
import Testing

/// Forms of plain ASCII text, enough to tell that each is used where it belongs.
private struct PlainForms: TextForms {
    func normalized(_ text: String) -> String { String(text.drop { $0 == " " }) }
    func folded(_ text: String) -> String { text.lowercased() }
    /// Letters before capitals, by the letter first.
    func collationKey(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) + [1] + Array(text.utf8.map { ~$0 }) }
    func words(_ text: String) -> [String] { text.lowercased().split(separator: " ").map(String.init) }
}

private let forms = PlainForms()

private func text(_ text: String?) -> FieldValue {
    text.map { .text($0, collationKey: forms.collationKey($0), folded: forms.folded($0)) } ?? .absent
}

private let schema = ListSchema(
    "task",
    [
        .init("name", .text), .init("place", .text), .init("count", .integer), .init("done", .boolean),
        .init("date", .day), .init("owner", .id),
    ]
)

private let owner = Identifier(high: 9, low: 9)
private let day = try? CalendarDay(year: 2024, month: 2, day: 29)

/// Three rows: all there, all absent that can be, and one between.
private let rows: [Character: RowValues] = [
    "a": RowValues(
        id: Identifier(high: 0, low: 0xabc),
        [text("Anna"), text("Bern"), .integer(5), .boolean(true), day.map { .day($0) } ?? .absent, .id(owner)]
    ),
    "n": RowValues(
        id: Identifier(high: 0, low: 0x1bc),
        [.absent, .absent, .absent, .boolean(false), .absent, .absent]
    ),
    "b": RowValues(
        id: Identifier(high: 0xf << 60, low: 2),
        [text("bob"), text(""), .integer(-1), .boolean(false), .absent, .id(Identifier(high: 1, low: 1))]
    ),
]

@Suite struct PredicateTests {
    private static let table: [(Filter, String)] = [
        (.equal("name", .text("Anna")), "a"),
        (.equal("name", .text("  Anna")), "a"),
        (.equal("name", .text("anna")), ""),
        (.equal("name", nil), "n"),
        (.equal("place", .text("")), "b"),
        (.equal("count", .integer(5)), "a"),
        (.equal("count", nil), "n"),
        (.equal("done", .boolean(false)), "bn"),
        (.equal("done", nil), ""),
        (.equal("date", .text("2024-02-29")), "a"),
        (.equal("date", nil), "bn"),
        (.equal("owner", .id(owner)), "a"),
        (.equal("id", .id(Identifier(high: 0, low: 0xabc))), "a"),
        (.equal("tail", .text("bc")), "an"),
        (.equal("tail", .text("aBC")), "a"),
        (.equal("tail", .text("f0000000000000000000000000000002")), "b"),
        (.equal("tail", .text("0000000000000000000000000000002")), "b"),
        // An absent text is ordered as empty: it is below every bound, and within none from below.
        (.range("name", from: nil, through: .text("b")), "an"),
        (.range("name", from: .text("Anna"), through: nil), "ab"),
        (.range("name", from: .text("anna"), through: .text("Anna")), "a"),
        (.range("name", from: nil, through: nil), "abn"),
        (.range("place", from: .text(""), through: nil), "ab"),
        // Any other absent value is in no range.
        (.range("count", from: nil, through: .integer(5)), "ab"),
        (.range("count", from: .integer(0), through: nil), "a"),
        (.range("count", from: .integer(6), through: .integer(0)), ""),
        (.range("count", from: nil, through: nil), "ab"),
        (.range("done", from: nil, through: .boolean(false)), "bn"),
        (.range("done", from: .boolean(true), through: nil), "a"),
        (.range("done", from: nil, through: nil), "abn"),
        (.range("date", from: .text("2024-02-29"), through: .text("2024-02-29")), "a"),
        (.range("date", from: nil, through: .text("2024-02-28")), ""),
        (.range("date", from: nil, through: nil), "a"),
        (.range("owner", from: .id(Identifier(high: 2, low: 0)), through: nil), "a"),
        (.range("owner", from: nil, through: .id(Identifier(high: 2, low: 0))), "b"),
        (.contains("name", "NN"), "a"),
        (.contains("name", "x"), ""),
        (.contains("name", ""), "abn"),
        (.startsWith("name", "AN"), "a"),
        (.startsWith("name", "nna"), ""),
        (.startsWith("name", "annabel"), ""),
        (.startsWith("name", ""), "abn"),
        (.startsWith("name", "a\u{0}"), ""),
        (.contains("place", "bern"), "a"),
        (.and([]), "abn"),
        (.or([]), ""),
        (.and([.equal("done", .boolean(false)), .equal("count", nil)]), "n"),
        (.or([.equal("name", nil), .contains("name", "b")]), "bn"),
        // `not` holds wherever its filter doesn't, where that is unknown too.
        (.not(.equal("count", .integer(5))), "bn"),
        (.not(.range("count", from: .integer(0), through: nil)), "bn"),
        (.not(.not(.equal("date", .text("2024-02-29")))), "a"),
        (.not(.or([.equal("count", .integer(5)), .equal("name", .text("bob"))])), "n"),
        (.not(.and([.range("count", from: nil, through: nil), .equal("done", .boolean(true))])), "bn"),
        (.not(.and([])), ""),
    ]

    @Test(arguments: table.indices)
    func holdsForWhatTheStoreFinds(index: Int) throws {
        let (filter, expected) = Self.table[index]
        let predicate = try ListPredicate(filter, schema, forms)
        let found = rows.keys.sorted().filter { rows[$0].map(predicate.holds) ?? false }
        #expect(String(found) == expected, "\(filter)")
    }

    @Test func holdsForEverythingWithoutAFilter() throws {
        let predicate = try ListPredicate(nil, schema, forms)
        #expect(rows.values.allSatisfy(predicate.holds))
    }

    /// Canonically equal texts are different bytes, and so different to the store.
    @Test func comparesTextByItsBytes() throws {
        let predicate = try ListPredicate(.equal("name", .text("\u{e9}")), schema, forms)
        #expect(predicate.holds(RowValues(id: owner, [text("\u{e9}")])))
        #expect(!predicate.holds(RowValues(id: owner, [text("e\u{301}")])))
    }

    private static let refused: [Filter] = [
        .equal("nothing", .integer(1)), .contains("id", "a"), .range("id", from: nil, through: nil),
        .contains("count", "5"), .startsWith("date", "2024"), .equal("count", .text("5")), .equal("name", .integer(5)),
        .equal("done", .integer(1)), .equal("date", .text("2024-02-30")), .equal("owner", .text("x")),
        .range("name", from: .integer(1), through: nil), .range("date", from: nil, through: .boolean(true)),
        .equal("id", nil), .equal("id", .text("x")), .equal("tail", nil), .equal("tail", .text("")),
        .equal("tail", .text("xyz")), .equal("tail", .text(String(repeating: "0", count: 33))),
        (0..<16).reduce(.and([])) { filter, _ in .not(filter) },
        .or((0..<2001).map { .equal("count", .integer($0)) }),
    ]

    @Test(arguments: refused.indices)
    func refusesWhatTheStoreRefuses(index: Int) {
        #expect {
            try ListPredicate(Self.refused[index], schema, forms)
        } throws: { error in
            if case .unanswerable = error as? ListError { true } else { false }
        }
    }

    @Test func takesAsMuchAsTheStoreTakes() throws {
        _ = try ListPredicate((0..<15).reduce(.and([])) { filter, _ in .not(filter) }, schema, forms)
        _ = try ListPredicate(.or((0..<2000).map { .equal("count", .integer($0)) }), schema, forms)
    }
}

@Suite struct ListOrderTests {
    private func order(_ sort: [SortKey]) throws -> String {
        let order = try ListOrder(sort: sort, schema)
        let list = rows.map { (letter: $0.key, key: order.key($0.value), id: $0.value.id) }
        return String(list.sorted { $0.key == $1.key ? $0.id < $1.id : $0.key < $1.key }.map(\.letter))
    }

    private static let table: [(field: String, rising: String)] = [
        ("name", "nab"), ("count", "nba"), ("owner", "nba"), ("id", "nab"),
    ]

    @Test(arguments: table.indices)
    func ordersAbsentValuesFirst(index: Int) throws {
        let (field, rising) = Self.table[index]
        #expect(try order([SortKey(field)]) == rising)
        #expect(try order([SortKey(field, descending: true)]) == String(rising.reversed()))
    }

    @Test func takesFurtherKeysWhereTheFirstAreEqual() throws {
        #expect(try order([SortKey("done"), SortKey("name", descending: true)]) == "bna")
        #expect(try order([SortKey("date", descending: true), SortKey("count")]) == "anb")
        #expect(try order([]) == "nab")
    }

    private static let sections: [(section: ListQuery.Section, keys: [CBORValue])] = [
        (.init("date"), [.null, .text("2024-02-29")]),
        (.init("date", by: .month), [.null, .text("2024-02")]),
        (.init("date", by: .year, descending: true), [.text("2024"), .null]),
        (.init("name", by: .letter), [.null, .text("A"), .text("B")]),
        (.init("name", descending: true), [.text("bob"), .text("Anna"), .null]),
        (.init("done", descending: true), [.bool(true), .bool(false)]),
        (.init("count"), [.null, .negative(0), .unsigned(5)]),
    ]

    @Test(arguments: sections.indices)
    func putsRowsInSections(index: Int) throws {
        let (section, keys) = Self.sections[index]
        let order = try ListOrder(sort: nil, section: section, schema)
        let list = LiveList(
            id: owner,
            rows: rows.values.map {
                ListRow(
                    id: $0.id,
                    section: order.section($0),
                    order: order.key($0),
                    row: EncodedCBOR(trusted: $0.id.encoded())
                )
            }
        )
        #expect(try list.sections.map { try CBORValue(decoding: $0.key.bytes) } == keys)
    }

    @Test func refusesUnknownFieldsAndForms() {
        #expect(throws: ListError.self) { try ListOrder(sort: [SortKey("nothing")], schema) }
        #expect(throws: ListError.self) { try ListOrder(sort: Array(repeating: SortKey("name"), count: 9), schema) }
        #expect(throws: ListError.self) { try ListOrder(sort: nil, section: .init("id"), schema) }
        #expect(throws: ListError.self) { try ListOrder(sort: nil, section: .init("name", by: .month), schema) }
        #expect(throws: ListError.self) { try ListOrder(sort: nil, section: .init("date", by: .letter), schema) }
    }
}
