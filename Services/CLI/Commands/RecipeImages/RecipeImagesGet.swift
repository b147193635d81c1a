import ArgumentParser
import Glibc
import Messages

struct RecipeImagesGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Write a recipe's picture to a file, or to standard output.",
        examples: [
            "daybook recipes image get 'Rye loaf' --output loaf.jpg",
            "daybook recipes image get 'Rye loaf' --thumbnail > small.jpg",
        ]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var recipe: String

    @Flag(help: "Its thumbnail: a JPEG, or a PNG where something is transparent.")
    var thumbnail = false

    @Option(
        help: ArgumentHelp("The file to write, in place of what it holds; - is standard output.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let file = output == "-" ? nil : output
        guard file != nil || isatty(STDOUT_FILENO) == 0 else {
            throw CLIError.usage(
                "A picture is nothing for a terminal; give --output FILE, or send it into a pipe or file."
            )
        }
        if let file, File.isFolder(file) { throw CLIError.usage("\(quoted(file)) is a folder; name a file in it.") }
        let daybook = try Invocation(global)
        let bytes = try await picture(by: daybook)
        if let file { try DurableFile.write(bytes, to: file) } else { try daybook.output.write(bytes) }
    }

    private func picture(by daybook: Invocation) async throws(CLIError) -> [UInt8] {
        let recipe = try await daybook.resolver.record(Recipe.self, recipe)
        guard let image = recipe.image else {
            throw .failure(
                "The recipe \(quoted(recipe.name)) has no picture; 'daybook recipes image set' gives it one."
            )
        }
        guard let digest = thumbnail ? image.thumbnail : image.digest else {
            throw .failure(
                "The recipe \(quoted(recipe.name)) has only the name of a picture, \(quoted(image.name)); "
                    + "'daybook recipes image set' stores one."
            )
        }
        return try await daybook.blob(digest)
    }
}
