/// What the shell offers for a value.
public struct CompletionKind: Sendable {
    enum Source: Sendable, Equatable {
        case nothing
        case list([String])
        case file(extensions: [String])
        case directory
        case shellCommand(String)
    }

    var source: Source

    /// Nothing, or the listed values of the argument's type.
    public static var `default`: CompletionKind { CompletionKind(source: .nothing) }
    /// The given words.
    public static func list(_ words: [String]) -> CompletionKind { CompletionKind(source: .list(words)) }
    /// Files; only those that end in one of `extensions` (without the dot) when there are any, and folders.
    public static func file(extensions: [String] = []) -> CompletionKind {
        CompletionKind(source: .file(extensions: extensions))
    }
    /// Folders.
    public static var directory: CompletionKind { CompletionKind(source: .directory) }
    /// The lines that `command`, run by the shell at the moment of completion, prints. Its stderr is dropped.
    public static func shellCommand(_ command: String) -> CompletionKind {
        CompletionKind(source: .shellCommand(command))
    }
}

/// A shell that completions can be generated for.
public enum CompletionShell: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// GNU bash 4 and later.
    case bash
    /// zsh with `compinit`.
    case zsh
    /// fish 3 and later.
    case fish
}
