import ArgumentParser
import Messages
import Text

struct RecipeImagesSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Give a recipe a picture, in place of the one it has.",
        examples: [
            "daybook recipes image set 'Rye loaf' loaf.jpg",
            "daybook recipes image set 3f2a - --name loaf.jpg < photo.jpg",
        ]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var recipe: String

    @Argument(
        help: ArgumentHelp("The picture's file, or - for standard input.", valueName: "file"),
        completion: .file()
    )
    var file: String

    @Option(help: ArgumentHelp("What the picture is called, in place of the file's name.", valueName: "text"))
    var name: String?

    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.recipe.selected(daybook.presentation.fields)
        let (bytes, format) = try picture()
        // Before all of it is sent; a repetition may know the recipe by a name that it had before.
        if change.key == nil { _ = try await daybook.resolver.record(Recipe.self, recipe) }
        let digest = try await daybook.upload(bytes, called: title)
        let image = RecipeImage(name: called(format), digest: digest)
        var edit = RecordEdit<Recipe>()
        edit.set("image") { (recipe) throws(CLIError) in
            let isThere = recipe.image?.name == image.name && recipe.image?.digest == image.digest
            if !isThere { recipe.image = image }
        }
        try await daybook.edit(recipe, edit, of: .recipe, basedOn: base.basedOn, key: change.key)
    }

    /// What the file is called in an error's sentence.
    private var title: String { file == "-" ? "Standard input" : quoted(file) }

    private func picture() throws(CLIError) -> ([UInt8], PictureFormat) {
        let path = file == "-" ? "/dev/stdin" : file
        guard file == "-" || !File.isFolder(path) else { throw .usage("\(title) is a folder; give a picture's file.") }
        guard let bytes = try File.contents(path, atMost: PutBlob.maximumBytes) else {
            throw .usage("There is no file \(title).")
        }
        guard !bytes.isEmpty else { throw .failure("\(title) is empty.") }
        guard let format = PictureFormat(signature: bytes) else {
            throw .failure("\(title) is no JPEG, PNG or WebP picture; convert it to one of them.")
        }
        return (bytes, format)
    }

    private func called(_ format: PictureFormat) -> String {
        if let name { return TextNormalizer.trimmedNormalized(name) }
        guard file == "-" else {
            return TextNormalizer.trimmedNormalized(String(file.split(separator: "/").last ?? ""))
        }
        switch format {
        case .jpeg: return "picture.jpg"
        case .png: return "picture.png"
        case .webP: return "picture.webp"
        }
    }
}
