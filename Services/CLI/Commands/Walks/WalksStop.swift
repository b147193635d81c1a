import ArgumentParser
import Messages
import Text

struct WalksStop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "End a walk that goes on.",
        discussion: "Without a dog or number it is the only one that goes on. Without --at it ended now; with --key, "
            + "when the key was made. Where it is queued, name a dog, unless the walk's start is queued as well.",
        examples: ["daybook walks stop", "daybook walks stop Rex", "daybook walks stop 12 --at 18:40"]
    )

    @Argument(help: "A dog that is on it, or the walk's number or id.")
    var which: String?

    @OptionGroup var time: TimeOptions

    @Option(help: ArgumentHelp("Anything about it.", valueName: "text"))
    var note: String?

    @OptionGroup var change: ChangeOptions
    @OptionGroup var queueing: QueueOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output, queueing: queueing)
        _ = try Noun.walk.selected(daybook.presentation.fields)
        let end = try time.instant(key: change.key) ?? TimeOptions.now(key: change.key)
        let note = note.flatMap(EnteredText.optional)
        let stopped = try await daybook.change(
            StopWalk.self,
            key: change.key,
            isSame: { $0.end == end && (note == nil || $0.note == note) },
            perform: { () async throws(CLIError) in
                let request =
                    switch try await daybook.walkToStop(which) {
                    case .walk(let id): StopWalk(walk: id, end: end, note: note)
                    case .dog(let dog): StopWalk(dog: dog, end: end, note: note)
                    }
                return try await daybook.deliver(request, making: nil, key: change.key)
            }
        )
        try daybook.presentation.show(stopped, of: .walk)
    }
}

/// How a walk that goes on is named to its service.
private enum WalkToStop {
    case walk(Identifier)
    /// By its name, or its id as text.
    case dog(String)
}

extension Invocation {
    /// The walk that is meant, looked up; where commands are queued, the start that is queued, or else by a dog's name alone.
    ///
    /// - Throws: as ``runningWalk(_:)``, and ``CLIError/unanswered(_:)`` where it would have to be looked up and can't.
    fileprivate func walkToStop(_ text: String?) async throws(CLIError) -> WalkToStop {
        if let queue, let queued = try queue.startedWalk(text) { return .walk(queued) }
        do throws(CLIError) {
            return .walk(try await runningWalk(text).id)
        } catch {
            guard queue != nil, error.isUndelivered else { throw error }
            guard let text, RunningNumber(text) == nil else {
                throw .unanswered(
                    "\(error.description) So the walk can't be looked up, and nothing was queued: name a dog that is on it."
                )
            }
            return .dog(TextNormalizer.trimmedNormalized(text))
        }
    }

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

extension CommandQueue {
    /// The walk whose start is queued, and its end is not: the one that is called so, or the only one.
    ///
    /// - Throws: as ``commands()``.
    fileprivate func startedWalk(_ text: String?) throws(CLIError) -> Identifier? {
        var started: [AddWalk] = []
        for command in try commands() where command.refusal == nil {
            if let walk = command.content(AddWalk.self), walk.running == true {
                started.append(walk)
            } else if let stop = command.content(StopWalk.self) {
                started.removeAll { $0.id == stop.walk }
            }
        }
        guard let text else { return started.count == 1 ? started[0].id : nil }
        let folded = TextNormalizer.folded(text)
        return started.first { walk in
            walk.id == Identifier(text) || walk.dogs.contains { TextNormalizer.folded($0) == folded }
        }?.id
    }
}
