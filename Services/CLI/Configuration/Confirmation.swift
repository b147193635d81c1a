import ArgumentParser
import Glibc

/// Asks before something is lost.
enum Confirmation {
    /// Returns when the answer is yes; anything but `y` or `yes` is a no.
    ///
    ///     try Confirmation.ask("Delete the customer Ann Berg?", yes: yes)
    ///
    /// - Parameters:
    ///   - question: one sentence, safe for a terminal.
    ///   - yes: whether `--yes` was given; then nothing is asked.
    /// - Throws: ``CLIError/needsConfirmation(_:)`` where standard input or error is no terminal, and
    ///   ``CLIError/failure(_:)`` for a no.
    static func ask(_ question: String, yes: Bool) throws(CLIError) {
        if yes { return }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { throw .needsConfirmation(question) }
        StandardError.write("\(question) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        guard answer == "y" || answer == "yes" else { throw .failure("Nothing was changed.") }
    }
}

/// The option of commands that delete.
struct ConfirmationOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Don't ask.")
    var yes = false
}
