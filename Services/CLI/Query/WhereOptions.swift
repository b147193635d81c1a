import ArgumentParser
import Messages

/// The option of lists that can be asked for what a query says.
struct WhereOptions<R: Queryable>: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only those for which this is true: fields compared by =, !=, <, <=, >, >= or ~ (holds), with and, or, not. "
                + "The fields: \(R.queryFields.map(\.name).joined(separator: ", ")).",
            valueName: "query"
        ),
        completion: .list(R.queryFields.map(\.name))
    )
    var query: String?

    /// - Returns: nil where there is no query.
    /// - Throws: as ``QueryCompiler/filter(_:)``.
    func filter(by daybook: Invocation) async throws(CLIError) -> Filter? {
        guard let query else { return nil }
        return try await QueryCompiler<R>(daybook: daybook).filter(query)
    }
}

extension Filter {
    /// All of these; nil for none.
    static func all(_ filters: [Filter]) -> Filter? {
        filters.count > 1 ? .and(filters) : filters.first
    }
}
