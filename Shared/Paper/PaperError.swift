/// Why a page could not be drawn.
public enum PaperError: Error, Hashable, Sendable, CustomStringConvertible {
    /// cairo's own words.
    case drawing(String)

    public var description: String {
        switch self {
        case .drawing(let message): "the page could not be drawn: \(message)"
        }
    }
}
