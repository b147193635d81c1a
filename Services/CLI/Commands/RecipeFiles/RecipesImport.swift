import ArgumentParser
import Glibc
import Messages
import RecipeFiles

struct RecipesImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take over recipes from files of other programs, or from saved web pages.",
        discussion: """
            Reads \(RecipeReader.kinds): a file, an archive, all recipe files of a folder and those below it, or with - \
            standard input. Nothing is fetched from the web: a picture that is not in the file is kept as its address.

            What is wrong with one recipe stops that one alone. Recipes that were imported before are known again by what \
            the file calls them, or by their content, and are left as they are here.
            """,
        examples: [
            "daybook recipes import 'My Recipes.paprikarecipes'",
            "daybook recipes import ~/Nextcloud/Recipes --dry-run",
            "curl -s https://example.org/soup | daybook recipes import -",
        ]
    )

    @Argument(help: ArgumentHelp("A file, a folder, or - for standard input.", valueName: "path"), completion: .file())
    var path: String

    @Flag(help: "Read everything, say what would be done, and store nothing.")
    var dryRun = false

    @Flag(help: "Import also what was imported before and was deleted here since.")
    var deleted = false

    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.recipeImport.selected(daybook.presentation.fields)
        if path == "-", fcntl(STDIN_FILENO, F_GETFD) < 0 {
            throw CLIError.usage("Standard input is closed: name a file.")
        }
        var run = RecipeImportRun(daybook, key: change.key, isDry: dryRun, takesDeleted: deleted)
        let reader = path == "-" ? RecipeReader(path: "/dev/stdin", named: "standard input") : RecipeReader(path: path)
        let failure = await run.take(reader)
        run.report.tell()
        try show(run.report, daybook)
        if let failure { throw failure }
    }

    private func show(_ report: RecipeImportReport, _ daybook: Invocation) throws(CLIError) {
        let presentation = daybook.presentation
        if presentation.format == .table, presentation.fields == nil, output.format == nil, !presentation.isQuiet {
            try presentation.output.line(report.sentence(isDry: dryRun))
        } else {
            let rows = presentation.isQuiet ? report.rows.filter { $0.outcome == .imported } : report.rows
            try presentation.list(rows, of: .recipeImport)
        }
        if let error = report.error { throw error }
    }
}
