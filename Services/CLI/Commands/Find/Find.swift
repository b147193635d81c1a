import ArgumentParser
import LiveList
import Messages
import Text

struct Find: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look for words in everything that is kept.",
        discussion:
            "What is found holds each of the words, or a word that begins with it, in any order, case and accents "
            + "aside: customers, services, recipes with their ingredients and steps, types, orders, dogs and walks. The "
            + "number of an order or walk finds it. No sign has a meaning of its own. Where a service is down, the others "
            + "are searched, and the exit code is 3.",
        examples: [
            "daybook find björn",
            "daybook find back door --kind orders",
            "daybook find 2024-17",
            "daybook find leek --format json",
        ]
    )

    @Argument(help: ArgumentHelp("What to look for: one or several words.", valueName: "text"))
    var text: [String]

    @Option(help: ArgumentHelp("Only in these; may be repeated.", valueName: "kind"))
    var kind: [FindKind] = []

    @Option(help: ArgumentHelp("Print at most this many of each kind.", valueName: "count"))
    var limit = 20

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    mutating func validate() throws {
        if limit < 1 { throw ValidationError("--limit is \(limit): it must be 1 or more.") }
    }

    func run() async throws {
        try await find(by: try Invocation(global, output))
    }

    func find(by daybook: Invocation) async throws(CLIError) {
        _ = try Noun.hit.selected(daybook.presentation.fields)
        let search = try Search(text.joined(separator: " "), limit: limit)
        let kinds = FindKind.allCases.filter { kind.isEmpty || kind.contains($0) }
        let results = await search.results(in: kinds, by: daybook)
        try daybook.presentation.print(results)
        let hidden = results.filter(\.hasMore).map(\.kind.rawValue)
        if !hidden.isEmpty {
            StandardError.write(
                "There are more \(hidden.joined(separator: ", ")): --limit \(limit * 10) shows more of each.\n"
            )
        }
        let failed = results.filter { $0.problem != nil }
        if results.allSatisfy(\.hits.isEmpty), failed.count < results.count {
            StandardError.write("Nothing was found for \(quoted(search.text)).\n")
        }
        if let error = Self.failure(failed) { throw error }
    }

    /// What could not be searched, and why.
    private static func failure(_ failed: [Search.Result]) -> CLIError? {
        guard !failed.isEmpty else { return nil }
        let silent = failed.filter { $0.problem?.processStatus == .unreachable }
        var sentences = ["Not searched: \(failed.map(\.kind.rawValue).joined(separator: ", "))."]
        if !silent.isEmpty {
            let services = ServiceName.all.filter { service in silent.contains { $0.kind.service == service } }
            let names = services.map(\.rawValue).joined(separator: ", ")
            sentences.append("No answer from \(names); 'daybook up' starts what is down.")
        }
        for result in failed where result.problem?.processStatus != .unreachable {
            let sentence = result.problem?.description ?? ""
            if !sentences.contains(sentence) { sentences.append(sentence) }
        }
        let sentence = sentences.joined(separator: " ")
        return silent.isEmpty ? .failure(sentence) : .unanswered(sentence)
    }
}

/// What is looked for.
struct Search: Sendable {
    /// What was found of a kind, or why it could not be searched.
    struct Result: Sendable {
        var kind: FindKind
        var hits: [Hit] = []
        /// Whether there are more than the limit.
        var hasMore = false
        var problem: CLIError?
    }

    let text: String
    let words: [String]
    let limit: Int

    /// - Throws: ``CLIError/usage(_:)`` where there is nothing to look for, or too much.
    init(_ text: String, limit: Int) throws(CLIError) {
        self.text = text
        self.limit = limit
        words = SearchWords.words(of: text)
        guard !words.isEmpty else {
            throw .usage("\(quoted(text)) has no letter or digit to look for.")
        }
        guard words.count <= ListPredicate.mostWords else {
            throw .usage("At most \(ListPredicate.mostWords) words are looked for, not \(words.count).")
        }
    }

    /// Asks for all kinds at once, the services that answer.
    func results(in kinds: [FindKind], by daybook: Invocation) async -> [Result] {
        let services = ServiceName.all.filter { service in kinds.contains { $0.service == service } }
        let states = await ServiceState.all(of: daybook, services)
        return await withTaskGroup(of: (Int, Result).self) { group in
            for (index, kind) in kinds.enumerated() {
                // What does not tell its status is not waited for: a service that only has much to do tells it.
                let state = states.first { $0.service == kind.service }
                if case .failure(let problem) = state?.answer {
                    group.addTask { (index, Result(kind: kind, problem: problem)) }
                } else {
                    group.addTask { (index, await result(in: kind, by: daybook)) }
                }
            }
            var results: [(Int, Result)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func result(in kind: FindKind, by daybook: Invocation) async -> Result {
        do throws(CLIError) {
            return switch kind {
            case .customers: try await result(Customer.self, by: daybook)
            case .services: try await result(SoldService.self, by: daybook)
            case .recipes: try await result(Recipe.self, by: daybook)
            case .types: try await result(RecipeType.self, by: daybook)
            case .orders: try await result(Order.self, by: daybook)
            case .dogs: try await result(Dog.self, by: daybook)
            case .walks: try await result(Walk.self, by: daybook)
            }
        } catch {
            return Result(kind: kind, problem: error)
        }
    }

    private func result<R: Findable>(_ type: R.Type, by daybook: Invocation) async throws(CLIError) -> Result {
        var records: [R] = []
        // The one of that number comes first, before those whose numbers only begin so.
        if R.hasNumber, let label = RunningNumber(text), label.year == nil || R.hasNumberYear {
            var filters = [Filter.equal("number", .integer(label.number))]
            if let year = label.year { filters.append(.equal("numberYear", .integer(Int64(year)))) }
            records = try await daybook.send(List<R>(filter: .all(filters), limit: min(limit, 100))).rows
        }
        let known = Set(records.map(\.id))
        var cursor: [UInt8]?
        repeat {
            let size = min(limit + known.count + 1 - records.count, List<R>.longestPage)
            let page = try await daybook.send(
                List<R>(filter: .search(nil, text), sort: R.foundSort, after: cursor, limit: max(1, size))
            )
            records += page.rows.filter { !known.contains($0.id) }
            cursor = page.next
        } while cursor != nil && records.count <= limit
        return Result(
            kind: R.kind,
            hits: records.prefix(limit).map { Hit($0, words: words) },
            hasMore: records.count > limit
        )
    }
}

extension Presentation {
    /// Prints what was found: for people under a heading for each kind.
    fileprivate func print(_ results: [Search.Result]) throws(CLIError) {
        var noun = Noun.hit
        var lines: [Hit.Key: String] = [:]
        var headings: [FindKind: String] = [:]
        for result in results {
            let title = result.kind.rawValue.prefix(1).uppercased() + result.kind.rawValue.dropFirst()
            headings[result.kind] = "\(title) (\(result.hasMore ? "the first " : "")\(result.hits.count))"
            let digits = CellText.idDigits(result.hits.map(\.id))
            let rows = result.hits.map { $0.cells(idDigits: digits) }
            let columns = TableColumns(
                Hit.columns,
                rows: rows,
                limit: output.style.columns.map { $0 - 2 },
                withHeading: false,
                cells: cells
            )
            for (hit, row) in zip(result.hits, rows) { lines[hit.key] = "  " + columns.line(row) }
        }
        let (texts, titles) = (lines, headings)
        noun.lines = Lines(section: { titles[$0.kind] }, line: { texts[$0.key] ?? "" })
        try list(results.flatMap(\.hits), of: noun)
    }
}
