import Messages
import Text

/// A record that people can call by something shorter than its id.
protocol Resolvable: Record {
    /// What one of them is called in sentences: `customer`.
    static var singular: String { get }
    /// What many are called: `customers`.
    static var plural: String { get }
    /// Whether it has the field `name`.
    static var hasName: Bool { get }
    /// Whether it has the field `reference`.
    static var hasReference: Bool { get }
    /// Whether it has the field `number`.
    static var hasNumber: Bool { get }
    /// Whether it has the field `numberYear`.
    static var hasNumberYear: Bool { get }

    /// The name, where ``hasName`` is true.
    var resolvableName: String? { get }
    /// What it is called elsewhere, where ``hasReference`` is true.
    var resolvableReference: String? { get }
    /// The running number, where ``hasNumber`` is true.
    var resolvableNumber: Int64? { get }
    /// The year that the number counts in; nil where numbers run on.
    var resolvableNumberYear: Int? { get }
    /// What tells it apart from others of its name; empty texts are left out.
    var distinctions: [String?] { get }
}

extension Resolvable {
    static var hasName: Bool { true }
    static var hasReference: Bool { false }
    static var hasNumber: Bool { false }
    static var hasNumberYear: Bool { false }
    var resolvableReference: String? { nil }
    var resolvableNumber: Int64? { nil }
    var resolvableNumberYear: Int? { nil }
    var distinctions: [String?] { [] }
}

extension Resolvable {
    /// Whether `text` may mean this record: as its id, the end or beginning of that, its number, its reference, or the
    /// beginning of its name or of a word in it.
    func answers(to text: String) -> Bool {
        let text = TextNormalizer.trimmedNormalized(text)
        if let id = Identifier(text) { return id == self.id }
        if Self.hasNumber, let label = RunningNumber(text), label.number == resolvableNumber,
            label.year == nil || label.year == resolvableNumberYear
        {
            return true
        }
        if let name = resolvableName, FoldedName(name).hasWord(beginningLike: FoldedName(text)) { return true }
        let digits = text.lowercased().filter { $0 != "-" }
        let isPart = id.hexadecimal.hasSuffix(digits) || id.hexadecimal.hasPrefix(digits)
        return text == resolvableReference || digits.utf8.count >= 4 && isPart
    }
}

extension Customer: Resolvable {
    static let singular = "customer"
    static let plural = "customers"
    static let hasReference = true
    var resolvableName: String? { name }
    var resolvableReference: String? { reference }
    var distinctions: [String?] { [email, phone, address] }
}

extension SoldService: Resolvable {
    static let singular = "service"
    static let plural = "services"
    static let hasReference = true
    var resolvableName: String? { name }
    var resolvableReference: String? { reference }
    var distinctions: [String?] { [price?.description, info] }
}

extension Recipe: Resolvable {
    static let singular = "recipe"
    static let plural = "recipes"
    var resolvableName: String? { name }
    var distinctions: [String?] { [typeName, prepTime] }
}

extension RecipeType: Resolvable {
    static let singular = "recipe type"
    static let plural = "recipe types"
    var resolvableName: String? { name }
}

extension Dog: Resolvable {
    static let singular = "dog"
    static let plural = "dogs"
    var resolvableName: String? { name }
    var distinctions: [String?] { [ownerName] }
}

extension Order: Resolvable {
    static let singular = "order"
    static let plural = "orders"
    static let hasName = false
    static let hasReference = true
    static let hasNumber = true
    static let hasNumberYear = true
    var resolvableNumber: Int64? { number }
    var resolvableNumberYear: Int? { numberYear }
    var resolvableName: String? { nil }
    var resolvableReference: String? { reference }
    var distinctions: [String?] { ["order \(label)", date.description, customerName] }
}

extension Walk: Resolvable {
    static let singular = "walk"
    static let plural = "walks"
    static let hasName = false
    static let hasNumber = true
    var resolvableNumber: Int64? { number }
    var resolvableName: String? { nil }
    var distinctions: [String?] { ["walk \(number)", dogNames, start.description] }
}
