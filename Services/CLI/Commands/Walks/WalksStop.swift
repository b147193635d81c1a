import ArgumentParser
import Messages

struct WalksStop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "End a walk that goes on.",
        discussion: "Without a dog or number it is the only one that goes on. Without --at it ended now; with --key, "
            + "when the key was made.",
        examples: ["daybook walks stop", "daybook walks stop Rex", "daybook walks stop 12 --at 18:40"]
    )

    @Argument(help: "A dog that is on it, or the walk's number or id.")
    var which: String?

    @OptionGroup var time: TimeOptions

    @Option(help: ArgumentHelp("Anything about it.", valueName: "text"))
    var note: String?

    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.walk.selected(daybook.presentation.fields)
        let end = try time.instant(key: change.key) ?? TimeOptions.now(key: change.key)
        var edit = RecordEdit<Walk>()
        edit.set("note", \.note, note)
        let given = edit
        let stopped = try await daybook.change(
            Put<Walk>.self,
            key: change.key,
            isSame: { try $0.end == end && given.fieldMissing(in: $0) == nil },
            perform: { () async throws(CLIError) in
                var walk = try given.applied(to: try await daybook.runningWalk(which))
                (walk.end, walk.running) = (end, nil)
                return try await daybook.send(Put(walk), key: change.key)
            }
        )
        try daybook.presentation.show(stopped, of: .walk)
    }
}

extension Invocation {
    /// The walk that goes on and is meant.
    ///
    /// - Parameter text: a dog on it, or what the walk is called; nil for the only one.
    /// - Throws: ``CLIError/usage(_:)`` where there is none, or one must be chosen.
    fileprivate func runningWalk(_ text: String?) async throws(CLIError) -> Walk {
        let running = try await send(List<Walk>(filter: .equal("running", .boolean(true)), limit: 1000)).rows
        guard let text else {
            guard let first = running.first else { throw .usage("No walk goes on; 'daybook walks start' begins one.") }
            guard running.count > 1 else { return first }
            let names = running.prefix(10).map { "\($0.dogNames) (\($0.number))" }.joined(separator: "; ")
            throw .usage("\(running.count) walks go on: say which one, by a dog or its number: \(names).")
        }
        if RunningNumber(text) != nil {
            let walk = try await resolver.record(Walk.self, text)
            guard walk.running == true else { throw .usage("Walk \(walk.number) doesn't go on: it has been stopped.") }
            return walk
        }
        if let id = Identifier(text), let walk = running.first(where: { $0.id == id }) { return walk }
        let dog = try await resolver.record(Dog.self, text)
        guard let walk = running.first(where: { $0.dogs.contains { $0.dog == dog.id } }) else {
            throw .usage("\(quoted(dog.name)) is on no walk that goes on; 'daybook walks start' begins one.")
        }
        return walk
    }
}
