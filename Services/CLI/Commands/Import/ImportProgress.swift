import Glibc
import Text

/// A bar on a terminal's standard error; nothing anywhere else. It writes no escape sequence.
struct ImportProgress {
    private let isShown: Bool
    private var steps: Int
    private var done = 0
    private var width = 0

    /// - Parameter steps: how many calls of ``advance(_:)`` there will be.
    init(steps: Int, isShown: Bool = isatty(STDERR_FILENO) == 1) {
        self.steps = steps
        self.isShown = isShown
    }

    /// Shows what is being done now.
    mutating func show(_ doing: String) {
        guard isShown else { return }
        let line = Self.line(done: done, of: steps, doing)
        StandardError.write("\r" + TerminalText.padded(line, toCells: width))
        width = TerminalText.cellWidth(line)
    }

    /// Counts a step as done.
    mutating func advance() { done += 1 }

    /// Says how many steps are done, where that comes to light on the way.
    mutating func set(done: Int, of steps: Int) {
        self.done = done
        self.steps = steps
    }

    /// Takes the bar away.
    mutating func clear() {
        guard isShown, width > 0 else { return }
        StandardError.write("\r" + String(repeating: " ", count: width) + "\r")
        width = 0
    }

    /// `[##########----------]  50%  storing`
    static func line(done: Int, of steps: Int, _ doing: String) -> String {
        let share = steps > 0 ? min(done, steps) * 20 / steps : 0
        let percent = steps > 0 ? min(done, steps) * 100 / steps : 0
        let bar = String(repeating: "#", count: share) + String(repeating: "-", count: 20 - share)
        return "[\(bar)] \(TerminalText.padded("\(percent)%", toCells: 4, alignment: .trailing))  \(doing)"
    }
}
