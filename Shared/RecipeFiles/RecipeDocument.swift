internal import Archive
internal import HTML
internal import JSON

/// Reads what one file, or one entry of an archive, holds. What it is, its bytes tell, not its name.
enum RecipeDocument {
    /// What begins like this is named in the refusal.
    private static let known: [(bytes: [UInt8], name: String)] = [
        (Array("%PDF".utf8), "a PDF"), ([0xFF, 0xD8, 0xFF], "a picture"), ([0x89, 0x50, 0x4E, 0x47], "a picture"),
        (Array("Rar!".utf8), "a RAR archive"), ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive"),
    ]

    /// The recipes and problems, in the document's order.
    ///
    /// - Parameter picture: the picture that lies beside the document, for a recipe that has none of its own.
    static func entries(_ bytes: [UInt8], in place: RecipePlace, picture: () -> [UInt8]?) -> [RecipeEntry] {
        let start = beginning(of: bytes)
        if start == bytes.count { return [refusal(place, "it is empty: save or export it again")] }
        switch bytes[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return json(Array(bytes[start...]), in: place, picture)
        case UInt8(ascii: "<"): return page(bytes, in: place)
        default: break
        }
        if isUTF16(bytes) { return page(bytes, in: place) }
        if PlanToEatFile.isOne(bytes) { return PlanToEatFile.entries(bytes, in: place) }
        let name = known.first { bytes.starts(with: $0.bytes) }.map { "it is \($0.name), not a recipe file" }
        return [refusal(place, "\(name ?? "no recipe can be found in it"): \(RecipeReader.kinds) are read")]
    }

    /// Behind a byte order mark and blanks.
    private static func beginning(of bytes: [UInt8]) -> Int {
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count, bytes[start] == 0x20 || 0x09...0x0D ~= bytes[start] { start += 1 }
        return start
    }

    private static func isUTF16(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    }

    private static func refusal(_ place: RecipePlace, _ sentence: String) -> RecipeEntry {
        .problem(RecipeProblem(.refused, place, sentence))
    }

    // MARK: JSON

    private static func json(_ bytes: [UInt8], in place: RecipePlace, _ picture: () -> [UInt8]?) -> [RecipeEntry] {
        let value: JSONValue
        do throws(JSONReader.Problem) {
            value = try LinkedData.value(of: bytes)
        } catch {
            var place = place
            place.line = error.line
            return [refusal(place, "it is no JSON, \(error.reason): save or export it again")]
        }
        if let entries = paprika(value, in: place) { return entries }
        let data = LinkedData([LinkedData.Block(value: value, line: nil)])
        guard !data.recipes.isEmpty else {
            return [refusal(place, "there is no recipe in it: neither a schema.org Recipe nor one of Paprika's")]
        }
        var entries = data.recipes.map { entry($0, in: data, place) }
        // Nextcloud Cookbook keeps the picture beside the recipe.
        if entries.count == 1, case .recipe(var draft, let at, let notes) = entries[0], draft.picture?.bytes == nil,
            let bytes = picture()
        {
            draft.picture = RecipeDraft.Picture(name: "full.jpg", bytes: bytes)
            entries[0] = .recipe(draft, at, notes: notes)
        }
        return entries
    }

    private static func paprika(_ value: JSONValue, in place: RecipePlace) -> [RecipeEntry]? {
        var values = [(value: value, path: "$")]
        if case .array(let members) = value { values = members.enumerated().map { ($1, "$[\($0)]") } }
        guard !values.isEmpty, values.allSatisfy({ PaprikaRecipe.isOne($0.value) }) else { return nil }
        return values.map { value, path in
            var place = place
            if values.count > 1 { place.path = path }
            do throws(RecipeProblem) {
                let (draft, notes) = try PaprikaRecipe.draft(of: value, at: place)
                return .recipe(draft, place, notes: notes)
            } catch {
                return .problem(error)
            }
        }
    }

    private static func entry(_ found: LinkedData.Found, in data: LinkedData, _ place: RecipePlace) -> RecipeEntry {
        var recipe = SchemaRecipe(found, in: data, file: place)
        do throws(RecipeProblem) {
            let draft = try recipe.draft()
            return .recipe(draft, recipe.place, notes: recipe.notes)
        } catch {
            return .problem(error)
        }
    }

    // MARK: Pages

    private static func page(_ bytes: [UInt8], in place: RecipePlace) -> [RecipeEntry] {
        guard bytes.count <= HTMLPage.maximumBytes else {
            return [refusal(place, "it is a page of more than \(HTMLPage.maximumBytes >> 20) MiB: it is left alone")]
        }
        let scripts = HTMLPage.scripts(ofType: "application/ld+json", in: bytes) ?? []
        var entries: [RecipeEntry] = []
        var blocks: [LinkedData.Block] = []
        for script in scripts {
            var place = place
            place.line = script.line > 0 ? script.line : nil
            do throws(JSONReader.Problem) {
                let value = try LinkedData.value(ofScript: script.text)
                switch value {
                case .object, .array: blocks.append(LinkedData.Block(value: value, line: place.line))
                case .null, .boolean, .number, .string:
                    entries.append(leftOut(place, "a block of JSON-LD holds no object and is passed over"))
                }
            } catch {
                place.line = place.line.map { $0 + error.line - 1 }
                entries.append(leftOut(place, "a block of JSON-LD can't be read and is passed over: \(error.reason)"))
            }
        }
        let data = LinkedData(blocks)
        let recipes = unrepeated(data.recipes, in: data, place)
        guard recipes.isEmpty else { return entries + recipes }
        let reason =
            scripts.isEmpty
            ? "the page has no recipe that programs can read (JSON-LD of schema.org): type it in with 'recipes add'"
            : "the page's JSON-LD has no recipe: save the page of the recipe itself"
        return entries + [refusal(place, reason)]
    }

    /// Without links to other recipes, and without what the page says twice.
    private static func unrepeated(
        _ found: [LinkedData.Found],
        in data: LinkedData,
        _ place: RecipePlace
    ) -> [RecipeEntry] {
        var seen: Set<[String]> = []
        return found.compactMap { found in
            let entry = entry(found, in: data, place)
            guard case .recipe(let draft, _, _) = entry else { return entry }
            let isLink = draft.isOnlyNamed && !SchemaRecipe.isOwn(found.node)
            // One of the two may lack an identifier.
            let content = ["", draft.name] + draft.ingredients.map(\.text)
            let isNew = seen.insert(draft.identity).inserted
            return seen.insert(content).inserted && isNew && !isLink ? entry : nil
        }
    }

    private static func leftOut(_ place: RecipePlace, _ sentence: String) -> RecipeEntry {
        .problem(RecipeProblem(.leftOut, place, sentence))
    }
}
