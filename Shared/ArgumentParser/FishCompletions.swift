/// A completion script for fish, which completes options itself once it knows which command they belong to.
struct FishCompletions {
    let root: CommandNode
    private let function: String

    init(_ root: CommandNode) {
        self.root = root
        function = "__" + root.name.identifier
    }

    func script() -> String {
        let tree = root.tree
        return """
            # fish completion for \(root.name)
            # Load it with: \(root.name) --generate-completion-script fish | source

            # Prints the subcommand $argv[2] of the command at $argv[1], if there is one.
            function \(function)_enter
                switch "$argv"
            \(tree.dropFirst().map(entrance).joined())        case '*'
                        return 1
                end
            end

            # Whether the command at $argv[1] has an option $argv[2] that takes a value.
            function \(function)_valued
                switch "$argv"
            \(tree.compactMap(valued).joined())        case '*'
                        return 1
                end
            end

            # Whether the words before the cursor lead to the command $argv[1], and, if $argv[2] is given, to the
            # positional argument of that number (`+` after it: or a later one). 0 stands for a subcommand's name.
            function \(function)_at
                set -l at \(quoted(root.name))
                set -l expects 0
                set -l terminated 0
                set -l positional 1
                for word in (commandline -opc)[2..]
                    if test $expects = 1
                        set expects 0
                    else if test $terminated = 1
                        set positional (math $positional + 1)
                    else if test "$word" = --
                        set terminated 1
                    else if string match -qr -- '^-[^0-9.,]' "$word"
                        \(function)_valued "$at" "$word"; and set expects 1
                    else if test $positional = 1; and set -l next (\(function)_enter "$at" "$word")
                        set at $next
                    else if test "$word" != help
                        set positional (math $positional + 1)
                    end
                end
                test "$at" = "$argv[1]"; or return 1
                switch "$argv[2]"
                    case ''
                        return 0
                    case 0
                        test $positional = 1 -a $terminated = 0
                    case '*+'
                        test $positional -ge (string trim -c + -- $argv[2])
                    case '*'
                        test $positional = $argv[2]
                end
            end

            complete -c \(root.name) -f
            \(tree.flatMap(completions).joined(separator: "\n"))
            """
    }

    private func entrance(_ node: CommandNode) -> String {
        let parent = node.path.dropLast().joined(separator: " ")
        let names = [node.path[node.path.count - 1]] + node.configuration.aliases
        let patterns = names.map { quoted("\(parent) \($0)") }.joined(separator: " ")
        return "        case \(patterns)\n            echo \(quoted(node.name))\n"
    }

    private func valued(_ node: CommandNode) -> String? {
        let names = node.valuedNames.map { quoted("\(node.name) \($0)") }
        return names.isEmpty ? nil : "        case \(names.joined(separator: " "))\n            return 0\n"
    }

    private func completions(_ node: CommandNode) -> [String] {
        var lines = node.children.map { child in
            line(node, 0, "-a \(quoted(child.path[child.path.count - 1]))", child.configuration.abstract)
        }
        if !lines.isEmpty { lines.append(line(node, 0, "-a help", "Show help for a command.")) }
        for option in node.offered {
            let value = option.takesValue ? " " + self.value(option.completion, of: "-r") : ""
            lines.append(line(node, nil, names(option.names) + value, option.help.abstract))
            if !option.inverseNames.isEmpty {
                lines.append(line(node, nil, names(option.inverseNames), option.help.abstract))
            }
        }
        if !node.versionNames.isEmpty { lines.append(line(node, nil, names(node.versionNames), "Show the version.")) }
        if !node.helpNames.isEmpty { lines.append(line(node, nil, names(node.helpNames), "Show this help.")) }
        for (index, positional) in node.positionals.enumerated() where positional.completion.source != .nothing {
            let place = "\(index + 1)" + (positional.isRepeating ? "+" : "")
            lines.append(line(node, place, value(positional.completion, of: ""), positional.help.abstract))
        }
        return lines
    }

    private func line(
        _ node: CommandNode,
        _ place: (any CustomStringConvertible)?,
        _ what: String,
        _ text: String
    )
        -> String
    {
        let arguments = [quoted(node.name)] + (place.map { [$0.description] } ?? [])
        let condition = "\(function)_at \(arguments.joined(separator: " "))"
        let description = text.isEmpty ? "" : " -d \(quoted(text))"
        return "complete -c \(root.name) -n \(quoted(condition)) \(what)\(description)"
    }

    private func names(_ names: [String]) -> String {
        names.map { $0.hasPrefix("--") ? "-l \($0.dropFirst(2))" : "-s \($0.dropFirst())" }.joined(separator: " ")
    }

    private func value(_ completion: CompletionKind, of requirement: String) -> String {
        let offer =
            switch completion.source {
            case .nothing: "-f"
            case .list(let words): "-f -a \(quoted(words.map(quoted).joined(separator: " ")))"
            case .file(let extensions) where extensions.isEmpty: "-F"
            case .file(let extensions):
                "-k -f -a \(quoted("(__fish_complete_suffix \(extensions.map { ".\($0)" }.joined(separator: " ")))"))"
            case .directory: "-f -a '(__fish_complete_directories)'"
            case .shellCommand(let command): "-f -a \(quoted("(\(command) 2>/dev/null)"))"
            }
        return requirement.isEmpty ? offer : "\(requirement) \(offer)"
    }

    /// One word of fish, where a backslash escapes within single quotes.
    private func quoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result + "'"
    }
}
