import ArgumentParser
import Messages

struct WalksEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change when a walk was, or with which dog.",
        examples: ["daybook walks edit 12 --at 'yesterday 18:05'", "daybook walks edit 3f2a --dog Rex"]
    )

    @Argument(help: "The number, or the end or beginning of the id.")
    var walk: String

    @Option(help: ArgumentHelp("The dog, which must be there.", valueName: "name"))
    var dog: String?

    @OptionGroup var time: TimeOptions
    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        var edit = RecordEdit<Walk>()
        if let dog {
            let id = try await daybook.resolver.record(Dog.self, dog).id
            edit.set("dog") { (walk) throws(CLIError) in walk.dog = id }
        }
        if let time = try time.instant(key: change.key) {
            edit.set("time") { (walk) throws(CLIError) in walk.time = time }
        }
        try await daybook.edit(walk, edit, of: .walk, basedOn: base.basedOn, key: change.key)
    }
}
