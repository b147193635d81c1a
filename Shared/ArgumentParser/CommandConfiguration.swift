/// What a command is called, what its help says, and which commands lie below it.
public struct CommandConfiguration: Sendable {
    /// The name on the command line; `nil` makes one from the type's (`OrdersAdd` is `orders-add`).
    public var commandName: String?
    /// One line that says what the command does.
    public var abstract: String
    /// Replaces the generated text after `USAGE:`.
    public var usage: String?
    /// More than one line has to say. Lines are kept; longer ones are wrapped.
    public var discussion: String
    /// What `--version` prints; empty: the command has no such option.
    public var version: String
    /// Whether the parent's help and the completions list the command.
    public var shouldDisplay: Bool
    /// The commands below this one, in the order help lists them.
    public var subcommands: [any ParsableCommand.Type]
    /// The subcommand that runs when none is named.
    public var defaultSubcommand: (any ParsableCommand.Type)?
    /// Other names of the command.
    public var aliases: [String]
    /// Command lines shown under EXAMPLES, without a prompt.
    ///
    /// Our extension: swift-argument-parser has no such field (there they go into `discussion`).
    public var examples: [String]

    /// Creates a configuration; every part may be left out.
    public init(
        commandName: String? = nil,
        abstract: String = "",
        usage: String? = nil,
        discussion: String = "",
        version: String = "",
        shouldDisplay: Bool = true,
        subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil,
        aliases: [String] = [],
        examples: [String] = []
    ) {
        self.commandName = commandName
        self.abstract = abstract
        self.usage = usage
        self.discussion = discussion
        self.version = version
        self.shouldDisplay = shouldDisplay
        self.subcommands = subcommands
        self.defaultSubcommand = defaultSubcommand
        self.aliases = aliases
        self.examples = examples
    }
}

extension ParsableCommand {
    /// The name on the command line.
    static var commandName: String {
        configuration.commandName ?? String(describing: Self.self).kebabCased
    }
}
