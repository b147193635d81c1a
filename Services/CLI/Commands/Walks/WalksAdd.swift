import ArgumentParser
import Messages

struct WalksAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Log a walk.",
        discussion: "A dog that isn't there yet is made, and said so. Without --at the walk was now; with --key, "
            + "when the key was made.",
        examples: ["daybook walks add Rex", "daybook walks add Rex --at 'yesterday 18:05'"]
    )

    @Argument(help: "The dog's name, or its UUID.")
    var dog: String

    @OptionGroup var time: TimeOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.walk.selected(daybook.presentation.fields)
        let time = try time.instant(key: change.key) ?? TimeOptions.now(key: change.key)
        let id = Identifier.made(by: change.key)
        let walk: Walk
        if let dog = Identifier(dog) {
            walk = try await daybook.send(Put(Walk(id: id, dog: dog, time: time)), key: change.key)
        } else {
            let reply = try await daybook.send(AddWalk(id: id, dogName: dog, time: time), key: change.key)
            if let notice = Self.notice(of: reply) { StandardError.write("\(notice)\n") }
            walk = reply.walk
        }
        try daybook.presentation.show(walk, of: .walk)
    }

    /// `Made the dog 'Rxe'. Did you mean 'Rex'?`; nil where the dog was there.
    static func notice(of reply: AddWalk.Reply) -> String? {
        guard reply.dogCreated else { return nil }
        let made = "Made the dog \(quoted(reply.walk.dogName ?? ""))."
        let near = reply.near.map(quoted)
        guard let last = near.last else { return made }
        let names = near.count > 1 ? near.dropLast().joined(separator: ", ") + " or " + last : last
        return "\(made) Did you mean \(names)?"
    }
}
