/// Walks the arguments once, from left to right, going down the tree of commands as it meets their names.
struct Parser {
    var levels: [Level]
    let arguments: [String]
    var index = 0
    var isTerminated = false
    var isHelpRequested = false

    /// A command on the path and how far its positional arguments are filled.
    struct Level {
        let node: CommandNode
        let named: [String: ArgumentDefinition]
        let positionals: [ArgumentDefinition]
        var filled = 0
        var takesSubcommand: Bool
        /// Whether the command was not named but is its parent's default.
        let isDefault: Bool

        init(_ node: CommandNode, isDefault: Bool = false) {
            self.node = node
            self.isDefault = isDefault
            var named: [String: ArgumentDefinition] = [:]
            for definition in node.named {
                for name in definition.allNames where named[name] == nil { named[name] = definition }
            }
            self.named = named
            positionals = node.positionals
            takesSubcommand = !node.configuration.subcommands.isEmpty
        }
    }

    init(root: any ParsableArguments.Type, arguments: [String]) {
        levels = [Level(CommandNode(root))]
        self.arguments = arguments
    }

    var level: Level { levels[levels.count - 1] }
    var node: CommandNode { level.node }

    /// Reads all arguments and returns the command they name, its values filled in.
    mutating func parse() throws -> any ParsableArguments {
        do {
            while index < arguments.count { try readNext() }
            if isHelpRequested { throw helpRequest }
            if let type = node.configuration.defaultSubcommand, level.takesSubcommand { enter(type, isDefault: true) }
            try checkRequired()
        } catch let error as UsageError {
            // Who asks for help gets it, unless it is not clear for which command.
            if case .unknownCommand = error.problem { throw error }
            guard isHelpRequested || asksForHelp(arguments[index...]) else { throw error }
            throw helpRequest
        }
        return try validated()
    }

    private mutating func readNext() throws {
        let argument = arguments[index]
        index += 1
        if isTerminated {
            try readWord(argument)
        } else if argument == "--" {
            isTerminated = true
        } else if !looksLikeOption(argument) {
            try readWord(argument)
        } else if argument.utf8.starts(with: "--".utf8) {
            try readLong(argument)
        } else {
            try readShort(argument)
        }
    }

    // MARK: Words

    private mutating func readWord(_ word: String) throws {
        if level.takesSubcommand, !isTerminated {
            if let type = node.subcommand(named: word) { return enter(type) }
            if word == "help" { return try readHelp() }
        }
        if levels[levels.count - 1].takesSubcommand {
            if let type = node.configuration.defaultSubcommand {
                enter(type, isDefault: true)
            } else if level.positionals.isEmpty, !isTerminated {
                throw unknownCommand(word, at: node)
            }
            levels[levels.count - 1].takesSubcommand = false
        }
        try readPositional(word)
    }

    mutating func enter(_ type: any ParsableCommand.Type, isDefault: Bool = false) {
        levels[levels.count - 1].takesSubcommand = false
        levels.append(Level(CommandNode(type, below: node), isDefault: isDefault))
    }

    /// `daybook help orders add`.
    private mutating func readHelp() throws {
        for word in arguments[index...] where !word.utf8.starts(with: "-".utf8) {
            guard let type = node.subcommand(named: word) else { throw unknownCommand(word, at: node) }
            enter(type)
        }
        throw helpRequest
    }

    mutating func readPositional(_ word: String) throws {
        let positionals = level.positionals
        var place = level.filled
        if isTerminated, let after = positionals.firstIndex(where: { $0.form == .positional(.postTerminator) }) {
            place = after
        } else {
            while place < positionals.count, positionals[place].form == .positional(.postTerminator) { place += 1 }
        }
        guard place < positionals.count else {
            if level.isDefault, level.filled == 0 { throw unknownCommand(word, at: levels[levels.count - 2].node) }
            let limit = positionals.count { $0.form != .positional(.postTerminator) }
            throw failure(.unexpectedArgument(word, limit: limit))
        }
        let definition = positionals[place]
        try accept(word, for: definition, as: definition.placeholder)
        if definition.form == .positional(.captureForPassthrough) {
            for rest in arguments[index...] { try accept(rest, for: definition, as: definition.placeholder) }
            index = arguments.count
        }
        if !definition.isRepeating { levels[levels.count - 1].filled = place + 1 }
    }

    // MARK: The end

    private func checkRequired() throws {
        for level in levels {
            var missing: [String] = []
            var seen: Set<ObjectIdentifier> = []
            for definition in level.node.own where definition.isRequired && definition.occurrences.given.isEmpty {
                guard seen.insert(ObjectIdentifier(definition.occurrences)).inserted else { continue }
                let choices = level.node.own.filter { $0.occurrences === definition.occurrences }
                    .flatMap { $0.takesValue ? [$0.spelled] : $0.allNames.filter { $0.hasPrefix("--") } }
                missing.append(choices.map { "'\($0)'" }.joined(by: "or"))
            }
            if !missing.isEmpty { throw UsageError(.missingArguments(missing), command: level.node.name) }
        }
    }

    /// Runs `validate()` of groups, then of their command, from the root down.
    private func validated() throws -> any ParsableArguments {
        var result = node.instance
        for level in levels {
            do {
                for group in level.node.groups {
                    if let leader = level.node.leaders[group.groupType], leader.identity != group.identity {
                        group.follow(leader)
                    } else {
                        try group.validate()
                    }
                }
                result = level.node.instance
                try result.validate()
            } catch let error as ValidationError {
                throw UsageError(.invalid(error.message), command: level.node.name)
            }
        }
        return result
    }

    func failure(_ problem: UsageError.Problem) -> UsageError {
        UsageError(problem, command: node.name)
    }

    private func unknownCommand(_ word: String, at node: CommandNode) -> UsageError {
        let known = node.configuration.subcommands.filter { $0.configuration.shouldDisplay }
            .flatMap { [$0.commandName] + $0.configuration.aliases }
        return UsageError(.unknownCommand(word, suggestion: suggestion(for: word, among: known)), command: node.name)
    }

    private var helpRequest: CleanExit {
        .message(HelpGenerator(node).page())
    }

    private func asksForHelp(_ rest: ArraySlice<String>) -> Bool {
        let names = node.helpNames
        return rest.prefix { $0 != "--" }.contains { names.contains($0) }
    }
}
