/// A completion script for bash.
///
/// One function follows the words up to the cursor, as the parser does; three generated `case` tables tell it
/// about the commands.
struct BashCompletions {
    let root: CommandNode
    private let function: String

    init(_ root: CommandNode) {
        self.root = root
        function = "_" + root.name.identifier
    }

    func script() -> String {
        let tree = root.tree
        return """
            # bash completion for \(root.name)
            # Load it with: source <(\(root.name) --generate-completion-script bash)

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
            \(tree.flatMap(values).joined())    *) return 0 ;;
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
        let commands = node.children.map { $0.path[$0.path.count - 1] }
        let options = node.offered.flatMap(\.allNames) + node.versionNames + node.helpNames
        return """
                \(node.name.shellQuoted))
                    subcommands=\(spaced(commands + (commands.isEmpty ? [] : ["help"])))
                    switches=\(spaced(options))
                    valued=\(spaced(node.valuedNames))
                    ;;

            """
    }

    private func spaced(_ words: [String]) -> String {
        " \(words.joined(separator: " ")) ".shellQuoted
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
        case .list(let words):
            "\(function)_reply < <(printf '%s\\n' \(words.map(\.shellQuoted).joined(separator: " ")))"
        case .file(let extensions): "\(function)_files \(extensions.map(\.shellQuoted).joined(separator: " "))"
        case .directory: "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
        case .shellCommand(let command): "\(function)_reply < <(\(command) 2>/dev/null)"
        }
    }

    private var walk: String {
        """
        # Offers the lines of stdin that begin with the word at the cursor.
        \(function)_reply() {
            local line
            while IFS= read -r line; do
                [[ -n $line && $line == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$line")")
            done
            return 0
        }

        # Offers files that end in one of the given extensions, or all, and folders.
        \(function)_files() {
            local line extension
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do
                if [[ $# -eq 0 || -d $line ]]; then
                    COMPREPLY+=("$line")
                else
                    for extension in "$@"; do
                        [[ $line == *."$extension" ]] && COMPREPLY+=("$line")
                    done
                fi
            done < <(compgen -f -- "$current")
            return 0
        }

        \(function)() {
            local at=\(root.name.shellQuoted) current="${COMP_WORDS[COMP_CWORD]}" expects= terminated= helping=
            local subcommands switches valued word index positional=1
            COMPREPLY=()
            # bash makes a word of the equals sign in --name=value.
            [[ $current == "=" ]] && current=
            \(function)_describe
            for ((index = 1; index < COMP_CWORD; index++)); do
                word="${COMP_WORDS[index]}"
                if [[ $word == "=" ]]; then
                    continue
                elif [[ -n $expects ]]; then
                    expects=
                elif [[ -n $terminated ]]; then
                    positional=$((positional + 1))
                elif [[ $word == -- ]]; then
                    terminated=1 subcommands=
                elif [[ $word == -?* && ! $word == -[0-9.,]* ]]; then
                    [[ $valued == *" $word "* ]] && expects="$word"
                elif [[ -n $subcommands ]] && \(function)_enter "$word"; then
                    \(function)_describe
                elif [[ $word == help && $subcommands == *" help "* ]]; then
                    helping=1
                else
                    positional=$((positional + 1)) subcommands=
                fi
            done
            if [[ -n $helping ]]; then
                \(function)_reply < <(printf '%s\\n' ${subcommands/ help / })
            elif [[ -n $expects ]]; then
                \(function)_values "$expects"
            elif [[ $current == -* && -z $terminated ]]; then
                \(function)_reply < <(printf '%s\\n' $switches)
            else
                \(function)_reply < <(printf '%s\\n' $subcommands)
                \(function)_values "$positional"
            fi
        }

        complete -F \(function) \(root.name)
        """
    }
}
