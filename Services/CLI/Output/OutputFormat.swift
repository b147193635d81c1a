import ArgumentParser

/// The forms in which records are printed.
enum OutputFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Aligned columns, or lines for people.
    case table
    /// One array, or for a single record one object, over several lines.
    case json
    /// One object on each line.
    case jsonl
    /// RFC 4180 with a heading.
    case csv
}
