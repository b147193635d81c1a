internal import JSON

/// Reads a schema.org Recipe (https://schema.org/Recipe) as it is written in the wild.
struct SchemaRecipe {
    let data: LinkedData
    let place: RecipePlace
    private let node: JSONValue
    /// Whether its texts are plain: it was written by this program.
    let isOwn: Bool
    private(set) var notes: [RecipeProblem] = []
    private var name: String?

    init(_ found: LinkedData.Found, in data: LinkedData, file place: RecipePlace) {
        self.data = data
        var place = place
        place.path = found.path
        place.line = found.line ?? place.line
        self.place = place
        node = found.node
        isOwn = Self.isOwn(found.node)
    }

    /// Whether this program wrote the node.
    static func isOwn(_ node: JSONValue) -> Bool { node[Extension.format] != nil }

    /// The recipe.
    ///
    /// - Throws: a ``RecipeProblem`` where it has no name.
    mutating func draft() throws(RecipeProblem) -> RecipeDraft {
        name = line(Schema.member(node, "name")) ?? line(Schema.member(node, "headline"))
        guard let name else {
            throw RecipeProblem(.refused, place(at: ".name"), "the recipe has no name: give it one in \"name\"")
        }
        var draft = RecipeDraft(name: name)
        draft.identifier = identifier
        draft.overview = overview
        draft.category = category
        draft.source = source
        draft.yields = yields
        draft.prepTime = time("prepTime", Extension.prepTime)
        draft.cookTime = time("cookTime", Extension.cookTime) ?? time("performTime", Extension.cookTime)
        draft.totalTime = time("totalTime", Extension.totalTime)
        draft.ingredients = ingredients()
        draft.steps = steps()
        draft.picture = picture()
        return draft
    }

    mutating func note(_ path: String, _ sentence: String) {
        notes.append(RecipeProblem(.leftOut, place(at: path), recipe: name, sentence))
    }

    private func place(at path: String) -> RecipePlace {
        var place = place
        place.path = (place.path ?? "$") + path
        return place
    }

    // MARK: Texts

    /// The text that a value stands for, whatever it is wrapped in, mark-up removed; nil where there is none.
    func text(_ value: JSONValue?) -> String? {
        switch value.map(data.resolved) {
        case .string(let text): isOwn ? text : MarkUp.removed(from: text)
        case .number(let text): text
        case .array(let values): values.lazy.compactMap { self.text($0) }.first { DraftText.line($0) != nil }
        case .object(let members):
            ["@value", "text", "name", "value", "description"].lazy.compactMap { name in
                members.first { $0.key == name }.flatMap { self.text($0.value) }
            }.first
        case .null, .boolean, nil: nil
        }
    }

    func line(_ value: JSONValue?) -> String? { text(value).flatMap(DraftText.line) }

    private var overview: String? {
        let text = text(Schema.member(node, "description"))
        return isOwn ? text : text.flatMap(DraftText.paragraphs)
    }

    /// Many sites write all their categories into one text, with commas.
    private var category: String? {
        guard let line = line(Schema.member(node, "recipeCategory")) else { return nil }
        return isOwn ? line : line.split(separator: ",").first.flatMap { DraftText.line(String($0)) }
    }

    private func time(_ name: String, _ written: String) -> String? {
        if isOwn, let text = line(node[written]) { return text }
        return line(Schema.member(node, name))
    }

    private var identifier: String? {
        for name in ["@id", "url", "identifier"] {
            guard case .string(let text)? = Schema.member(node, name), let text = DraftText.line(text) else { continue }
            if text.hasPrefix("urn:") || Self.isWebAddress(text) { return text }
        }
        return nil
    }

    private var source: String? {
        for name in ["url", "mainEntityOfPage", "isBasedOn"] {
            guard let value = Schema.member(node, name) else { continue }
            let address = Schema.member(value, "@id") ?? Schema.member(value, "url")
            if let text = line(address ?? value), isOwn || name == "isBasedOn" || Self.isWebAddress(text) {
                return text
            }
        }
        if case .string(let id)? = node["@id"], Self.isWebAddress(id) {
            return id.split(separator: "#").first.map(String.init)
        }
        return nil
    }

    private static func isWebAddress(_ text: String) -> Bool { text.hasPrefix("https://") || text.hasPrefix("http://") }

    // MARK: Yield

    private var yields: [String] {
        switch Schema.member(node, "recipeYield") ?? Schema.member(node, "yield") {
        case .array(let values): values.compactMap(yield)
        case let value?: yield(value).map { [$0] } ?? []
        case nil: []
        }
    }

    private func yield(_ value: JSONValue) -> String? {
        let value = data.resolved(value)
        guard case .object = value else { return line(value) }
        let lower = line(Schema.member(value, "minValue"))
        let upper = line(Schema.member(value, "maxValue"))
        let range = [lower, upper].compactMap(\.self).joined(separator: "-")
        let number = line(Schema.member(value, "value")) ?? (range.isEmpty ? line(value) : range)
        return [number, line(Schema.member(value, "unitText"))].compactMap(\.self).joined(separator: " ").nonEmpty
    }

