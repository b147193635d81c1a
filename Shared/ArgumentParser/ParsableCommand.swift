/// A command: arguments, a configuration, and what to do.
public protocol ParsableCommand: ParsableArguments {
    /// Name, help texts and subcommands.
    static var configuration: CommandConfiguration { get }

    /// Does the command's work. The default asks for the command's help, which suits commands that only
    /// hold subcommands.
    mutating func run() throws
}

extension ParsableCommand {
    /// The defaults: a name made from the type's (`OrdersAdd` is `orders-add`), no texts, no subcommands.
    public static var configuration: CommandConfiguration { CommandConfiguration() }

    /// Shows the command's help.
    ///
    /// - Throws: always `CleanExit.helpRequest`.
    public mutating func run() throws {
        throw CleanExit.helpRequest(Self.self)
    }

    /// Parses `arguments` with this command as the root, and returns the (sub)command they name.
    ///
    /// Only the types on the path are instantiated.
    /// - Parameter arguments: without the program's name; `nil` reads the process's own.
    /// - Throws: `UsageError`, `CleanExit` for a request for help or the version, and what `validate()` threw.
    public static func parseAsRoot(_ arguments: [String]? = nil) throws -> any ParsableCommand {
        var parser = try Parser(root: Self.self, arguments: arguments ?? validatedArguments())
        guard let command = try parser.parse() as? any ParsableCommand else {
            preconditionFailure("every level below a command is a command")
        }
        return command
    }

    /// Parses and runs; prints what an error has to say and ends the process with its exit code.
    ///
    /// Returns when the command has run. Asynchronous commands need `AsyncParsableCommand.main(_:)` as the root.
    public static func main(_ arguments: [String]?) {
        do {
            var command = try parseAsRoot(arguments)
            do {
                try command.run()
            } catch {
                throw located(error, in: type(of: command))
            }
        } catch {
            exit(withError: error)
        }
    }

    /// Parses and runs the process's own arguments.
    public static func main() {
        main(nil)
    }

    /// The help page of `subcommand`, which may be this command itself, as it is reached from this command.
    ///
    /// - Parameter columns: the width to wrap to, 80 when `nil`; less than 40 counts as 40.
    public static func helpMessage(
        for subcommand: any ParsableCommand.Type,
        includeHidden: Bool = false,
        columns: Int? = nil
    ) -> String {
        let node = CommandNode(Self.self).descendant(subcommand) ?? CommandNode(subcommand)
        return HelpGenerator(node, includeHidden: includeHidden, columns: columns).page()
    }

    /// The script that teaches `shell` to complete this command, its subcommands, options and values.
    ///
    /// Instantiates every command of the tree. Also reached as `--generate-completion-script <shell>`.
    public static func completionScript(for shell: CompletionShell) -> String {
        let root = CommandNode(Self.self)
        return switch shell {
        case .bash: BashCompletions(root).script()
        case .zsh: ZshCompletions(root).script()
        case .fish: FishCompletions(root).script()
        }
    }

    /// Names the command in a `ValidationError` that left `run()`.
    static func located(_ error: any Error, in command: any ParsableCommand.Type) -> any Error {
        guard let error = error as? ValidationError else { return error }
        let node = CommandNode(Self.self).descendant(command) ?? CommandNode(command)
        return UsageError(.invalid(error.message), command: node.name)
    }
}
