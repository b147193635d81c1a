import Glibc

/// How standard output may be written: colours, and the width to fit.
struct Style: Sendable, Hashable {
    /// Whether escape sequences may be written at all.
    var usesColour: Bool
    /// The terminal's width in cells; nil where the output is no terminal and nothing is cut.
    var columns: Int?

    /// For pipes and files: no escape sequence, nothing cut.
    static let plain = Style(usesColour: false, columns: nil)

    /// The style for a descriptor.
    ///
    /// Colour needs a terminal that isn't `dumb`, and `NO_COLOR` unset or empty (no-color.org).
    static func of(descriptor: Int32, environment: [String: String]) -> Style {
        guard isatty(descriptor) == 1 else { return .plain }
        return of(terminalColumns: columns(of: descriptor), environment: environment)
    }

    static func of(terminalColumns: Int, environment: [String: String]) -> Style {
        let terminal = environment["TERM"] ?? ""
        let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return Style(usesColour: !refused && terminal != "dumb" && !terminal.isEmpty, columns: terminalColumns)
    }

    /// The text in bold, where colours are used.
    func bold(_ text: String) -> String { usesColour ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
