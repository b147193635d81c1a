/// A completion script for zsh, built as the one for bash, with descriptions.
struct ZshCompletions {
    let root: CommandNode
    private let function: String

    init(_ root: CommandNode) {
        self.root = root
        function = "_" + root.name.identifier
    }

    func script() -> String {
        let tree = root.tree
        return """
            #compdef \(root.name)
            # Save it as \(function) in a folder of $fpath, or: source <(\(root.name) --generate-completion-script zsh)

            # Goes from the command at $at to its subcommand $1.
            \(function)_enter() {
                case "$at $1" in
            \(tree.dropFirst().map(entrance).joined())    *) return 1 ;;
                esac
            }

            # Sets what the command at $at offers.
            \(function)_describe() {
                case "$at" in
            \(tree.map(description).joined())    esac
            }

            # Offers values for the option, or the positional argument by its number, $1.
            \(function)_values() {
                case "$at $1" in
            \(tree.flatMap(values).joined())    *) return 1 ;;
                esac
            }

            \(walk)
            """
    }

    private func entrance(_ node: CommandNode) -> String {
        let parent = node.path.dropLast().joined(separator: " ")
        let names = [node.path[node.path.count - 1]] + node.configuration.aliases
        let patterns = names.map { "\(parent) \($0)".shellQuoted }.joined(separator: "|")
        return "    \(patterns)) at=\(node.name.shellQuoted) ;;\n"
    }

    private func description(_ node: CommandNode) -> String {
        var commands = node.children.map { described($0.path[$0.path.count - 1], $0.configuration.abstract) }
        if !commands.isEmpty { commands.append(described("help", "Show help for a command.")) }
        var options = node.offered.flatMap { option in option.allNames.map { described($0, option.help.abstract) } }
        options += node.versionNames.map { described($0, "Show the version.") }
        options += node.helpNames.map { described($0, "Show this help.") }
        return """
                \(node.name.shellQuoted))
                    subcommands=(\(commands.joined(separator: " ")))
                    switches=(\(options.joined(separator: " ")))
                    valued=(\(node.valuedNames.map(\.shellQuoted).joined(separator: " ")))
                    ;;

            """
    }

    /// `_describe` splits at the first colon.
    private func described(_ name: String, _ text: String) -> String {
        (text.isEmpty ? name : "\(name):\(text)").shellQuoted
    }

    private func values(_ node: CommandNode) -> [String] {
        let options = node.named.filter(\.takesValue).compactMap { option in
            action(option.completion).map { action in
                let patterns = option.allNames.map { "\(node.name) \($0)".shellQuoted }.joined(separator: "|")
                return "    \(patterns)) \(action) ;;\n"
            }
        }
        let positionals = node.positionals.enumerated().compactMap { index, positional in
            action(positional.completion).map { action in
                // The last one may repeat: then it takes every number that is not taken.
                let pattern =
                    positional.isRepeating
                    ? "\(node.name) ".shellQuoted + "[0-9]*" : "\(node.name) \(index + 1)".shellQuoted
                return "    \(pattern)) \(action) ;;\n"
            }
        }
        return options + positionals
    }

    private func action(_ completion: CompletionKind) -> String? {
        switch completion.source {
        case .nothing: nil
        case .list(let words): "compadd -- \(words.map(\.shellQuoted).joined(separator: " "))"
        case .file(let extensions):
            extensions.isEmpty ? "_files" : "_files -g " + "*.(\(extensions.joined(separator: "|")))".shellQuoted
        case .directory: "_files -/"
        case .shellCommand(let command): "compadd -- ${(f)\"$(\(command) 2>/dev/null)\"}"
        }
    }

    private var walk: String {
        """
        \(function)() {
            local at=\(root.name.shellQuoted) current="$words[CURRENT]" expects= terminated= helping= word
            local -a subcommands switches valued
            local -i index positional=1
            \(function)_describe
            for ((index = 2; index < CURRENT; index++)); do
                word="${(Q)words[index]}"
                if [[ -n $expects ]]; then
                    expects=
                elif [[ -n $terminated ]]; then
                    positional+=1
                elif [[ $word == -- ]]; then
                    terminated=1 subcommands=()
                elif [[ $word == -?* && ! $word == -[0-9.,]* ]]; then
                    (($valued[(Ie)$word])) && expects="$word"
                elif (($#subcommands)) && \(function)_enter "$word"; then
                    \(function)_describe
                elif [[ $word == help ]] && (($#subcommands)); then
                    helping=1
                else
                    positional+=1
                    subcommands=()
                fi
            done
            if [[ -n $helping ]]; then
                _describe 'command' subcommands
            elif [[ -n $expects ]]; then
                \(function)_values "$expects"
            elif [[ -z $terminated && $current == --*=* ]]; then
                compset -P '*='
                \(function)_values "${current%%=*}"
            elif [[ -z $terminated && $current == -* ]]; then
                _describe -o 'option' switches
            else
                (($#subcommands)) && _describe 'command' subcommands
                \(function)_values $positional
            fi
        }

        if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
            \(function) "$@"
        else
            compdef \(function) \(root.name)
        fi
        """
    }
}
