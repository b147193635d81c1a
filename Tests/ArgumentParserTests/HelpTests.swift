import Testing

@testable import ArgumentParser

@Suite struct HelpTests {
    @Test func showsACommand() {
        #expect(
            Shop.helpMessage(for: OrdersAdd.self) == """
                Add an order.

                The order is saved with all its rows, or not at all.

                USAGE: shop orders add --date <day> [<options>] <customer> [<rows> ...]

                EXAMPLES:
                  shop orders add Ann --date 2026-11-30
                  shop orders add 'Ann Smith' --sum -5.00

                ARGUMENTS:
                  <customer>              Who orders.
                  <rows> ...              What is ordered.

                OPTIONS:
                  -f, --format <format>   How to print. (values: table, json, csv; default:
                                          table)
                  -v, --verbose           Say more.
                  -d, --date <day>        The day.
                      --sum <sum>         What it costs. (default: 0.0)
                  -n, --note <note> ...   A remark; may be given more than once.
                      --image <image>     A file.
                      --paid / --no-paid  Whether it is paid.
                  -q
                      --even <even>
                  -h, --help              Show this help.
                """
        )
    }

    @Test func showsARoot() {
        #expect(
            Shop.helpMessage() == """
                Keep the books.

                USAGE: shop [--format <format>] [--verbose] [<subcommand>]

                OPTIONS:
                      --version          Show the version.
                  -h, --help             Show this help.

                GLOBAL OPTIONS:
                  -f, --format <format>  How to print. (values: table, json, csv; default:
                                         table)
                  -v, --verbose          Say more.

                SUBCOMMANDS:
                  customers              The customers.
                  orders, order          The orders.
                  run

                See 'shop help <subcommand>' for more on one of them.
                """
        )
    }

    @Test func showsInheritedOptionsUnderTheirTitle() {
        #expect(
            Shop.helpMessage(for: OrdersList.self, columns: 60) == """
                List orders.

                USAGE: shop orders list [--newest-first] [--oldest-first]
                                        [--ids <ids> ...] [--text <text>]
                                        [--format <format>] [--verbose]

                OPTIONS:
                      --newest-first     The order. (default)
                      --oldest-first     The order.
                      --ids <ids> ...
                      --text <text>
                  -h, --help             Show this help.

                GLOBAL OPTIONS:
                  -f, --format <format>  How to print. (values: table, json,
                                         csv; default: table)
                  -v, --verbose          Say more.
                """
        )
    }

    @Test(arguments: [
        "orders add --help", "orders add -h", "orders --help add", "--help orders add", "help orders add",
        "orders help add", "order new -h", "orders add --bogus -h", "orders add --date --help", "orders add -vh",
        "-h orders add --bogus",
    ])
    func helpsWhereverItIsAsked(line: String) {
        #expect(Shop.answer(line) == Shop.helpMessage(for: OrdersAdd.self))
    }

    @Test(arguments: ["--help", "-h", "help", "help --help"])
    func helpsAtTheRoot(line: String) {
        #expect(Shop.answer(line) == Shop.helpMessage())
    }

    @Test func leavesHelpAfterTheTerminatorAlone() {
        #expect(Shop.answer("orders add -dx -- --help") == "")
    }

    @Test func showsHelpWhenACommandOnlyHoldsOthers() throws {
        var command = try Shop.parseAsRoot(["orders"])
        let error = #expect(throws: CleanExit.self) { try command.run() }
        #expect(Shop.fullMessage(for: try #require(error)) == Shop.helpMessage(for: Orders.self))
    }

    @Test func showsTheVersion() {
        #expect(Shop.answer("--version") == "1.2.3")
    }

    @Test func leavesItsNamesToTheCommand() throws {
        struct Host: ParsableCommand {
            @Option(name: .shortAndLong) var host: String
            @Option var version: Int?
        }
        #expect(try Host.parse(["-h", "x", "--version", "3"]).host == "x")
        #expect(Host.helpMessage().contains("\n      --help               Show this help."))
        #expect(!Host.helpMessage().contains("Show the version."))
    }

    @Test func listsHiddenArgumentsOnRequest() {
        #expect(!Shop.helpMessage(for: OrdersAdd.self).contains("--trace"))
        #expect(Shop.helpMessage(for: OrdersAdd.self, includeHidden: true).contains("--trace <trace>"))
        #expect(!Shop.helpMessage().contains("secret"))
        #expect(Shop.helpMessage(includeHidden: true).contains("secret"))
    }

    @Test(arguments: [1, 40, 60, 80, 120])
    func keepsToTheWidth(columns: Int) {
        let page = Shop.helpMessage(for: OrdersAdd.self, columns: columns)
        // Examples are command lines: they are not wrapped.
        let lines = page.split(separator: "\n").filter { !$0.hasPrefix("  shop") }
        #expect(lines.map(\.count).max() ?? 0 <= max(40, columns))
    }
}
