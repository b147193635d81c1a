import Client
import Messages

/// Why the command ends without having done what was asked.
///
/// Cases carry data; ``description`` makes the one sentence that a person reads, ``exitCode`` what a script reads.
enum CLIError: Error, Sendable {
    /// The arguments can't be followed; the sentence says why.
    case usage(String)
    /// It was understood and failed; the sentence says why.
    case failure(String)
    /// No field of a noun has this name.
    case unknownField(String, noun: String, suggestion: String?, known: [String])
    /// More than one record fits; `candidates` tell them apart, a line each.
    case ambiguous(noun: String, text: String, candidates: [Candidate], more: Bool)
    /// No record fits; the nearest name, if one is near.
    case notFound(noun: String, text: String, suggestion: String?)
    /// A configuration file that can't be used; the key where it is known.
    case badConfiguration(file: String, key: String?, reason: String)
    /// An environment variable or an option with a value that can't be used.
    case badSetting(name: String, found: String, reason: String)
    /// A change that needs a yes, where nobody can be asked.
    case needsConfirmation(String)
    /// What the client reports: nobody answers, or a service refuses.
    case client(ClientError)
    /// A service does not answer; the sentence says which.
    case unanswered(String)
    /// The command was kept for later; the sentence says under which number.
    case queued(String)
    /// Standard output can't be written; the value is `errno`.
    case unwritable(Int32)
    /// Whoever read standard output has gone. Nothing is said; the exit code is 0.
    case closedPipe
    /// A system call on `path` failed.
    case system(action: String, path: String, code: Int32)

    /// `--format svg` where there is nothing to draw.
    static let noPicture = usage(
        "--format svg is the picture of a chart: reports have one, such as 'report totals'; take html or pdf here."
    )
    /// PDF that would go to a screen.
    static let pdfOnTerminal = usage("PDF is nothing for a terminal: write it to a file, by '> FILE'.")

    /// One record that fits an ambiguous name.
    struct Candidate: Sendable, Hashable {
        /// The shortest unique end of its id.
        var tail: String
        /// Its name and what tells it apart: reference, e-mail, address, date.
        var details: [String]
    }
}

/// The exit codes of `daybook`. They are interface.
enum ProcessStatus: Int32, Sendable, CaseIterable {
    /// Done.
    case success = 0
    /// Understood and failed: refused, not found, can't write.
    case failure = 1
    /// The arguments can't be followed, or fit several records.
    case usage = 2
    /// A service does not answer, or can't now.
    case unreachable = 3
    /// Somebody else changed the record meanwhile.
    case conflict = 4
    /// Not done yet: kept for 'daybook sync'.
    case queued = 5
}
