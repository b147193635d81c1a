import ArgumentParser
import Client
import Documents
import Glibc
import Messages

struct OrdersPrint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Print orders as papers for their customers, as PDF or HTML.",
        discussion: """
            The paper has both addresses, the rows as they were entered, net, tax and gross of each rate, payments and what \
            remains. The same order gives the same file, byte by byte. An order that was printed can't be deleted any more, \
            only cancelled.

            Into a terminal nothing is printed: then it goes to a file in this folder, such as order-2024-17.pdf, which is \
            named; a pipe gets the file itself. An --output that ends with .html is HTML. Several orders go into files of \
            their own, in this folder or the one that --output names; all are looked up before the first is printed.

            Whose order it is stands in the configuration file: {"business": {"name": "Daybook Bakery", "address": ["Mill \
            Lane 3", "0182 Oslo"], "taxNumber": "...", "bank": "...", "footer": "..."}}.
            """,
        examples: [
            "daybook orders print 12",
            "daybook orders print 2024-17 --output papers/",
            "daybook orders print 12 --format html --output - > order.html",
            "daybook orders print 12 | lp",
            "daybook orders print 12 13 14 --output papers/",
        ]
    )

    @Argument(help: ArgumentHelp("Their numbers, references, ids, or the ends of their ids.", valueName: "order"))
    var which: [String]

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
    /// - Parameter isOne: whether it is the only order; several have files of their own.
    /// - Throws: ``CLIError/usage(_:)`` for PDF on a terminal, and for one file for several orders.
    func path(for order: Order, isTerminal: Bool, isOne: Bool = true) throws(CLIError) -> String? {
        let name = "order-\(order.label).\(chosenFormat.rawValue)"
        switch output {
        case nil: return isTerminal || !isOne ? name : nil
        case "-" where isOne:
            guard !isTerminal || chosenFormat == .html else { throw .pdfOnTerminal }
            return nil
        case let path?:
            guard path.hasSuffix("/") || File.isFolder(path) else {
                guard isOne else {
                    throw .usage("Several orders are several papers: --output has to be a folder, like papers/.")
                }
                return path
            }
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
        var papers: [Paper] = []
        for text in which {
            let order = try await daybook.resolver.record(Order.self, text)
            // Named twice is printed once.
            guard !papers.contains(where: { $0.order.id == order.id }) else { continue }
            let path = try path(for: order, isTerminal: isTerminal, isOne: which.count == 1)
            papers.append(Paper(order: order, customer: try await customer(of: order, by: daybook), path: path))
            // Amounts that can't be printed are found before.
            _ = try OrderPage.document(order, for: papers[papers.count - 1].customer, from: business)
        }
        for paper in papers { try await print(paper, by: daybook) }
    }

    /// What is printed, and the file for it; nil for standard output.
    private struct Paper {
        var order: Order
        var customer: Customer?
        var path: String?
    }

    private func print(_ paper: Paper, by daybook: Invocation) async throws(CLIError) {
        var presentation = daybook.presentation
        presentation.format = chosenFormat == .pdf ? .pdf : .html
        guard let path = paper.path else { return try presentation.write(try await page(of: paper, by: daybook)) }
        let file = try NewFile(path)
        presentation.output = file.output
        try presentation.write(try await page(of: paper, by: daybook))
        try file.finish()
        StandardError.write("Order \(paper.order.label) printed into \(quoted(path))\n")
    }

    /// The page of an order, which counts as printed from then on.
    private func page(of paper: Paper, by daybook: Invocation) async throws(CLIError) -> Document {
        let printed = try await daybook.send(PrintOrder(id: paper.order.id))
        return try OrderPage.document(printed, for: paper.customer, from: daybook.configuration.business)
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
