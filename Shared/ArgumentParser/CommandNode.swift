/// One command of the tree with its declarations, read by reflection from a fresh instance.
struct CommandNode {
    let type: any ParsableArguments.Type
    /// The commands from the root to this one, by their proper names.
    let path: [String]
    let configuration: CommandConfiguration
    /// Holds the slots that the definitions write to.
    let instance: any ParsableArguments
    /// The command's own arguments and those of its groups.
    let own: [ArgumentDefinition]
    /// Options and flags of the groups of the commands above that this one doesn't declare itself.
    let inherited: [ArgumentDefinition]
    /// The groups found, innermost first.
    let groups: [any ArgumentGrouping]
    /// For each group type on the path, the group that owns the values.
    let leaders: [ObjectIdentifier: any ArgumentGrouping]

    init(_ type: any ParsableArguments.Type, below parent: CommandNode? = nil) {
        let command = type as? any ParsableCommand.Type
        self.type = type
        path = (parent?.path ?? []) + [command?.commandName ?? String(describing: type).kebabCased]
        configuration = command?.configuration ?? CommandConfiguration()
        instance = type.init()
        var collector = Collector(leaders: parent?.leaders ?? [:])
        collector.collect(instance, group: nil, visibility: .default)
        own = collector.definitions
        groups = collector.groups
        leaders = collector.leaders
        let taken = Set(own.flatMap(\.allNames))
        let passedOn = (parent?.inherited ?? []) + (parent?.own ?? []).filter { $0.group != nil && !$0.isPositional }
        inherited = passedOn.filter { taken.isDisjoint(with: $0.allNames) }
    }

    /// `daybook orders add`.
    var name: String { path.joined(separator: " ") }
    var positionals: [ArgumentDefinition] { own.filter(\.isPositional) }
    /// The options and flags accepted here, the command's own first.
    var named: [ArgumentDefinition] { own.filter { !$0.isPositional } + inherited }

    /// The names that ask for help, without those that the command uses for itself.
    var helpNames: [String] { builtIn(["-h", "--help"]) }
    /// The name that asks for the version, if there is one to tell.
    var versionNames: [String] { configuration.version.isEmpty ? [] : builtIn(["--version"]) }

    private func builtIn(_ names: [String]) -> [String] {
        let taken = Set(named.flatMap(\.allNames))
        return names.filter { !taken.contains($0) }
    }

    /// The type of the subcommand called `name`, properly or by an alias.
    func subcommand(named name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.commandName == name }
            ?? configuration.subcommands.first { $0.configuration.aliases.contains(name) }
    }

    /// This command or the one below it that is of `type`; types above it are all that is instantiated.
    func descendant(_ type: any ParsableCommand.Type) -> CommandNode? {
        guard let route = CommandNode.route(from: self.type, to: type) else { return nil }
        return route.reduce(self) { CommandNode($1, below: $0) }
    }

    private static func route(
        from start: any ParsableArguments.Type,
        to target: any ParsableCommand.Type
    ) -> [any ParsableCommand.Type]? {
        if start == target { return [] }
        guard let command = start as? any ParsableCommand.Type else { return nil }
        for next in command.configuration.subcommands {
            if let rest = route(from: next, to: target) { return [next] + rest }
        }
        return nil
    }
}

/// Walks the properties of an instance, and of its groups, in the order they are declared.
private struct Collector {
    var definitions: [ArgumentDefinition] = []
    var groups: [any ArgumentGrouping] = []
    var leaders: [ObjectIdentifier: any ArgumentGrouping]

    mutating func collect(_ instance: any ParsableArguments, group: String?, visibility: ArgumentVisibility) {
        for child in Mirror(reflecting: instance).children {
            if let declaration = child.value as? any ArgumentDeclaring {
                // A wrapped property `date` is stored as `_date`.
                let key = (child.label ?? "_").drop { $0 == "_" }
                for var definition in declaration.definitions(key: String(key)) {
                    definition.group = group
                    if visibility != .default { definition.help.visibility = visibility }
                    definitions.append(definition)
                }
            } else if let nested = child.value as? any ArgumentGrouping {
                let leader = leaders[nested.groupType]
                if let leader { nested.follow(leader) } else { leaders[nested.groupType] = nested }
                // The groups within a follower are its leader's, which knows them already.
                let known = groups
                let title = nested.title.isEmpty ? group ?? "" : nested.title
                let visible = visibility == .default ? nested.visibility : visibility
                collect(nested.content, group: title, visibility: visible)
                groups = (leader == nil ? groups : known) + [nested]
            }
        }
    }
}

/// What the completion scripts of all shells are made from.
extension CommandNode {
    /// This command and all that are listed below it, parents first.
    var tree: [CommandNode] {
        [self] + children.flatMap(\.tree)
    }

    /// The subcommands that are listed.
    var children: [CommandNode] {
        configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { CommandNode($0, below: self) }
    }

    /// The options and flags that are listed.
    var offered: [ArgumentDefinition] { named.filter { $0.help.visibility == .default } }

    /// The names of the options that take a value, listed or not.
    var valuedNames: [String] { named.filter(\.takesValue).flatMap(\.allNames) }
}

extension String {
    /// A part of a function's name in any shell.
    var identifier: String {
        String(map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    /// One word of bash or zsh.
    var shellQuoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
