import ArgumentParser

struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the JSON Schema of a noun's JSON.",
        discussion: "The schema is of one record, as 'show' prints it; a list is an array of them. "
            + "Fields are only ever added.",
        examples: ["daybook schema customers"]
    )

    /// Every noun that is printed.
    static let nouns: [NounDeclaration] = [
        Noun.customer.declaration,
        Noun.service.declaration,
        Noun.recipe.declaration,
        Noun.recipeScale.declaration,
        Noun.recipeType.declaration,
        Noun.conversion.declaration,
        Noun.ovenSetting.declaration,
        Noun.order.declaration,
        Noun.orderRow.declaration,
        Noun.payment.declaration,
        Noun.orderNumber.declaration,
        Noun.orderSetting.declaration,
        Noun.dog.declaration,
        Noun.walk.declaration,
        Noun.hit.declaration,
        Noun.historyEntry.declaration,
        Noun.hook.declaration,
        Noun.hookFailure.declaration,
        Noun.queuedCommand.declaration,
        Noun.unpaid.declaration,
        Noun.ageing.declaration,
        Noun.statement.declaration,
        Noun.totals.declaration,
        Noun.walksReport.declaration,
        Noun.importSummary.declaration,
        Noun.recipeImport.declaration,
        Noun.status.declaration,
        Noun.projection.declaration,
        Noun.key.declaration,
        Noun.verifiedLog.declaration,
        Noun.storeCopy.declaration,
        Noun.keptCopy.declaration,
    ]

    @Argument(
        help: ArgumentHelp("One of \(nouns.map(\.plural).joined(separator: ", ")).", valueName: "noun"),
        completion: .list(nouns.map(\.plural))
    )
    var noun: String

    func run() throws {
        let names = Self.nouns.map(\.plural)
        guard let found = Self.nouns.first(where: { $0.plural == noun || $0.name == noun }) else {
            let end = Suggestion.nearest(to: noun, among: names).map { "did you mean '\($0)'?" }
            throw CLIError.usage("No noun \(quoted(noun)); " + (end ?? "there are \(names.joined(separator: ", "))."))
        }
        try CommandProcess.output.line(JSONSchema.text(found))
    }
}
