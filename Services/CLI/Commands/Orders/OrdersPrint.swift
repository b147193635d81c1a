import ArgumentParser
import Client
import Documents
import Glibc
import Messages

struct OrdersPrint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Print an order as a paper for its customer, as PDF or HTML.",
        discussion: """
            The paper has both addresses, the rows as they were entered, net, tax and gross of each rate, payments and what \
            remains. The same order gives the same file, byte by byte. An order that was printed can't be deleted any more, \
            only cancelled.

            Into a terminal nothing is printed: then it goes to a file in this folder, such as order-2024-17.pdf, which is \
            named; a pipe gets the file itself. An --output that ends with .html is HTML.

            Whose order it is stands in the configuration file: {"business": {"name": "Daybook Bakery", "address": ["Mill \
            Lane 3", "0182 Oslo"], "taxNumber": "...", "bank": "...", "footer": "..."}}.
            """,
        examples: [
            "daybook orders print 12",
            "daybook orders print 2024-17 --output papers/",
            "daybook orders print 12 --format html --output - > order.html",
            "daybook orders print 12 | lp",
        ]
    )

    @Argument(help: ArgumentHelp("Its number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @Option(help: "PDF where neither this nor the file's name says otherwise.")
    var format: PaperFormat?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "A file, a folder for a file of the usual name, or - for standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global)
        try await print(by: daybook, isTerminal: isatty(STDOUT_FILENO) == 1)
    }

    /// The form of the paper.
    enum PaperFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
        case pdf
        case html
    }

    /// The form that was asked for, by the option or by the file's name.
    var chosenFormat: PaperFormat {
        format ?? (output.map { $0.hasSuffix(".html") || $0.hasSuffix(".htm") } == true ? .html : .pdf)
    }

    /// The file to write; nil for standard output.
    ///
    /// - Throws: ``CLIError/usage(_:)`` for PDF on a terminal.
    func path(for order: Order, isTerminal: Bool) throws(CLIError) -> String? {
        let name = "order-\(order.label).\(chosenFormat.rawValue)"
        switch output {
        case nil: return isTerminal ? name : nil
        case "-":
            guard !isTerminal || chosenFormat == .html else { throw .pdfOnTerminal }
            return nil
        case let path?:
            guard path.hasSuffix("/") || File.isFolder(path) else { return path }
            return path.hasSuffix("/") ? path + name : "\(path)/\(name)"
        }
    }

    /// Checks everything that can fail first: only then the order counts as printed.
    func print(by daybook: Invocation, isTerminal: Bool) async throws(CLIError) {
        let business = daybook.configuration.business
        guard business.name != nil, business.address != nil else {
            throw .failure(
                "A paper says whose it is: write {\"business\": {\"name\": \"...\", \"address\": [\"...\", \"...\"]}} "
                    + "into \(daybook.configuration.file)."
            )
        }
        if chosenFormat == .pdf { try PaperProgram.installed.check() }
        let found = try await daybook.resolver.record(Order.self, which)
        let path = try path(for: found, isTerminal: isTerminal)
        let customer = try await customer(of: found, by: daybook)
        var presentation = daybook.presentation
        presentation.format = chosenFormat == .pdf ? .pdf : .html
        guard let path else {
            return try presentation.write(try await page(of: found, for: customer, by: daybook))
        }
        let file = try NewFile(path)
        presentation.output = file.output
        try presentation.write(try await page(of: found, for: customer, by: daybook))
        try file.finish()
        StandardError.write("Order \(found.label) printed into \(quoted(path))\n")
    }

    /// The page of an order, which counts as printed from then on.
    private func page(
        of order: Order,
        for customer: Customer?,
        by daybook: Invocation
    ) async throws(CLIError) -> Document {
        // Amounts that can't be printed are found before.
        _ = try OrderPage.document(order, for: customer, from: daybook.configuration.business)
        let printed = try await daybook.send(PrintOrder(id: order.id))
        return try OrderPage.document(printed, for: customer, from: daybook.configuration.business)
    }

    /// nil where the order has none, or one that was deleted.
    private func customer(of order: Order, by daybook: Invocation) async throws(CLIError) -> Customer? {
        guard let id = order.customer else { return nil }
        do throws(CLIError) {
            return try await daybook.send(Get<Customer>(id: id))
        } catch .client(.refused(_, .notFound, _)) {
            return nil
        } catch .client(.refused(_, .gone, _)) {
            return nil
        }
    }
}
