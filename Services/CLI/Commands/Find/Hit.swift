import ArgumentParser
import Messages
import Text

/// The kinds of records that are searched, in the order in which they are printed.
enum FindKind: String, CaseIterable, ExpressibleByArgument, Sendable {
    case customers
    case services
    case recipes
    case types
    case orders
    case dogs
    case walks

    /// Who keeps them.
    var service: ServiceName {
        switch self {
        case .customers, .services, .recipes, .types: .catalog
        case .orders: .orders
        case .dogs, .walks: .walks
        }
    }
}

/// A record that 'find' can find, and what it shows of it.
protocol Findable: Resolvable {
    static var kind: FindKind { get }
    /// Nil for the entity's own order.
    static var foundSort: [SortKey]? { get }
    /// What it is called: the name, or that of whom it is about.
    var foundName: String { get }
    var foundDay: CalendarDay? { get }
    /// The number as people write it; nil where it has none.
    var foundNumber: String? { get }
    /// The texts that can be seen without being shown: of name and number.
    var plainTexts: [SearchedText] { get }
    /// The others that the service looks through, the more telling first.
    var otherTexts: [SearchedText] { get }
}

/// A text that the service looks through, and what people call it.
struct SearchedText: Sendable {
    var field: String
    var text: String

    init?(_ field: String, _ text: String?) {
        guard let text else { return nil }
        self.field = field
        self.text = text
    }
}

extension Findable {
    static var foundSort: [SortKey]? { nil }
    var foundName: String { resolvableName ?? Order.unknown }
    var foundDay: CalendarDay? { nil }
    var foundNumber: String? { nil }
    var plainTexts: [SearchedText] { [SearchedText("name", resolvableName)].compactMap(\.self) }
    var otherTexts: [SearchedText] { [] }
}

extension Customer: Findable {
    static let kind = FindKind.customers
    var otherTexts: [SearchedText] {
        [
            SearchedText("email", email), SearchedText("phone", phone), SearchedText("address", address),
            SearchedText("info", info), SearchedText("reference", reference),
        ].compactMap(\.self)
    }
}

extension SoldService: Findable {
    static let kind = FindKind.services
    var otherTexts: [SearchedText] {
        [SearchedText("info", info), SearchedText("reference", reference)].compactMap(\.self)
    }
}

extension Recipe: Findable {
    static let kind = FindKind.recipes
    var otherTexts: [SearchedText] {
        let texts = [
            SearchedText("type", typeName), SearchedText("source", source), SearchedText("overview", overview),
        ]
        let parts =
            ingredients.map { SearchedText("ingredient", $0.line) } + steps.map { SearchedText("step", $0.text) }
        return (texts + parts).compactMap(\.self)
    }
}

extension RecipeType: Findable {
    static let kind = FindKind.types
}

extension Order: Findable {
    static let kind = FindKind.orders
    static let foundSort: [SortKey]? = [SortKey("date", descending: true)]
    var foundName: String { customerName ?? Self.unknown }
    var foundDay: CalendarDay? { date }
    var foundNumber: String? { label }
    var plainTexts: [SearchedText] {
        [SearchedText("number", label), SearchedText("customer", customerName)].compactMap(\.self)
    }
    var otherTexts: [SearchedText] {
        let rows = rows.flatMap { [SearchedText("row", $0.serviceName), SearchedText("row", $0.text)] }
        let payments = (payments ?? []).map { SearchedText("payment", $0.note) }
        let texts = [SearchedText("note", note), SearchedText("reference", reference)] + rows + payments
        return texts.compactMap(\.self)
    }
}

extension Dog: Findable {
    static let kind = FindKind.dogs
    var otherTexts: [SearchedText] { [SearchedText("owner", ownerName)].compactMap(\.self) }
}

extension Walk: Findable {
    static let kind = FindKind.walks
    static let foundSort: [SortKey]? = [SortKey("start", descending: true)]
    var foundName: String { dogNames }
    var foundDay: CalendarDay? { .today(at: start) }
    var foundNumber: String? { String(number) }
    var plainTexts: [SearchedText] {
        ([SearchedText("number", String(number))] + dogs.map { SearchedText("dogs", $0.dogName) }).compactMap(\.self)
    }
    var otherTexts: [SearchedText] { [SearchedText("note", note)].compactMap(\.self) }
}

