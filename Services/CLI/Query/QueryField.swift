import Messages

/// A field that `--where` knows: what it is called there, and how its values are read.
struct QueryField: Sendable {
    enum Kind: Sendable {
        case text
        case day(DayWords.Leaning)
        case boolean
        case integer
        /// Times of the user's zone.
        case instant
        /// A length of time, kept as whole minutes.
        case minutes
        /// Parts of the record, found by their words; only `~`.
        case words
        /// Minor units, with the field of their currency.
        case money(currency: String)
        /// A record of its own, found by what people call it: the rows that refer to it, and the field of its name.
        case record(name: String, Referring)
        /// `17`, or `2024-17`, with the field of the year.
        case number(year: String)
    }

    /// The filter for what refers to the one record that a text means.
    ///
    /// - Throws: what finding it throws.
    typealias Referring = @Sendable (String, Invocation) async throws(CLIError) -> Filter

    /// As people write it; case is no matter.
    var name: String
    /// As services know it.
    var field: String
    var kind: Kind

    init(_ name: String, _ kind: Kind, field: String? = nil) {
        self.name = name
        self.field = field ?? name
        self.kind = kind
    }
}

extension QueryField.Kind {
    /// A reference to a record of the type in the field; the field of its name is `<field>.name`.
    static func reference<R: Resolvable>(to type: R.Type, in field: String) -> QueryField.Kind {
        .record(name: "\(field).name") { (text, daybook) async throws(CLIError) in
            .equal(field, .id(try await daybook.resolver.record(R.self, text).id))
        }
    }
}

/// A kind of record whose lists can be asked with `--where`.
protocol Queryable: Record {
    static var queryFields: [QueryField] { get }
}

extension Order: Queryable {
    static let queryFields = [
        QueryField("number", .number(year: "numberYear")), QueryField("date", .day(.past)),
        QueryField("due", .day(.coming)), QueryField("customer", .reference(to: Customer.self, in: "customer")),
        QueryField("made", .boolean), QueryField("madeOn", .day(.past)), QueryField("paid", .boolean),
        QueryField("paidOn", .day(.past)), QueryField("cancelled", .boolean), QueryField("printed", .boolean),
        QueryField("net", .money(currency: "currency")), QueryField("tax", .money(currency: "currency")),
        QueryField("total", .money(currency: "currency")), QueryField("open", .money(currency: "currency")),
        QueryField("currency", .text), QueryField("note", .text), QueryField("reference", .text),
    ]
}

extension Customer: Queryable {
    static let queryFields = ["name", "email", "phone", "address", "reference"].map { QueryField($0, .text) }
}

extension SoldService: Queryable {
    static let queryFields = ["name", "reference"].map { QueryField($0, .text) }
}

extension Recipe: Queryable {
    static let queryFields = [
        QueryField("name", .text), QueryField("type", .reference(to: RecipeType.self, in: "type")),
        QueryField("source", .text), QueryField("image", .text), QueryField("prepTime", .minutes, field: "prepMinutes"),
        QueryField("cookTime", .minutes, field: "cookMinutes"),
        QueryField("totalTime", .minutes, field: "totalMinutes"), QueryField("ingredients", .words),
    ]
}

extension Dog: Queryable {
    static let queryFields = [
        QueryField("name", .text), QueryField("owner", .reference(to: Customer.self, in: "owner")),
    ]
}

extension Walk: Queryable {
    static let queryFields = [
        QueryField("number", .integer),
        QueryField(
            "dog",
            .record(name: "dogs.name") { (text, daybook) async throws(CLIError) in
                .walks(with: try await daybook.resolver.record(Dog.self, text))
            },
            field: "dogs"
        ),
        QueryField("start", .instant), QueryField("end", .instant), QueryField("running", .boolean),
        QueryField("note", .text),
    ]
}
