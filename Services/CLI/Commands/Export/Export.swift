import ArgumentParser
import Messages

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write all records of a kind into a file that daybook import reads back.",
        discussion: """
            CSV is RFC 4180 in UTF-8, or with --format json one array of objects. The same records give the same bytes. \
            Days are written as 2024-03-31, amounts with a decimal point, whatever the locale.

            In CSV an order has a line for each row, payment and billed walk, a walk one for each dog, a recipe one for \
            each ingredient and step; the record's own fields stand on each of them. In JSON they are lists within the \
            record. Running numbers and totals are not in it, for they follow; daybook orders list has them. Neither are \
            the pictures of recipes: daybook recipes export writes them, too.

            --all writes the whole business into one tar archive, to be read by 'daybook import --all' into an empty \
            installation: all records, their whole history, and the pictures. Services go on working meanwhile.

            --spreadsheet-safe keeps spreadsheets from taking texts for formulas: one that begins with =, +, -, @, TAB, CR \
            or LF, or with apostrophes before one of these, gets one more apostrophe in front. Numbers stay as they are. \
            'daybook import --spreadsheet-safe' takes the apostrophe away again, so what comes back is what was there.
            """,
        examples: [
            "daybook export customers > customers.csv",
            "daybook export orders --output orders.csv",
            "daybook export services --format json --output services.json",
            "daybook export --all business.tar",
            "daybook export customers --spreadsheet-safe --output customers.csv",
        ]
    )

    /// The forms that are read back.
    enum Format: String, Sendable, CaseIterable, ExpressibleByArgument {
        case csv
        case json
        case jsonl
    }

    @Argument(help: "What to write.")
    var noun: ExchangeNoun?

    @Option(
        help: ArgumentHelp("A tar archive of everything, history included; - for standard output.", valueName: "file"),
        completion: .file()
    )
    var all: String?

    @Option(help: "The form of the file.")
    var format = Format.csv

    @Flag(help: "For a spreadsheet: texts like =1+1 get an apostrophe in front.")
    var spreadsheetSafe = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file, instead of standard output.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    mutating func validate() throws {
        guard (noun == nil) != (all == nil) else {
            throw ValidationError("Say what to write: NOUN, or --all FILE.tar for everything.")
        }
        if all != nil, spreadsheetSafe || format != .csv || output != nil {
            throw ValidationError("--all goes with none of the options of a kind of record.")
        }
        if spreadsheetSafe, format != .csv { throw ValidationError("--spreadsheet-safe is for CSV.") }
    }

    func run() async throws {
        let daybook = try Invocation(global)
        if let all {
            let manifest = try await ArchiveExport(daybook: daybook).run(to: all)
            if all != "-" { try daybook.output.line("exported \(manifest.contents)") }
            return
        }
        guard let noun else { return }
        guard let output else { return try await write(noun, to: daybook.output, by: daybook) }
        let file = try NewFile(output)
        try await write(noun, to: file.output, by: daybook)
        try file.finish()
    }

    private func write(_ noun: ExchangeNoun, to output: Output, by daybook: Invocation) async throws(CLIError) {
        var presentation = Presentation(output: output)
        presentation.isSpreadsheetSafe = spreadsheetSafe
        presentation.format =
            switch format {
            case .csv: .csv
            case .json: .json
            case .jsonl: .jsonl
            }
        let writing = Invocation(
            configuration: daybook.configuration,
            presentation: presentation,
            sender: daybook.sender
        )
        switch noun {
        case .customers: try await writing.export(.customer)
        case .services: try await writing.export(.service)
        case .types: try await writing.export(.recipeType)
        case .recipes: try await writing.export(.recipe)
        case .orders: try await writing.export(.order)
        case .dogs: try await writing.export(.dog)
        case .walks: try await writing.export(.walk)
        }
    }
}

extension Invocation {
    /// Writes all records of a kind, page by page.
    fileprivate func export<R: Resolvable>(_ form: ExchangeForm<R>) async throws(CLIError) {
        guard presentation.format == .csv, !form.lists.isEmpty else { return try await list(form.exported) }
        var writer = try presentation.rowWriter(form.exportedLines)
        var cursor: [UInt8]?
        repeat {
            let page = try await send(List<R>(after: cursor, limit: 1000))
            for record in page.rows {
                for line in form.lines(of: record) { try writer.write(line) }
            }
            cursor = page.next
        } while cursor != nil
        try writer.finish()
    }
}
