#if FAILPOINTS
internal import Glibc
internal import Synchronization

/// What happens at which failpoint.
///
/// It is read from `DAYBOOK_FAILPOINTS` once, at the first failpoint: `NAME=ACTION` or `NAME=ACTION@PASS`, several with
/// commas between. The actions are:
/// - `kill`: the process ends by SIGKILL; at the first pass, or at the given one, from 1.
/// - `stop`: it stops by SIGSTOP until somebody sends SIGCONT; likewise.
/// - `sleep:MILLISECONDS`: the thread sleeps, at each pass, or at the given one alone.
///
/// Each action is told in a line on standard error before it is done.
@safe final class FailpointPlan: Sendable {
    enum Action {
        case kill
        case stop
        case sleep(milliseconds: UInt32)
    }

    struct Entry {
        var action: Action
        /// Nil for all.
        var pass: Int?
    }

    /// Nil where the environment names none. What can't be read ends the process: a test must not go on without it.
    static let ofProcess: FailpointPlan? = {
        guard let text = unsafe getenv("DAYBOOK_FAILPOINTS").map({ unsafe String(cString: $0) }), !text.isEmpty else {
            return nil
        }
        guard let plan = FailpointPlan(text) else {
            tell("DAYBOOK_FAILPOINTS can't be read: '\(text)'; write commit.before=kill@3,reply.between=sleep:200")
            _exit(2)
        }
        return plan
    }()

    private let entries: [String: Entry]
    private let passes = Mutex<[String: Int]>([:])

    /// Nil where the text can't be read.
    init?(_ text: String) {
        var entries: [String: Entry] = [:]
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, let entry = Entry(parts[1]) else { return nil }
            entries[String(parts[0])] = entry
        }
        self.entries = entries
    }

    /// What is to be done at this pass of the place, which is counted by this.
    func due(_ name: String) -> (action: Action, pass: Int)? {
        guard let entry = entries[name] else { return nil }
        let pass = passes.withLock { passes in
            passes[name, default: 0] += 1
            return passes[name, default: 0]
        }
        guard entry.pass.map({ $0 == pass }) ?? true else { return nil }
        return (entry.action, pass)
    }

    func pass(_ name: StaticString) {
        guard let (action, pass) = due(name.description) else { return }
        FailpointPlan.tell("failpoint \(name): \(action) at pass \(pass)")
        switch action {
        case .kill: raise(SIGKILL)
        case .stop: kill(getpid(), SIGSTOP)
        case .sleep(let milliseconds): usleep(milliseconds * 1000)
        }
    }

    private static func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension FailpointPlan.Entry {
    /// `kill`, `stop@2`, `sleep:200`, `sleep:200@5`.
    fileprivate init?(_ text: Substring) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first else { return nil }
        var pass: Int?
        if parts.count == 2 {
            guard let number = Int(parts[1]), number > 0 else { return nil }
            pass = number
        }
        let words = first.split(separator: ":", omittingEmptySubsequences: false)
        switch (words.first, words.count) {
        case ("kill", 1): self.init(action: .kill, pass: pass ?? 1)
        case ("stop", 1): self.init(action: .stop, pass: pass ?? 1)
        case ("sleep", 2):
            guard let milliseconds = UInt32(words[1]), milliseconds <= 600_000 else { return nil }
            self.init(action: .sleep(milliseconds: milliseconds), pass: pass)
        default: return nil
        }
    }
}
#endif
