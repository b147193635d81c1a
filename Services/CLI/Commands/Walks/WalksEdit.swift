import ArgumentParser
import Messages

struct WalksEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change when a walk was, with which dogs, or what is noted of it.",
        examples: [
            "daybook walks edit 12 --at 'yesterday 18:05' --for 45min",
            "daybook walks edit 3f2a --dog Rex --dog Frieda",
            "daybook walks edit 12 --clear end",
        ]
    )

    @Argument(help: "The number, or the end or beginning of the id.")
    var walk: String

    @Option(
        name: .customLong("dog"),
        help: ArgumentHelp("Who was walked, in place of those that are noted; may be repeated.", valueName: "name")
    )
    var dogs: [String] = []

    @OptionGroup var time: TimeOptions
    @OptionGroup var length: LengthOptions

    @Option(help: ArgumentHelp("Anything about it.", valueName: "text"))
    var note: String?

    @OptionGroup var options: EditOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        var edit = RecordEdit<Walk>()
        if !dogs.isEmpty {
            var ids: [Identifier] = []
            for dog in dogs { ids.append(try await daybook.resolver.record(Dog.self, dog).id) }
            let (named, key) = (ids, change.key)
            edit.set(
                "dogs",
                { (walk) throws(CLIError) in
                    // Who stays keeps the part in the walk.
                    walk.dogs = named.enumerated().map { index, id in
                        walk.dogs.first { $0.dog == id } ?? WalkDog(id: .made(by: key, index + 1), dog: id)
                    }
                },
                isDone: { $0.dogs.map(\.dog) == named }
            )
        }
        if let start = try time.instant(key: change.key) {
            edit.set("start") { (walk) throws(CLIError) in walk.start = start }
        }
        var setEnd: RecordEdit<Walk>.Step?
        if let end = try length.end(key: change.key) {
            setEnd = { (walk) throws(CLIError) in (walk.end, walk.running) = (end(walk.start), nil) }
        }
        edit.set("end", setEnd, clear: { (walk) throws(CLIError) in walk.end = nil })
        edit.set("note", \.note, note)
        try edit.clear(options.clear)
        try await daybook.edit(walk, edit, of: .walk, basedOn: options.basedOn, key: change.key)
    }
}