    // MARK: Ingredients

    private mutating func ingredients() -> [RecipeDraft.Line] {
        let name = Schema.member(node, "recipeIngredient") != nil ? "recipeIngredient" : "ingredients"
        guard let value = Schema.member(node, name) else { return [] }
        var lines: [RecipeDraft.Line] = []
        addIngredients(value, &lines, ".\(name)")
        if isOwn, case .array(let positions)? = node[Extension.headings] {
            for case .number(let text) in positions {
                if let index = Int(text), lines.indices.contains(index) { lines[index].isHeading = true }
            }
        }
        return lines
    }

    private mutating func addIngredients(_ value: JSONValue, _ lines: inout [RecipeDraft.Line], _ path: String) {
        let value = data.resolved(value)
        switch value {
        case .array(let values):
            for (index, value) in values.enumerated() { addIngredients(value, &lines, "\(path)[\(index)]") }
        case .object where Schema.member(value, "itemListElement") != nil:
            if let name = line(Schema.member(value, "name")) { lines.append(RecipeDraft.Line(name, isHeading: true)) }
            addIngredients(Schema.member(value, "itemListElement") ?? .null, &lines, "\(path).itemListElement")
        case .object where Schema.member(value, "item") != nil:
            addIngredients(Schema.member(value, "item") ?? .null, &lines, "\(path).item")
        case .object:
            if let text = supply(value) {
                lines.append(RecipeDraft.Line(text))
            } else {
                noteMeaningless(path, "ingredient")
            }
        case .string, .number:
            guard let text = text(value) else { return }
            if isOwn { return lines.append(RecipeDraft.Line(text)) }
            for line in DraftText.lines(text) where DraftText.line(line) != nil {
                let heading = StepList.heading(line, colons: true)
                lines.append(RecipeDraft.Line(heading ?? line, isHeading: heading != nil))
            }
        case .null: break
        case .boolean: noteMeaningless(path, "ingredient")
        }
    }

    /// HowToSupply, PropertyValue, and what else has a name and an amount.
    private func supply(_ value: JSONValue) -> String? {
        let amount = Schema.member(value, "requiredQuantity") ?? Schema.member(value, "amount")
        guard let name = line(Schema.member(value, "name")) else { return line(value) }
        let quantity = [
            line(amount ?? Schema.member(value, "value")), line(Schema.member(amount ?? value, "unitText")),
        ]
        return (quantity + [name]).compactMap(\.self).joined(separator: " ").nonEmpty
    }

    mutating func noteMeaningless(_ path: String, _ kind: String) {
        note(path, "it gives no text for the \(kind), which is left out: add it by hand")
    }

    // MARK: Steps

    private mutating func steps() -> [RecipeDraft.Line] {
        guard let value = Schema.member(node, "recipeInstructions") else { return [] }
        var steps: [RecipeDraft.Line] = []
        addSteps(value, &steps, ".recipeInstructions")
        return isOwn ? steps : StepList.withoutNumbers(steps)
    }

    // MARK: Picture

    private mutating func picture() -> RecipeDraft.Picture? {
        if isOwn, let name = line(node[Extension.pictureName]) { return RecipeDraft.Picture(name: name) }
        guard let value = Schema.member(node, "image") else { return nil }
        guard let (address, name) = address(ofPicture: value) else { return nil }
        guard address.hasPrefix("data:") else { return RecipeDraft.Picture(name: address) }
        guard let bytes = Base64.bytes(ofDataAddress: address) else {
            note(".image", "the picture can't be decoded and is left out: add it with 'recipes edit'")
            return nil
        }
        return RecipeDraft.Picture(name: name, bytes: bytes)
    }

    private func address(ofPicture value: JSONValue) -> (String, name: String?)? {
        switch data.resolved(value) {
        case .string(let text): return DraftText.line(text).map { ($0, nil) }
        case .array(let values): return values.lazy.compactMap { self.address(ofPicture: $0) }.first
        case .object(let members):
            for name in ["url", "contentUrl", "@id"] {
                guard let value = members.first(where: { $0.key == name })?.value,
                    case .string(let text) = data.resolved(value),
                    let address = DraftText.line(text)
                else { continue }
                return (address, line(members.first { $0.key == "name" }?.value))
            }
            return nil
        case .null, .boolean, .number: return nil
        }
    }

    /// What schema.org has no word for, as absolute IRIs, which JSON-LD lets stand beside its terms.
    enum Extension {
        private static let base = "https://daybook.invalid/recipe#"
        /// Marks what this program wrote: all texts are plain.
        static let format = base + "format"
        /// Times as they were written, where they aren't ISO 8601.
        static let prepTime = base + "prepTime"
        static let cookTime = base + "cookTime"
        static let totalTime = base + "totalTime"
        /// Which of the ingredients are headings, from 0.
        static let headings = base + "headings"
        /// The name of a picture that isn't there.
        static let pictureName = base + "pictureName"
    }
}

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }
}
