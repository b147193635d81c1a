import CBOR
import Documents
import Text

/// `daybook-paper`, which draws documents as PDF: a document in CBOR on its standard input, the file on its output.
struct PaperProgram: Sendable {
    var path: String

    /// The one beside this program, or in `DAYBOOK_LIBEXEC`.
    static var installed: PaperProgram { PaperProgram(path: "\(Startup.executables)/daybook-paper") }

    /// Looks for the program, so that nothing is begun that can't be printed.
    ///
    /// - Throws: ``CLIError/failure(_:)``.
    func check() throws(CLIError) {
        guard File.isExecutable(path) else {
            throw .failure(
                "PDF is drawn by the program \(path), which is missing: build or install it ('deploy/up' does), "
                    + "or take --format html."
            )
        }
    }

    /// The document as a PDF file. What the program warns of goes to standard error.
    ///
    /// - Throws: ``CLIError/failure(_:)`` with the program's own sentence, ``CLIError/system(action:path:code:)``.
    func pdf(of document: Document) throws(CLIError) -> [UInt8] {
        try check()
        let input: [UInt8]
        do throws(CBORError) {
            input = try CBOREncoder().encode(document)
        } catch {
            throw .failure("The document can't be encoded: \(error)")
        }
        let outcome = try ChildProcess.run(path, input: input)
        let said = String(decoding: outcome.error, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { TerminalText.escapedForTerminal(String($0)) }
        guard outcome.ending == .status(0) else {
            throw .failure(said.isEmpty ? "\(path) \(outcome.ending)." : said.joined(separator: "\n"))
        }
        for line in said { StandardError.write("\(line)\n") }
        return outcome.output
    }
}
