import Messages
import RecipeFiles
import Text

/// What became of one recipe, or of a file that can't be read.
struct RecipeImportRow: Sendable, Hashable {
    enum Outcome: String, Sendable, Hashable, CaseIterable {
        case imported
        /// It was imported before, and is left as it is.
        case present
        /// It was imported before, and deleted here since.
        case deleted
        case refused
    }

    var outcome: Outcome
    /// nil for what was refused.
    var id: Identifier?
    /// nil where there is none to be found.
    var name: String?
    var place: String
    /// Why it was refused.
    var reason: String?
}

extension Noun where Row == RecipeImportRow {
    /// What an import of recipes did, in the formats for programs.
    static let recipeImport = Noun(
        "recipe-import",
        plural: "recipe-imports",
        summary: "What became of a recipe that was to be imported.",
        fields: [
            .text("name", "Name", "The recipe's name, where it has one.") { $0.name },
            .text("outcome", "Outcome", "imported, present, deleted or refused.") { $0.outcome.rawValue },
            .id("id", "Id", "The recipe's UUID; absent where it was refused.") { $0.id },
            .text("place", "Place", "Where it stands in the files.") { $0.place },
            .text("reason", "Reason", "Why it was refused.") { $0.reason },
        ],
        // Where ids alone are printed, only what has one is.
        id: { $0.id ?? Identifier(high: 0, low: 0) }
    )
}

/// What an import did, for people.
struct RecipeImportReport: Sendable {
    /// How many problems of a kind are listed; the rest is counted.
    static let listed = 20

    private(set) var rows: [RecipeImportRow] = []
    private var notes: [String] = []
    private var noteCount = 0

    mutating func add(_ row: RecipeImportRow) { rows.append(row) }

    mutating func addNote(_ sentence: String) {
        noteCount += 1
        if notes.count < Self.listed { notes.append(sentence) }
    }

    func count(_ outcome: RecipeImportRow.Outcome) -> Int { rows.count { $0.outcome == outcome } }

    /// Says on standard error what was refused and what was left out.
    func tell() {
        var lines = notes.map { "Note: \($0)" }
        if noteCount > notes.count { lines.append("Note: and \(noteCount - notes.count) more") }
        let refused = rows.filter { $0.outcome == .refused }
        lines += refused.prefix(Self.listed).map {
            "Refused: \($0.place)\($0.name.map { ", '\($0)'" } ?? ""): \($0.reason ?? "")"
        }
        if refused.count > Self.listed { lines.append("Refused: and \(refused.count - Self.listed) more") }
        for line in lines { StandardError.write(TerminalText.escapedForTerminal(line) + "\n") }
    }

    /// `imported 4 recipes; 1 is already there; 1 was refused`
    func sentence(isDry: Bool) -> String {
        let (new, present) = (count(.imported), count(.present))
        let (deleted, refused) = (count(.deleted), count(.refused))
        var parts: [String] = []
        if new > 0 { parts.append("\(isDry ? "would import" : "imported") \(ImportSentence.plural(new, "recipe"))") }
        if present > 0 { parts.append("\(present) \(present == 1 ? "is" : "are") already there") }
        if deleted > 0 {
            parts.append(
                "\(deleted) \(deleted == 1 ? "was" : "were") deleted here since (--deleted imports them again)"
            )
        }
        if refused > 0 { parts.append("\(refused) \(refused == 1 ? "was" : "were") refused") }
        if new == 0 { parts.insert(isDry ? "nothing would be imported" : "nothing was imported", at: 0) }
        if isDry { parts.append("nothing was stored") }
        return parts.joined(separator: "; ")
    }

    /// Why the command fails although it did what it could; nil where nothing was refused.
    var error: CLIError? {
        let refused = count(.refused)
        guard refused > 0 else { return nil }
        let subject = refused == 1 ? "What was refused is named" : "The \(refused) that were refused are named"
        return .failure("\(subject) above. Once that is put right, the same command imports what is missing.")
    }
}
