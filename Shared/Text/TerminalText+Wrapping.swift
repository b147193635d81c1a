extension TerminalText {
    /// The text on lines of at most `cells`, broken at spaces; a longer word stands on a line of its own, whole.
    ///
    /// Escape control characters first. Never empty: empty text is one empty line.
    public static func wrapped(_ text: String, toCells cells: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var width = 0
        for word in text.unicodeScalars.split(separator: " ", omittingEmptySubsequences: true) {
            let word = String(word)
            let own = cellWidth(word)
            if !line.isEmpty, width + 1 + own > cells {
                lines.append(line)
                (line, width) = ("", 0)
            }
            if !line.isEmpty {
                line += " "
                width += 1
            }
            line += word
            width += own
        }
        return lines + [line]
    }
}
