import ArgumentParser
import CSV
import Measures
import Messages

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take over records from a file, or the books from a folder of files.",
        discussion: """
            daybook import NOUN FILE takes what daybook export NOUN writes, and other files of CSV or JSON whose columns \
            are named like the fields (see daybook schema), or by --map. A record is known by its id, or where the file \
            has none by its reference, or else by its name, case and accents aside, a walk by its start; fields without a \
            column stay as they are, a blank cell empties its field. One decimal mark holds for a whole column; where it \
            can't be told, say which. Dates are written as 2024-03-31, or in the order that --dates names.

            Of orders, a line is a row, with the order's columns on each: date, customer, service, sum, … Lines of one \
            id or reference are one order; a line with neither is an order of its own, and known again by its day, its \
            customer, and the how manyth of them it is in the file.

            --orders-csv takes a folder with customers.csv (id, name, city, country), services.csv (id, name, \
            price_cents), orders.csv (id, customer_id, date, made, paid) and order_rows.csv (order_id, position, \
            service_id, sum_cents). Records are known by the files' ids, kept as references.

            --all takes what 'daybook export --all' wrote, the history and the numbers too, into an empty installation.

            Everything is checked before anything is stored, and each service takes its part as a whole or not at all. \
            Importing the same file again changes nothing. An import that was cut off is finished by the same command.
            """,
        examples: [
            "daybook import customers kunden.csv --map 'Kunde=name' --map 'Tel.=phone' --dry-run",
            "daybook import services prices.csv --decimal , --currency EUR",
            "daybook import orders orders.csv --dates dmy --add-missing",
            "daybook export customers | daybook --home copy import customers -",
            "daybook --home copy import --all business.tar",
            "daybook import --orders-csv ~/northwind --currency USD",
        ]
    )

    @Argument(help: "What is in the file.")
    var noun: ExchangeNoun?

    @Argument(help: "The file, or - for standard input.", completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "The archive of 'daybook export --all', into empty books; - for standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var all: String?

    @Option(
        name: .customLong("orders-csv"),
        help: ArgumentHelp("The folder.", valueName: "folder"),
        completion: .directory
    )
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "A column of the file and the field that it is; may be repeated.",
            valueName: "column=field"
        ),
        transform: mapping
    )
    var map: [ColumnMapping] = []

    @Option(
        help: ArgumentHelp("What stands before the decimals of amounts: , or a point.", valueName: "mark"),
        transform: decimalMark
    )
    var decimal: DecimalMark?

    @Option(help: ArgumentHelp("What parts the columns: , ; | or tab.", valueName: "mark"), transform: delimiter)
    var delimiter: CSVDelimiter?

    @Option(help: ArgumentHelp("The order of dates: dmy, mdy or ymd.", valueName: "order"))
    var dates: DateOrder?

    @Flag(help: "Make customers, services, recipes, types and dogs that are named and missing.")
    var addMissing = false

    @Flag(help: "Undo what 'daybook export --spreadsheet-safe' did to texts like =1+1.")
    var spreadsheetSafe = false

    @Option(
        help: ArgumentHelp("The currency of amounts beside which none stands [DAYBOOK_CURRENCY].", valueName: "code")
    )
    var currency: String?

    @Flag(help: "Check everything, say what would be done, and store nothing.")
    var dryRun = false

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    mutating func validate() throws {
        let isReading =
            !map.isEmpty || decimal != nil || delimiter != nil || spreadsheetSafe || dates != nil || addMissing
        guard all == nil else {
            if noun != nil || isReading || folder != nil || currency != nil || change.key != nil {
                throw ValidationError("--all goes with none of the options of other imports.")
            }
            return
        }
        guard folder == nil else {
            if noun != nil || isReading {
                throw ValidationError("--orders-csv goes with none of the options of a file.")
            }
            return
        }
        guard noun != nil, file != nil else {
            throw ValidationError("Say what to import: NOUN FILE, --orders-csv FOLDER, or --all FILE.tar.")
        }
        if change.key != nil {
            throw ValidationError("--key is for --orders-csv: importing the same file again changes nothing anyhow.")
        }
    }

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.importSummary.selected(daybook.presentation.fields)
        if let all { return try await take(archive: all, by: daybook) }
        let currency = try daybook.currency(currency)
        if let noun, let file { return try await take(noun, from: file, in: currency, by: daybook) }
        guard let folder, File.isFolder(folder) else {
            throw CLIError.failure("There is no folder \(quoted(folder ?? "")).")
        }
        let files = try OrdersCSV.read(ImportFolder(folder), currency: currency)
        for note in files.notes { StandardError.write("Note: \(note)\n") }
        guard files.count > 0 else { throw CLIError.failure("Nothing was imported: the files have no records.") }
        try await take(files, in: currency, by: daybook)
    }

    @Sendable private static func mapping(_ text: String) throws -> ColumnMapping {
        guard let mapping = ColumnMapping(text) else {
            throw ValidationError("write the file's column, =, and the field, like 'Kunde=name'")
        }
        return mapping
    }

    @Sendable private static func decimalMark(_ text: String) throws -> DecimalMark {
        guard let mark = DecimalMark(rawValue: text) else { throw ValidationError("write a comma or a point") }
        return mark
    }

    @Sendable private static func delimiter(_ text: String) throws -> CSVDelimiter {
        let marks: [String: CSVDelimiter] = [
            ",": .comma, ";": .semicolon, "|": .pipe, "tab": .tab, "\t": .tab,
        ]
        guard let delimiter = marks[text] else { throw ValidationError("write one of , ; | and tab") }
        return delimiter
    }

    // MARK: A file

    private func take(
        _ noun: ExchangeNoun,
        from file: String,
        in currency: Currency,
        by daybook: Invocation
    ) async throws(CLIError) {
        let reading = ImportReading(
            map: map,
            delimiter: delimiter,
            decimal: decimal,
            currency: currency,
            dates: dates,
            addsMissing: addMissing,
            isSpreadsheetSafe: spreadsheetSafe
        )
        let plan = try await RecordsImport(daybook: daybook, path: file, reading: reading).plan(noun)
        var run = ImportRun(plan.batches, key: nil, by: daybook)
        let planned = try await run.prepare()
        let gone = planned.reduce(Int128(plan.newCount)) { $0 - Int128($1.counts.created) }
        if gone > 0 {
            StandardError.write("Note: \(gone) that an earlier import brought were deleted since, and stay deleted.\n")
        }
        if dryRun { return try show(planned, ImportSentence.planned(planned), by: daybook) }
        try confirm(planned)
        let done = try await run.store()
        try show(done, ImportSentence.done(done), by: daybook)
    }

    // MARK: An archive

    private func take(archive path: String, by daybook: Invocation) async throws(CLIError) {
        let file = try ArchiveFile(path)
        var archive = try ArchiveImport(file.descriptor, named: file.name, by: daybook)
        let planned = try await archive.prepare()
        guard !planned.isEmpty else {
            return try show([], "nothing changed: everything of \(file.name) is already there", by: daybook)
        }
        if dryRun { return try show(planned, ImportSentence.planned(planned), by: daybook) }
        let done = try await archive.store()
        try show(done, ImportSentence.done(done), by: daybook)
    }

    // MARK: A folder

    private func take(_ files: OrdersCSV, in currency: Currency, by daybook: Invocation) async throws(CLIError) {
        var run = ImportRun(try Self.batches(files), key: change.key, by: daybook)
        let planned = try await run.prepare()
        if dryRun { return try show(planned, ImportSentence.planned(planned), by: daybook) }
        try confirm(planned)
        let done = try await run.store()
        var sentence = ImportSentence.done(done)
        if done.contains(where: { $0.entity == Order.entity && $0.counts.created == files.orders.count }) {
            sentence += " with \(ImportSentence.plural(files.rowCount, "row")), amounts in \(currency)"
        }
        try show(done, sentence, by: daybook)
    }

    /// The parts in the order in which they are stored: no order may refer to what isn't there.
    static func batches(_ files: OrdersCSV) throws(CLIError) -> [ImportBatch] {
        var catalog = ImportBatch(.catalog, of: files.batch)
        try catalog.add(files.customers)
        try catalog.add(files.services)
        var orders = ImportBatch(.orders, of: files.batch)
        try orders.add(files.orders)
        return [catalog, orders].filter { $0.count > 0 }
    }

    /// New records need no yes; changed ones do.
    private func confirm(_ planned: [ImportSummary]) throws(CLIError) {
        let changed = ImportSentence.list(planned, \.updated)
        guard !changed.isEmpty else { return }
        try Confirmation.ask("Change \(changed) to what the files say?", yes: confirmation.yes)
    }

    private func show(_ summary: [ImportSummary], _ sentence: String, by daybook: Invocation) throws(CLIError) {
        let presentation = daybook.presentation
        guard presentation.format == .table, presentation.fields == nil, output.format == nil else {
            return try presentation.list(summary, of: .importSummary)
        }
        if !presentation.isQuiet { try presentation.output.line(sentence) }
    }
}
