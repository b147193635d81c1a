/// Arguments that the program can't follow. The exit code is 2.
public struct UsageError: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Problem: Sendable, Hashable {
        /// No subcommand has this name; `suggestion` is the nearest one.
        case unknownCommand(String, suggestion: String?)
        /// No option has this name; `suggestion` is the nearest one.
        case unknownOption(String, suggestion: String?)
        /// More arguments than the command takes, which is `limit`.
        case unexpectedArgument(String, limit: Int)
        /// An option without its value; `next` is what stands there instead.
        case missingValue(option: String, placeholder: String, next: String?)
        /// A flag with a value, as it was written.
        case unexpectedValue(flag: String, found: String)
        /// A single-valued option with two values.
        case repeatedOption(String, first: String, second: String)
        /// Two flags of which one at most may be given.
        case conflictingFlags(String, String)
        /// What is required and absent, each quoted: `'<customer>'`, `'--date <date>'`, `'--add' or '--multiply'`.
        case missingArguments([String])
        /// A value that its argument refused, and why, if that is known.
        case invalidValue(String, argument: String, reason: String?)
        /// A sentence from `ValidationError`.
        case invalid(String)
        /// An argument of the process, counted from 1, that is not UTF-8, with `\xNN` for what is not.
        case notUTF8(position: Int, shown: String)
    }

    /// What is wrong.
    public var problem: Problem
    /// The command it was given to: `daybook orders add`.
    public var command: String

    init(_ problem: Problem, command: String) {
        self.problem = problem
        self.command = command
    }
}

extension UsageError: CustomStringConvertible {
    /// One sentence that names the argument, what was found, and what to try.
    public var description: String {
        switch problem {
        case .unknownCommand(let found, let suggestion):
            return "'\(command)' has no command \(quoted(found))" + ending(suggestion)
        case .unknownOption(let found, let suggestion):
            return "'\(command)' has no option \(quoted(found))" + ending(suggestion)
        case .unexpectedArgument(let found, let limit):
            let takes =
                switch limit {
                case 0: "takes no arguments."
                case 1: "takes one argument; a value with spaces needs quotes."
                default: "takes \(limit) arguments; a value with spaces needs quotes."
                }
            return "Unexpected argument \(quoted(found)): '\(command)' \(takes)"
        case .missingValue(let option, let placeholder, nil):
            return "Option '\(option)' needs a value \(placeholder)."
        case .missingValue(let option, let placeholder, let next?):
            let joined = quoted(option + (option.hasPrefix("--") ? "=" : "") + next)
            return "Option '\(option)' needs a value \(placeholder), but \(quoted(next)) follows; "
                + "write \(joined) if that is the value."
        case .unexpectedValue(let flag, let found):
            return "Option '\(flag)' takes no value, but \(quoted(found)) was given; write '\(flag)' alone."
        case .repeatedOption(let option, let first, let second):
            return "Option '\(option)' was given twice, with \(quoted(first)) and \(quoted(second)); give it once."
        case .conflictingFlags(let first, let second):
            return "Options '\(first)' and '\(second)' exclude each other; give one of them."
        case .missingArguments(let missing):
            return "Missing " + missing.joined(by: "and") + "."
        case .invalidValue(let found, let argument, let reason):
            guard let reason else { return "Invalid value \(quoted(found)) for '\(argument)'." }
            let period = reason.hasSuffix(".") || reason.hasSuffix("?") ? "" : "."
            return "Invalid value \(quoted(found)) for '\(argument)': \(reason)\(period)"
        case .invalid(let message):
            return message
        case .notUTF8(let position, let shown):
            return "Argument \(position) is not valid UTF-8: '\(shown)'."
        }
    }

    private func ending(_ suggestion: String?) -> String {
        suggestion.map { "; did you mean '\($0)'?" } ?? "."
    }
}

/// `text` between quotes, with control characters escaped so that a message stays one line.
func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: result += scalar.escaped(asASCII: true)
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "'"
}

extension [String] {
    /// `a`, `a or b`, `a, b or c`.
    func joined(by conjunction: String) -> String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
