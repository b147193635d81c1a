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
    /// A page for a browser, in one file.
    case html
    /// The same page on paper.
    case pdf
    /// The picture of a report.
    case svg

    /// Those that a shell and a program can read on; only these can be a setting.
    static let texts: [OutputFormat] = [.table, .json, .jsonl, .csv]
}
