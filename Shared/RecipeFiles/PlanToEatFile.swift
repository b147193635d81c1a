internal import CSV

/// A CSV file as Plan to Eat exports it: a recipe in each row, its ingredients and directions by lines.
enum PlanToEatFile {
    /// Whether the first line has the columns that a recipe needs.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        var reader = CSVRowReader(delimiter: CSVDelimiter.detect(in: bytes) ?? .comma, limits: limits)
        reader.append(Array(bytes.prefix(1 << 16)))
        // Only the header is wanted; what is wrong behind it is told when the rows are read.
        _ = try? reader.next()
        guard let header = reader.header else { return false }
        return ["Title", "Ingredients", "Directions"].allSatisfy { header.index(of: $0) != nil }
    }

    private static let limits = CSVLimits(fieldBytes: 1 << 22, recordBytes: 1 << 24)

    static func entries(_ bytes: [UInt8], in place: RecipePlace) -> [RecipeEntry] {
        var reader = CSVRowReader(delimiter: CSVDelimiter.detect(in: bytes) ?? .comma, limits: limits)
        reader.append(bytes)
        reader.finish()
        var entries: [RecipeEntry] = []
        while true {
            do throws(CSVError) {
                guard let row = try reader.next() else { return entries }
                entries.append(entry(row, in: place))
            } catch {
                entries.append(.problem(RecipeProblem(.refused, place, Self.sentence(error))))
                // A row of another length is one recipe; after any other the rest can't be told apart.
                guard case .ragged = error else { return entries }
            }
        }
    }

    private static func sentence(_ error: CSVError) -> String {
        let text = error.description
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private static func entry(_ row: CSVRow, in place: RecipePlace) -> RecipeEntry {
        func text(_ column: String) -> String { row[column] ?? "" }
        func line(_ column: String) -> String? { DraftText.line(text(column)) }
        var place = place
        place.line = row.line
        guard let name = line("Title") else {
            return .problem(RecipeProblem(.refused, place, "the recipe has no name: give it one in the column Title"))
        }
        var draft = RecipeDraft(name: name)
        draft.overview = DraftText.paragraphs(text("Description"))
        draft.category = line("Course")
        draft.source = line("Url") ?? line("Source")
        draft.yields = [line("Yield"), line("Servings")].compactMap(\.self)
        draft.prepTime = time(line("Prep Time"))
        draft.cookTime = time(line("Cook Time"))
        draft.totalTime = time(line("Total Time"))
        draft.ingredients = DraftText.lines(text("Ingredients")).compactMap(ingredient)
        draft.steps = StepList.lines(of: text("Directions"))
        draft.picture = line("Photo Url").map { RecipeDraft.Picture(name: $0) }
        return .recipe(draft, place, notes: [])
    }

    /// Whole numbers are minutes.
    private static func time(_ text: String?) -> String? {
        guard let text else { return nil }
        return text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? "\(text) min" : text
    }

    /// `2 cups Flour, sifted`; amount and unit of a heading are empty, so that it begins with the comma: `, For the glaze`.
    private static func ingredient(_ text: String) -> RecipeDraft.Line? {
        guard text.hasPrefix(",") else { return DraftText.line(text).map { RecipeDraft.Line($0) } }
        return DraftText.line(String(text.dropFirst())).map { RecipeDraft.Line($0, isHeading: true) }
    }
}
