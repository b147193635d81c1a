import ArgumentParser
import Messages
import RecipeFiles

struct RecipesExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write recipes for other programs, or for people.",
        discussion: """
            jsonld is schema.org's Recipe, which most programs read, and 'recipes import' reads back whole, pictures too. \
            markdown is text without pictures. html is a page to look at and to print, with the JSON-LD in it.

            Without names all recipes are written. Into a folder, or with a path that ends with a slash, each goes into a \
            file of its own; files that are there are replaced.
            """,
        examples: [
            "daybook recipes export --output recipes.jsonld",
            "daybook recipes export 'Leek soup' --format html --output soup.html",
            "daybook recipes export --format markdown --output cookbook/",
        ]
    )

    @Argument(help: "Names, or ends or beginnings of ids; none for all recipes.")
    var recipes: [String] = []

    @Option(
        name: .customLong("format"),
        help: ArgumentHelp("jsonld (the default), markdown or html.", valueName: "format")
    )
    var form = ExportFormat(.jsonld)

    @Option(
        help: ArgumentHelp(
            "A file, or a folder for a file each; standard output where it is absent.",
            valueName: "path"
        )
    )
    var output: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    private var format: RecipeFormat { form.format }

    func run() async throws {
        let daybook = try Invocation(global)
        let found = recipes.isEmpty ? try await daybook.all(Recipe.self) : try await named(daybook)
        guard !found.isEmpty else {
            throw CLIError.failure("There are no recipes yet; 'daybook recipes add' makes one.")
        }
        guard let output else { return try await write(found, by: daybook, to: daybook.output) }
        if output.utf8.last == UInt8(ascii: "/") || File.isFolder(output) {
            try await writeEach(found, by: daybook, into: output)
        } else {
            try await writeFile(output, found, by: daybook)
        }
    }

    private func named(_ daybook: Invocation) async throws(CLIError) -> [Recipe] {
        var found: [Recipe] = []
        for name in recipes {
            let recipe = try await daybook.resolver.record(Recipe.self, name)
            if !found.contains(where: { $0.id == recipe.id }) { found.append(recipe) }
        }
        return found
    }

    private func writeFile(_ path: String, _ recipes: [Recipe], by daybook: Invocation) async throws(CLIError) {
        let file = try NewFile(path)
        try await write(recipes, by: daybook, to: file.output)
        try file.finish()
        StandardError.write("\(ImportSentence.plural(recipes.count, "recipe")) written to \(quoted(path))\n")
    }

    private func writeEach(_ recipes: [Recipe], by daybook: Invocation, into folder: String) async throws(CLIError) {
        let folder = folder.utf8.count > 1 && folder.utf8.last == UInt8(ascii: "/") ? String(folder.dropLast()) : folder
        try File.makeFolder(folder)
        var names = ExportFileNames(ending: format.fileEnding)
        for recipe in recipes {
            let file = try NewFile("\(folder)/\(names.next(recipe.name))")
            try await write([recipe], by: daybook, to: file.output)
            try file.finish()
        }
        StandardError.write("\(ImportSentence.plural(recipes.count, "recipe")) written into \(quoted(folder))\n")
    }

    /// Writes recipe by recipe: only one picture is in memory.
    private func write(_ recipes: [Recipe], by daybook: Invocation, to output: Output) async throws(CLIError) {
        try output.write(format.opening(recipes.map(\.name)))
        for (index, recipe) in recipes.enumerated() {
            var picture: [UInt8]?
            if format != .markdown, let digest = recipe.image?.digest {
                picture = try await daybook.blob(digest)
            }
            let export = RecipeExport(RecipeDraft(recipe, picture: picture), contentType: recipe.image?.contentType)
            try output.write(format.text(of: export, index: index, of: recipes.count))
        }
        try output.write(format.closing(recipes.count))
        try output.flush()
    }
}

/// The form that an option names.
struct ExportFormat: ExpressibleByArgument {
    var format: RecipeFormat

    init(_ format: RecipeFormat) {
        self.format = format
    }

    init?(argument: String) {
        guard let format = RecipeFormat(rawValue: argument) else { return nil }
        self.format = format
    }

    var defaultValueDescription: String { format.rawValue }

    static let allValueStrings = RecipeFormat.allCases.map(\.rawValue)
}