/// A record that was found.
struct Hit: Sendable {
    /// What tells it from all others: two kinds may have the same id.
    struct Key: Hashable, Sendable {
        var kind: FindKind
        var id: Identifier
    }

    var kind: FindKind
    var id: Identifier
    var number: String?
    var name: String
    var day: CalendarDay?
    /// Where the words stand; nil where no single text of the record shows them.
    var place: SearchedText?
    /// Whether name and number show why it was found.
    var isPlain: Bool

    init<R: Findable>(_ record: R, words: [String]) {
        kind = R.kind
        id = record.id
        number = record.foundNumber
        name = record.foundName
        day = record.foundDay
        let plain = record.plainTexts
        let others = words.filter { word in !plain.contains { FoundText.holds($0.text, word) } }
        isPlain = others.isEmpty
        let sought = isPlain ? words : others
        let texts = isPlain ? plain : record.otherTexts
        // The first of those with the most words.
        var best = 0
        for var text in texts {
            let count = sought.count { FoundText.holds(text.text, $0) }
            guard count > best else { continue }
            best = count
            text.text = FoundText.excerpt(text.text, sought)
            place = text
        }
    }

    var key: Key { Key(kind: kind, id: id) }

    /// What people see of it, in columns.
    static let columns: [FieldDeclaration] = [
        Field<Hit>.number("number", "No.", "") { $0.number }.declaration,
        Field<Hit>.text("name", "Name", "") { $0.name }.declaration,
        Field<Hit>.text("day", "Day", "") { $0.day?.description }.declaration,
        Field<Hit>.text("text", "Text", "") { $0.place?.text }.declaration,
    ]

    /// Values for ``columns``.
    func cells(idDigits: Int) -> [FieldValue] {
        let text = isPlain ? nil : place.map { "\($0.field): \($0.text)" }
        return [
            .text(number ?? id.tail(idDigits)), .text(name), day.map { .text($0.english) } ?? .absent,
            text.map(FieldValue.text) ?? .absent,
        ]
    }
}

/// Where a text has the words that were looked for.
enum FoundText {
    /// How much of a text is shown, in characters.
    private static let longest = 60
    /// How much of that stands before the first word.
    private static let longestBefore = 20

    /// Whether some word of the text begins with this one, both as ``SearchWords`` has them.
    static func holds(_ text: String, _ word: String) -> Bool {
        SearchWords.words(of: text).contains { $0.utf8.starts(with: word.utf8) }
    }

    /// The text around the first of the words, on one line.
    static func excerpt(_ text: String, _ words: [String]) -> String {
        let pieces = text.split(whereSeparator: \.isWhitespace)
        let found = pieces.firstIndex { piece in words.contains { holds(String(piece), $0) } } ?? 0
        var (start, count) = (found, 0)
        while start > 0, count + pieces[start - 1].count < longestBefore {
            start -= 1
            count += pieces[start].count + 1
        }
        var end = start
        var shown = ""
        while end < pieces.count, end <= found || shown.count + pieces[end].count < longest {
            shown += (shown.isEmpty ? "" : " ") + pieces[end].prefix(longest)
            end += 1
        }
        return (start > 0 ? "… " : "") + shown + (end < pieces.count ? " …" : "")
    }
}

extension Noun where Row == Hit {
    /// What was found, of whatever kind.
    static let hit = Noun(
        "hit",
        plural: "hits",
        summary: "A record in which words were found.",
        fields: [
            .text("kind", "Kind", "customers, services, recipes, types, orders, dogs or walks.") { $0.kind.rawValue },
            .id("id", "Id", "The record's UUID.") { $0.id },
            .number("number", "No.", "The number of an order or walk, as people write it.") { $0.number },
            .text("name", "Name", "The record's name; of an order the customer's, of a walk those of its dogs.") {
                $0.name
            },
            .day("day", "Day", "The day of an order or walk.") { $0.day },
            .text("field", "Field", "What the text is of the record.") { $0.place?.field },
            .text("text", "Text", "Where the words stand, cut around the first of them.") { $0.place?.text },
        ],
        id: \.id
    )
}
