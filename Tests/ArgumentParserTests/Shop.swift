import ArgumentParser

/// The command tree that the tests of parsing, help and completions share.
struct Shop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop",
        abstract: "Keep the books.",
        version: "1.2.3",
        subcommands: [Customers.self, Orders.self, Run.self, Secret.self]
    )

    @OptionGroup(title: "Global options") var global: Global
}

enum Format: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
    case csv
}

struct Global: ParsableArguments {
    @Option(name: .shortAndLong, help: "How to print.") var format: Format = .table
    @Flag(name: .shortAndLong, help: "Say more.") var verbose = false

    mutating func validate() throws {
        if verbose && format == .csv { throw ValidationError("CSV has no room for '--verbose'.") }
    }
}

struct Customers: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The customers.",
        subcommands: [CustomersList.self],
        defaultSubcommand: CustomersList.self
    )
}

struct CustomersList: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List customers.")

    @Option(name: .shortAndLong, help: "At most so many.") var limit: Int?
}

struct Orders: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The orders.",
        subcommands: [OrdersAdd.self, OrdersList.self],
        aliases: ["order"]
    )
}

struct OrdersAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an order.",
        discussion: "The order is saved with all its rows, or not at all.",
        aliases: ["new"],
        examples: ["shop orders add Ann --date 2026-11-30", "shop orders add 'Ann Smith' --sum -5.00"]
    )

    @OptionGroup var global: Global
    @Argument(help: "Who orders.", completion: .shellCommand("printf 'Ann Smith\\nBob\\n'")) var customer: String
    @Argument(help: "What is ordered.") var rows: [String] = []
    @Option(name: .shortAndLong, help: ArgumentHelp("The day.", valueName: "day")) var date: String
    @Option(help: "What it costs.") var sum: Double = 0
    @Option(name: [.customShort("n"), .long], help: "A remark; may be given more than once.") var note: [String] = []
    @Option(help: "A file.", completion: .file(extensions: ["png"])) var image: String?
    @Flag(inversion: .prefixedNo, help: "Whether it is paid.") var paid: Bool?
    @Flag(name: .customShort("q")) var quiet: Int
    @Option(help: ArgumentHelp("Not for everyone.", visibility: .hidden)) var trace: String?
    @Option(transform: Even.init) var even: Even?
}

struct Even: Equatable {
    var value: Int

    init(_ text: String) throws {
        guard let value = Int(text), value.isMultiple(of: 2) else { throw ValidationError("it is not even") }
        self.value = value
    }
}

struct OrdersList: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List orders.")

    enum Order: EnumerableFlag {
        case newestFirst
        case oldestFirst
    }

    @Flag(help: "The order.") var order: Order = .newestFirst
    @Option(parsing: .upToNextOption) var ids: [Int] = []
    @Option(parsing: .unconditional) var text: String?

    mutating func validate() throws {
        if ids.contains(0) { throw ValidationError("No order has the number 0.") }
    }
}

struct Run: ParsableCommand {
    @Flag var loud = false
    @Argument(parsing: .captureForPassthrough) var command: [String] = []
}

struct Secret: ParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    @Argument var first: Int
    @Argument var second: String = "two"
    @Argument(parsing: .postTerminator) var rest: [String] = []
}

extension Shop {
    /// What is printed for `line`, split at blanks; empty when the arguments are accepted.
    static func answer(_ line: String) -> String {
        answer(line.split(separator: " ").map(String.init))
    }

    static func answer(_ arguments: [String]) -> String {
        do {
            _ = try parseAsRoot(arguments)
            return ""
        } catch {
            return fullMessage(for: error)
        }
    }
}
