import Client
import Messages

/// All that `daybook status` says in words. Each is a heading of deploy/RUNBOOK.md, which says what it means and what to do.
///
/// Words in capitals stand for what differs.
enum StatusSentence: String, CaseIterable, Sendable {
    // The state of a service.
    case ready = "ready"
    case stoppedFollowing = "stopped following"
    case noAnswer = "no answer"
    case refused = "refused"

    // How one service follows another.
    case live = "live"
    case catchingUp = "catching-up"
    case unreachable = "unreachable"
    case stopped = "stopped"

    // What is said below, on standard error.
    case silent = "No answer from SERVICE; 'daybook up' starts what is down."
    case refusal = "SERVICE does not tell how it is: WHY"
    case notFollowing = "SERVICE does not follow SOURCE: WHY"
    case erasing = "The files of SERVICE may hold a while longer what was erased."
    case queued = "COMMANDS queued: 'SYNC' delivers what can be."

    // Why a service did not answer.
    case didNotAnswer = "The SERVICE service did not answer at ENDPOINT within TIME."
    case wantsKey = "What answers at ENDPOINT wants a key, and none is set; or it is no service of Daybook."
    case knowsNoKeys =
        "What answers at ENDPOINT knows no keys, and would have to know 'NAME'; or it is no service of Daybook."
    case keyNotAdmitted =
        "The SERVICE service at ENDPOINT does not admit the key 'NAME': it was revoked, or never was allowed there."
    case otherKey = "The SERVICE service at ENDPOINT can't be spoken to: its key may be another than that in FILE."
    case outsideProtocol = "The SERVICE service gave an answer outside the protocol: WHY"
    case keyMissing = "There is no key file FILE: 'daybook keys new' makes keys, and those of others are copied there."
    case keyUnreadable = "The key file FILE can't be read: WHY."
    case keyMalformed = "The key file FILE can't be used: WHY."
    case keyExposed = "Others than its owner may read or change FILE: 'chmod go= FILE' first."
    case noThread = "No thread could be started for the sockets: WHY."
}

extension StatusSentence {
    init(_ state: SourceStatus.State) {
        self =
            switch state {
            case .live: .live
            case .catchingUp: .catchingUp
            case .unreachable: .unreachable
            case .stopped: .stopped
            }
    }

    /// What an error that ends the question to a service says; nil for what is the service's own sentence, and for what is
    /// wrong with the command or this machine's sockets.
    init?(_ error: ClientError) {
        switch error {
        case .unreachable: self = .didNotAnswer
        case .handshake(_, _, .noCommonGround(nil)): self = .wantsKey
        case .handshake(_, _, .noCommonGround): self = .knowsNoKeys
        case .handshake(_, _, .refused): self = .keyNotAdmitted
        case .handshake(_, _, .unfinished): self = .otherKey
        case .malformedReply: self = .outsideProtocol
        case .key(.missing): self = .keyMissing
        case .key(.unreadable): self = .keyUnreadable
        case .key(.malformed): self = .keyMalformed
        case .key(.exposed): self = .keyExposed
        case .noThread: self = .noThread
        case .refused, .unknownService, .requestTooLarge, .invalidRequest, .cancelled, .closed, .transport: return nil
        }
    }

    /// The sentence with these in place of its words in capitals, in their order.
    func text(_ values: String...) -> String {
        var values = values[...]
        return rawValue.split(separator: " ").map { word in
            guard let first = word.firstIndex(where: \.isUppercase), let last = word.lastIndex(where: \.isUppercase),
                first < last, let value = values.popFirst()
            else { return String(word) }
            return word[..<first] + value + word[last...].dropFirst()
        }.joined(separator: " ")
    }
}
