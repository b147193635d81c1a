import ArgumentParser
import Client
import Messages

struct HookList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the hooks: what they run, and how far they are behind.",
        examples: ["daybook hook list"]
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.hook.selected(daybook.presentation.fields)
        let subscriber = try EventSubscriber(daybook.configuration)
        var heads: [ServiceName: EventPosition?] = [:]
        var rows: [HookSummary] = []
        for folder in HookFolder.all(home: daybook.configuration.home) {
            guard let state = try folder.state() else { continue }
            for source in state.places.keys where heads[source] == nil {
                heads[source] = .some(try? await subscriber.client.head(of: source, timeout: .seconds(2)))
            }
            rows.append(
                HookSummary(
                    name: folder.name,
                    state: state,
                    heads: heads.compactMapValues(\.self),
                    failures: try folder.failures().count,
                    process: try SupervisorLock.holder(in: folder.path, named: HookFolder.runnerLock)
                )
            )
        }
        try daybook.presentation.list(rows, of: .hook)
    }
}

/// A hook as it is listed.
struct HookSummary: Sendable {
    var name: String
    var state: HookState
    /// Where the logs end, as far as their services answer.
    var heads: [ServiceName: EventPosition]
    var failures: Int
    /// Who runs it.
    var process: Int32?

    /// How many events it has not come to; nil where a service does not answer, or its log was made anew.
    var lag: Int64? {
        var lag: Int128 = 0
        for (source, place) in state.places {
            guard let head = heads[source], place.position.epoch == nil || head.epoch == place.position.epoch else {
                return nil
            }
            lag += max(0, Int128(head.sequence) - Int128(place.sequence))
        }
        return Int64(clamping: lag)
    }
}

extension Noun where Row == HookSummary {
    static let hook = Noun(
        "hook",
        plural: "hooks",
        summary: "A program that is run at events.",
        fields: [
            .text("name", "Name", "The hook's name.") { $0.name },
            .text("position", "Position", "How far it has come in each log.") { $0.state.positions },
            .integer("lag", "Behind", "How many events it has not come to.") { $0.lag },
            .integer("failed", "Failed", "How many events it gave up.") { Int64($0.failures) },
            .integer("process", "Process", "Who runs it; none where it does not run.") { $0.process.map { Int64($0) } },
            .text("types", "Types", "Which events; all where there are none.") {
                $0.state.selection.types.isEmpty ? nil : $0.state.selection.types.joined(separator: ",")
            },
            .text("command", "Program", "What it runs.") { $0.state.command.map(shellQuoted).joined(separator: " ") },
        ]
    )
}
