import Messages
import Text

/// A kind of record that others refer to by id, name or reference, such as an order's customer.
struct Referred: Sendable {
    let entity: String
    let service: ServiceName
    /// What one is called in sentences, and many.
    let singular: String
    let plural: String
    /// What `daybook import` calls them.
    let noun: ExchangeNoun
    let load: @Sendable (Invocation) async throws(CLIError) -> any NamedRecords
    /// Makes new ones of names, to be stored with what refers to them.
    let add: @Sendable ([NewReferred], inout ImportBatch) throws(CLIError) -> Void

    private init<R: Resolvable>(_ noun: ExchangeNoun, _ make: @escaping @Sendable (Identifier, String) -> R) {
        entity = R.entity
        service = R.service
        singular = R.singular
        plural = R.plural
        self.noun = noun
        load = { (daybook) throws(CLIError) in try await KnownRecords<R>(askedBy: daybook) }
        add = { (new, batch) throws(CLIError) in
            try batch.add(new.map { ImportItem(record: make($0.id, $0.name), line: $0.line) })
        }
    }

    static let customer = Referred(.customers) { Customer(id: $0, name: $1) }
    static let service = Referred(.services) { SoldService(id: $0, name: $1) }
    static let recipe = Referred(.recipes) { Recipe(id: $0, name: $1) }
    static let recipeType = Referred(.types) { RecipeType(id: $0, name: $1) }
    static let dog = Referred(.dogs) { Dog(id: $0, name: $1) }
}

/// A record that is to be made because a file names it.
struct NewReferred: Sendable {
    var id: Identifier
    var name: String
    /// Where it is named first.
    var line: Int
}

/// Records of a kind by what files call them.
protocol NamedRecords: Sendable {
    /// The name of the record with this id; nil where there is none.
    func name(of id: Identifier) -> String?
    /// Those of this reference or, case and accents aside, of this name.
    func called(_ text: String) -> [Identifier]
}

/// The records of a kind that rows can refer to, and those that are to be made for them.
struct ReferredRecords: Sendable {
    let referred: Referred
    let known: any NamedRecords
    private(set) var new: [NewReferred] = []
    private var newNames: [String: Int] = [:]

    init(_ referred: Referred, known: any NamedRecords) {
        self.referred = referred
        self.known = known
    }

    /// The one that is to be made for a name, the same for each who asks.
    mutating func add(_ name: String, line: Int) -> Identifier {
        let folded = KnownRecords<Customer>.folded(name)
        if let index = newNames[folded] { return new[index].id }
        newNames[folded] = new.count
        // As an import of the records themselves makes it of the name.
        let id = Identifier.imported("\(referred.entity)-name", folded)
        new.append(NewReferred(id: id, name: name, line: line))
        return id
    }
}
