import ArgumentParser
import Messages

/// Where an ingredient or a step goes: at a number, before or behind another.
struct PlaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The number that it gets.", valueName: "number"))
    var to: Int?

    @Option(help: ArgumentHelp("The one that it comes before.", valueName: "which"))
    var before: String?

    @Option(help: ArgumentHelp("The one that it comes behind.", valueName: "which"))
    var after: String?

    var isGiven: Bool { to != nil || before != nil || after != nil }

    mutating func validate() throws {
        let given = [to.map { _ in "--to" }, before.map { _ in "--before" }, after.map { _ in "--after" }]
        let names = given.compactMap(\.self)
        guard names.count < 2 else {
            throw ValidationError("\(names.joined(separator: " and ")) say where it goes; give one of them.")
        }
        if let to, to < 1 { throw ValidationError("--to is \(to): numbers start at 1.") }
    }

    /// Where it goes in `recipe`, whatever is moved; nil where nothing was given.
    ///
    /// - Throws: what finding throws, and ``CLIError/usage(_:)`` for a number beyond the last.
    func place<Part: RecipePart>(in recipe: Recipe, _ type: Part.Type) throws(CLIError) -> PartPlace? {
        let parts = recipe[keyPath: Part.path]
        if let before { return .before(parts[try recipe.index(of: before, Part.self)].id) }
        if let after { return .behind(parts[try recipe.index(of: after, Part.self)].id) }
        guard let to else { return nil }
        let count = parts.count { $0.isHeading != true }
        guard to <= count else {
            throw .usage("--to is \(to), and \(quoted(recipe.name)) has \(count) \(Part.plural).")
        }
        return .number(to)
    }
}

/// A place in a list of ingredients or steps.
enum PartPlace: Sendable, Hashable {
    /// Where it is the part with this number, from 1; headings aren't counted.
    case number(Int)
    case before(Identifier)
    case behind(Identifier)

    /// Moves parts there, together and in their order. Parts that aren't there are passed over.
    func move<Part: RecipePart>(_ ids: [Identifier], in parts: inout [Part]) {
        let moved = parts.filter { ids.contains($0.id) }
        guard !moved.isEmpty else { return }
        // Beside itself it stays where it is.
        switch self {
        case .before(let id), .behind(let id): if ids.contains(id) { return }
        case .number: break
        }
        let start = parts.firstIndex { ids.contains($0.id) } ?? 0
        let target = index(in: parts)
        if moved.count == 1, target == start { return }
        parts.removeAll { ids.contains($0.id) }
        switch self {
        case .number(let number):
            // A heading has no number of its own, and goes before the part that has it.
            let isBehind = moved.contains { $0.isHeading != true } && target.map { $0 >= start } ?? false
            parts.insert(contentsOf: moved, at: Self.index(of: number, behind: isBehind, in: parts))
        case .before: parts.insert(contentsOf: moved, at: index(in: parts) ?? parts.count)
        case .behind: parts.insert(contentsOf: moved, at: (index(in: parts) ?? parts.count - 1) + 1)
        }
    }

    private func index<Part: RecipePart>(in parts: [Part]) -> Int? {
        switch self {
        case .number(let number):
            NumberedPart.list(parts).firstIndex { $0.number == number }
        case .before(let id), .behind(let id): parts.firstIndex { $0.id == id }
        }
    }

    /// Where what gets the number `number` is put into the others: down the list right behind the one before it, up the
    /// list right before the one behind it, so that headings between stay with theirs.
    private static func index<Part: RecipePart>(of number: Int, behind: Bool, in parts: [Part]) -> Int {
        let rows = NumberedPart.list(parts)
        if behind, let before = rows.firstIndex(where: { $0.number == number - 1 }) { return before + 1 }
        return rows.firstIndex { $0.number == number } ?? rows.count
    }
}
