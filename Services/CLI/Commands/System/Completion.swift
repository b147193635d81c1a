import ArgumentParser

struct Completion: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the script that teaches a shell to complete this command.",
        examples: [
            "daybook completion bash > ~/.local/share/bash-completion/completions/daybook",
            "daybook completion fish > ~/.config/fish/completions/daybook.fish",
        ]
    )

    @Argument(help: "The shell.")
    var shell: Shell

    enum Shell: String, CaseIterable, ExpressibleByArgument, Sendable {
        case bash
        case zsh
        case fish

        var completionShell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    func run() throws {
        try CommandProcess.output.write(Daybook.completionScript(for: shell.completionShell))
    }
}
