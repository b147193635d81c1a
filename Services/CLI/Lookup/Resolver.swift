import Client
import Messages
import Text

/// Finds the one record that a person means.
///
/// In this order: a whole UUID; a running number (`12`, `#12`, `2024-12`); the whole name or reference, case and accents aside; the
/// end of an id, from four digits, together with the beginning of a name; the beginning of an id; the beginning of a
/// word of a name. The first step that finds something decides; if it finds several, they are listed and nothing is done.
struct Resolver: Sendable {
    let sender: any RequestSender
    /// When what is meant was called so; nil for now. An event's number is one of the log of the records' service.
    var asOf: AsOf?

    /// How many candidates an ambiguity lists.
    static let listedCandidates = 10

    /// The record that `text` means.
    ///
    /// - Throws: ``CLIError/ambiguous(noun:text:candidates:more:)``, ``CLIError/notFound(noun:text:suggestion:)``, and
    ///   what sending throws; a whole UUID that nobody has is refused by its service.
    func record<R: Resolvable>(_ type: R.Type = R.self, _ text: String) async throws(CLIError) -> R {
        let text = TextNormalizer.trimmedNormalized(text)
        guard !text.isEmpty else { throw .notFound(noun: R.singular, text: text, suggestion: nil) }
        if let id = Identifier(text) {
            guard asOf != nil else { return try await sender.send(Get<R>(id: id), to: nil, key: nil) }
            if let record = try await list(R.self, .equal("id", .id(id))).first { return record }
            throw .notFound(noun: R.singular, text: text, suggestion: nil)
        }
        if let label = RunningNumber(text), R.hasNumber {
            var filters = [Filter.equal("number", .integer(label.number))]
            if let year = label.year, R.hasNumberYear { filters.append(.equal("numberYear", .integer(Int64(year)))) }
            // Of one number in several years, none is guessed.
            let found =
                label.year == nil || R.hasNumberYear
                ? try await list(R.self, filters.count == 1 ? filters[0] : .and(filters)) : []
            if let record = try single(of: found, for: text) { return record }
        }
        let named = R.hasName ? try await list(R.self, .startsWith("name", text), sort: [SortKey("name")]) : []
        let referenced = R.hasReference ? try await list(R.self, .equal("reference", .text(text))) : []
        let folded = TextNormalizer.folded(text)
        let exact = named.filter { TextNormalizer.folded($0.resolvableName ?? "") == folded }
        if let record = try single(of: Self.union(exact, referenced), for: text) { return record }
        let digits = text.lowercased().filter { $0 != "-" }
        let range = digits.utf8.count >= 4 ? Identifier.range(prefix: digits) : nil
        let ending = range == nil ? [] : try await list(R.self, .equal("tail", .text(digits)))
        if let record = try single(of: Self.union(ending, named), for: text) { return record }
        if let range, let record = try single(of: try await beginning(R.self, range), for: text) { return record }
        let holding = R.hasName ? try await list(R.self, .contains("name", text), limit: 1000) : []
        let sought = FoldedName(text)
        let worded = holding.filter { FoldedName($0.resolvableName ?? "").hasWord(beginningLike: sought) }
        if let record = try single(of: worded, for: text) { return record }
        let suggestion = R.hasName ? try await nearestName(R.self, folded) ?? holding.first?.resolvableName : nil
        throw .notFound(noun: R.singular, text: text, suggestion: suggestion)
    }

    /// The records whose ids begin so; none where the service does not look for ids in a range.
    private func beginning<R: Resolvable>(
        _ type: R.Type,
        _ range: ClosedRange<Identifier>
    ) async throws(CLIError) -> [R] {
        do throws(CLIError) {
            return try await list(R.self, .range("id", from: .id(range.lowerBound), through: .id(range.upperBound)))
        } catch .client(.refused(_, .invalid, _)) {
            return []
        }
    }

    private func list<R: Resolvable>(
        _ type: R.Type,
        _ filter: Filter,
        sort: [SortKey]? = nil,
        limit: Int = listedCandidates + 1
    ) async throws(CLIError) -> [R] {
        try await sender.send(List<R>(filter: filter, sort: sort, limit: limit, asOf: asOf), to: nil, key: nil).rows
    }

    private static func union<R: Resolvable>(_ first: [R], _ second: [R]) -> [R] {
        first + second.filter { record in !first.contains { $0.id == record.id } }
    }

    /// The only one; nil where there is none.
    private func single<R: Resolvable>(of records: [R], for text: String) throws(CLIError) -> R? {
        guard records.count > 1 else { return records.first }
        let digits = CellText.idDigits(records.map(\.id))
        let candidates = records.prefix(Self.listedCandidates).map { record in
            let details = [record.resolvableName, record.resolvableReference] + record.distinctions
            return CLIError.Candidate(
                tail: record.id.tail(digits),
                details: details.compactMap(\.self).filter { !$0.isEmpty }
            )
        }
        let more = records.count > Self.listedCandidates
        throw .ambiguous(noun: R.plural, text: text, candidates: candidates, more: more)
    }

    /// The nearest of the names that begin with the same letter.
    private func nearestName<R: Resolvable>(_ type: R.Type, _ folded: String) async throws(CLIError) -> String? {
        guard let first = folded.first else { return nil }
        let request = List<R>(filter: .startsWith("name", String(first)), limit: 1000, asOf: asOf)
        let names = try await sender.send(request, to: nil, key: nil).rows.compactMap(\.resolvableName)
        return Suggestion.nearest(to: folded, among: names) { TextNormalizer.folded($0) }
    }
}
