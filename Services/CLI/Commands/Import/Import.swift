import ArgumentParser
import Messages

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take over customers, services and orders from a folder of CSV files.",
        discussion: """
            The folder holds customers.csv (id, name, city, country), services.csv (id, name, price_cents), orders.csv \
            (id, customer_id, date, made, paid) and order_rows.csv (order_id, position, service_id, sum_cents), in UTF-8.

            All files are checked before anything is stored, and each service takes its part as a whole or not at all. \
            Records are known by the files' ids, kept as references: importing the same files again changes nothing, and \
            changed files change the records. An import that was cut off is finished by the same command.
            """,
        examples: [
            "daybook import --orders-csv ~/northwind --currency USD",
            "daybook import --orders-csv ~/northwind --dry-run",
        ]
    )

    @Option(
        name: .customLong("orders-csv"),
        help: ArgumentHelp("The folder.", valueName: "folder"),
        completion: .directory
    )
    var folder: String

    @Option(help: ArgumentHelp("The currency of all amounts [DAYBOOK_CURRENCY].", valueName: "code"))
    var currency: String?

    @Flag(help: "Check everything, say what would be done, and store nothing.")
    var dryRun = false

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.importSummary.selected(daybook.presentation.fields)
        let currency = try daybook.currency(currency)
        guard File.isFolder(folder) else { throw CLIError.failure("There is no folder \(quoted(folder)).") }
        let files = try OrdersCSV.read(ImportFolder(folder), currency: currency)
        for note in files.notes { StandardError.write("Note: \(note)\n") }
        guard files.count > 0 else { throw CLIError.failure("Nothing was imported: the files have no records.") }
        try await take(files, in: currency, by: daybook)
    }

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
