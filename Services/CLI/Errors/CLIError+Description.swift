import Client
import Glibc
import Messages
import Text
import ZeroMQ

extension CLIError: CustomStringConvertible {
    /// One sentence: what was asked, what was found, what to try. Candidates follow it, a line each.
    var description: String {
        switch self {
        case .usage(let sentence), .failure(let sentence), .unanswered(let sentence), .queued(let sentence): sentence
        case .unknownField(let name, let noun, let suggestion?, _):
            "\(noun) have no field \(quoted(name)); did you mean '\(suggestion)'?"
        case .unknownField(let name, let noun, nil, let known):
            "\(noun) have no field \(quoted(name)); they have \(known.joined(separator: ", "))."
        case .ambiguous(let noun, let text, let candidates, let more):
            Self.ambiguity(noun, text, candidates, more)
        case .notFound(let noun, let text, let suggestion?):
            "No \(noun) \(quoted(text)); did you mean \(quoted(suggestion))?"
        case .notFound(let noun, let text, nil): "No \(noun) \(quoted(text))."
        case .badConfiguration(let file, let key?, let reason):
            "\(file): \(quoted(key)) \(reason)" + (reason.hasSuffix("?") ? "" : ".")
        case .badConfiguration(let file, nil, let reason): "\(file): \(reason)."
        case .badSetting(let name, let found, let reason): "\(name) is \(quoted(found)): \(reason)."
        case .needsConfirmation(let question):
            "\(question) Nobody can be asked here: add --yes to do it. Nothing was changed."
        case .client(let error): error.sentence
        case .unwritable(let code): "Can't write the output: \(Self.reason(code))."
        case .closedPipe: ""
        case .system(let action, let path, let code): "Can't \(action) \(path): \(Self.reason(code))."
        }
    }

    /// `No space left on device`.
    static func reason(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    private static func ambiguity(_ noun: String, _ text: String, _ candidates: [Candidate], _ more: Bool) -> String {
        var lines = ["\(quoted(text)) fits \(more ? "more than " : "")\(candidates.count) \(noun):"]
        for candidate in candidates {
            let details = candidate.details.map { TerminalText.escapedForTerminal($0) }
            lines.append("  " + ([candidate.tail] + details).joined(separator: "  "))
        }
        lines.append("Give more of the name, or the digits in front.")
        return lines.joined(separator: "\n")
    }
}

extension ClientError {
    /// The sentence for a person.
    var sentence: String {
        switch self {
        case .unreachable(_, let endpoint, _) where !endpoint.isLocal:
            "\(description) Start it where it runs, or see what runs by 'daybook status'."
        case .unreachable: "\(description) Start it by 'daybook up', or see what runs by 'daybook status'."
        case .refused(_, .inUse, _): "\(description) (--force)"
        default: description
        }
    }
}

/// `text` between quotes, safe for a terminal.
func quoted(_ text: String) -> String { "'\(TerminalText.escapedForTerminal(text))'" }
