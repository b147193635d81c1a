import Client
import Messages
import RecipeFiles
import Text

/// Stores what a ``RecipeReader`` reads, one recipe after another.
struct RecipeImportRun {
    private let daybook: Invocation
    /// What the keys of the requests are made from, where it is given.
    private let key: Identifier?
    private let isDry: Bool
    private let takesDeleted: Bool
    private(set) var report = RecipeImportReport()
    private var sent = 0
    /// What a dry run would have stored.
    private var planned: Set<Identifier> = []
    /// By their folded names; nil until they are needed.
    private var types: [String: Identifier]?

    init(_ daybook: Invocation, key: Identifier?, isDry: Bool, takesDeleted: Bool) {
        self.daybook = daybook
        self.key = key
        self.isDry = isDry
        self.takesDeleted = takesDeleted
    }

    /// Takes all that the reader gives.
    ///
    /// - Returns: why it had to stop; nil where it came to the end. What it did until then is in the report.
    mutating func take(_ reader: consuming RecipeReader) async -> CLIError? {
        var progress = ImportProgress(steps: 1)
        defer { progress.clear() }
        while let entry = reader.next() {
            progress.set(done: reader.progress.done, of: reader.progress.of)
            switch entry {
            case .problem(let problem) where problem.effect == .leftOut: report.addNote(problem.description)
            case .problem(let problem): refuse(problem.place, problem.recipe, problem.sentence)
            case .recipe(let draft, let place, let notes):
                progress.show("\(isDry ? "reading" : "storing") recipes")
                for note in notes { report.addNote(note.description) }
                do throws(CLIError) {
                    try await take(draft, place)
                } catch {
                    guard let reason = Self.reason(error) else { return stopped(by: error) }
                    refuse(place, draft.name, reason)
                }
            }
        }
        return nil
    }

    private mutating func refuse(_ place: RecipePlace, _ name: String?, _ reason: String) {
        report.add(RecipeImportRow(outcome: .refused, name: name, place: place.description, reason: reason))
    }

    /// What a service has against this one recipe; nil for what concerns all that follow as well.
    private static func reason(_ error: CLIError) -> String? {
        switch error {
        case .client(.refused(_, .invalid, let body)), .client(.refused(_, .tooLarge, let body)),
            .client(.refused(_, .conflict, let body)), .client(.refused(_, .gone, let body)):
            body.message
        case .client(.requestTooLarge): "it is too large for a record: shorten it"
        default: nil
        }
    }

    private func stopped(by error: CLIError) -> CLIError {
        let stored = report.count(.imported)
        guard stored > 0 else { return error }
        let reason = error.description
        return .failure(
            "\(ImportSentence.plural(stored, "recipe")) \(stored == 1 ? "is" : "are") stored, then: \(reason)"
                + "\(reason.hasSuffix(".") ? "" : ".") The same command goes on from there."
        )
    }

    private mutating func take(_ draft: RecipeDraft, _ place: RecipePlace) async throws(CLIError) {
        var (id, outcome) = try await state(of: draft)
        if outcome == .imported, isDry, !planned.insert(id).inserted { outcome = .present }
        if outcome == .imported, !isDry {
            let recipe = try await recipe(draft, id, place)
            _ = try await daybook.send(Put(recipe), key: nextKey())
        }
        report.add(RecipeImportRow(outcome: outcome, id: id, name: draft.name, place: place.description))
    }

    /// The id that the recipe has or gets, and what is to be done with it.
    ///
    /// An id that was deleted never comes back, so that what is imported once more has the next one.
    private func state(of draft: RecipeDraft) async throws(CLIError) -> (Identifier, RecipeImportRow.Outcome) {
        var id = draft.recipeID
        while true {
            do throws(CLIError) {
                _ = try await daybook.send(Get<Recipe>(id: id))
                return (id, .present)
            } catch .client(.refused(_, .notFound, _)) {
                return (id, .imported)
            } catch .client(.refused(_, .gone, _)) {
                guard takesDeleted else { return (id, .deleted) }
                id = .imported(Recipe.entity, id.description, "again")
            }
        }
    }

    private mutating func recipe(
        _ draft: RecipeDraft,
        _ id: Identifier,
        _ place: RecipePlace
    ) async throws(CLIError) -> Recipe {
        var recipe = draft.record(id)
        if let category = draft.category { recipe.type = try await type(named: category) }
        guard let picture = draft.picture else { return recipe }
        recipe.image = try await image(picture, of: draft, place)
        return recipe
    }

    private mutating func image(
        _ picture: RecipeDraft.Picture,
        of draft: RecipeDraft,
        _ place: RecipePlace
    ) async throws(CLIError) -> RecipeImage? {
        func leave(_ reason: String) {
            let problem = RecipeProblem(.leftOut, place, recipe: draft.name, "the picture \(reason) and is left out")
            report.addNote(problem.description)
        }
        let name = picture.name.map(TextNormalizer.oneLine) ?? draft.name
        guard let bytes = picture.bytes else {
            guard name.count <= 200 else {
                leave("has an address of more than 200 characters")
                return nil
            }
            return RecipeImage(name: name)
        }
        guard bytes.count <= PutBlob.maximumBytes else {
            leave("has more than \(PutBlob.maximumBytes >> 20) MiB")
            return nil
        }
        do throws(CLIError) {
            return RecipeImage(name: String(name.prefix(200)), digest: try await daybook.upload(bytes, called: name))
        } catch .client(.refused(_, .invalid, let body)) {
            leave("is refused (\(body.message))")
            return nil
        }
    }

    /// The type of this name, case and accents aside; made where there is none.
    private mutating func type(named name: String) async throws(CLIError) -> Identifier {
        var known = try await knownTypes()
        let folded = TextNormalizer.folded(name)
        if let id = known[folded] { return id }
        let made = try await daybook.send(Put(RecipeType(id: .made(by: nextKey()), name: name)), key: nextKey())
        known[folded] = made.id
        types = known
        return made.id
    }

    private func knownTypes() async throws(CLIError) -> [String: Identifier] {
        if let types { return types }
        var known: [String: Identifier] = [:]
        var cursor: [UInt8]?
        repeat {
            let page = try await daybook.send(List<RecipeType>(after: cursor, limit: 1000))
            for type in page.rows { known[TextNormalizer.folded(type.name)] = type.id }
            cursor = page.next
        } while cursor != nil
        return known
    }

    private mutating func nextKey() -> Identifier? {
        defer { sent += 1 }
        return .key(key, sent)
    }
}
