import ArgumentParser

/// Runs programs at events.
struct Hook: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run programs when something happens.",
        usage: "daybook hook <name> [<options>] -- <program> [<argument> ...]",
        subcommands: [HookRun.self, HookList.self, HookFailed.self, HookRetry.self],
        defaultSubcommand: HookRun.self
    )
}
