import Glibc
import Text

/// A terminal whose lines are written anew where they stand. Control sequences are those of ECMA-48 and xterm.
struct Terminal: Sendable {
    private let descriptor: Int32

    /// Standard output, where it is one.
    static var current: Terminal? { Terminal(STDOUT_FILENO, ProcessEnvironment.variables) }

    /// nil where the descriptor is no terminal, or one that can't move its cursor (`TERM` empty or `dumb`).
    init?(_ descriptor: Int32, _ environment: [String: String]) {
        let name = environment["TERM"] ?? ""
        guard isatty(descriptor) == 1, !name.isEmpty, name != "dumb" else { return nil }
        self.descriptor = descriptor
    }

    /// In cells.
    var size: (columns: Int, lines: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Onto the alternate screen, without a cursor, lines cut at the edge.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    /// Back to what was there before.
    static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    static let clear = "\u{1B}[2J"

    /// Writes a line anew.
    ///
    /// - Parameter number: from 0.
    static func line(_ number: Int, _ text: String) -> String { "\u{1B}[\(number + 1);1H\u{1B}[2K\(text)" }

    /// The text in inverse.
    static func marked(_ text: String) -> String { "\u{1B}[7m\(text)\u{1B}[0m" }
}
