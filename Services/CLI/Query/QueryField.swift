import Messages

/// A field that `--where` knows: what it is called there, and how its values are read.
struct QueryField: Sendable {
    enum Kind: Sendable {
        case text
        case day(DayWords.Leaning)
        case boolean
        case integer
        /// Minor units, with the field of their currency.
        case money(currency: String)
        /// A record of its own, found by what people call it, and the field of its name.
        case customer(name: String)
        /// `17`, or `2024-17`, with the field of the year.
        case number(year: String)
    }

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

/// A kind of record whose lists can be asked with `--where`.
protocol Queryable: Record {
    static var queryFields: [QueryField] { get }
}

extension Order: Queryable {
    static let queryFields = [
        QueryField("number", .number(year: "numberYear")), QueryField("date", .day(.past)),
        QueryField("due", .day(.coming)), QueryField("customer", .customer(name: "customer.name")),
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
