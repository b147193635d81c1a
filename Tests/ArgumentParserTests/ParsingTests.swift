import Testing

@testable import ArgumentParser

@Suite struct ParsingTests {
    private func add(_ line: String...) throws -> OrdersAdd {
        try #require(try Shop.parseAsRoot(["orders", "add", "Ann", "-d", "today"] + line) as? OrdersAdd)
    }

    @Test(arguments: [
        ["orders", "add", "Ann", "--date", "today"],
        ["orders", "add", "--date", "today", "Ann"],
        ["orders", "add", "--date=today", "--", "Ann"],
        ["orders", "add", "-d", "today", "Ann"],
        ["orders", "add", "-dtoday", "Ann"],
        ["orders", "add", "-d=today", "Ann"],
        ["orders", "add", "-vdtoday", "Ann"],
        ["order", "new", "Ann", "-vqd", "today"],
    ])
    func readsEverySpellingOfAnOption(line: [String]) throws {
        let command = try #require(try Shop.parseAsRoot(line) as? OrdersAdd)
        #expect(command.customer == "Ann")
        #expect(command.date == "today")
    }

    @Test func leavesDefaultsWhereNothingIsGiven() throws {
        let command = try add()
        #expect(command.rows == [])
        #expect(command.sum == 0)
        #expect(command.note == [])
        #expect(command.paid == nil)
        #expect(command.quiet == 0)
        #expect(command.image == nil)
        #expect(command.even == nil)
        #expect(command.global.format == .table)
    }

    @Test(arguments: [(["--sum", "-5.00"], -5.0), (["--sum=-5"], -5.0), (["--sum", "-.5"], -0.5)])
    func readsNegativeNumbersAsValues(line: [String], sum: Double) throws {
        let command = try Shop.parseAsRoot(["orders", "add", "Ann", "-dx"] + line) as? OrdersAdd
        #expect(command?.sum == sum)
    }

    @Test func readsANegativeNumberAsAnArgument() throws {
        #expect(try (Shop.parseAsRoot(["secret", "-3"]) as? Secret)?.first == -3)
    }

    @Test func takesADigitForAnOptionWhereOneIsDeclared() throws {
        struct Digits: ParsableCommand {
            @Flag(name: .customShort("1")) var one = false
            @Argument var number: Int?
        }
        let command = try Digits.parse(["-1"])
        #expect(command.one)
        #expect(command.number == nil)
    }

    @Test func collectsRepeatedOptions() throws {
        #expect(try add("-n", "a", "--note", "b", "--note=c", "-nd").note == ["a", "b", "c", "d"])
    }

    @Test func countsFlags() throws {
        #expect(try add("-qq", "-q").quiet == 3)
    }

    @Test(arguments: [(["--paid"], true), (["--no-paid"], false), (["--paid", "--no-paid"], false)])
    func invertsFlags(line: [String], expected: Bool) throws {
        let command = try Shop.parseAsRoot(["orders", "add", "Ann", "-dx"] + line) as? OrdersAdd
        #expect(command?.paid == expected)
    }

    @Test func appliesATransform() throws {
        #expect(try add("--even", "4").even == Even("4"))
    }

    @Test func keepsValuesAsTheyAre() throws {
        #expect(try add("--note=").note == [""])
        #expect(try add("--note=a=b").note == ["a=b"])
        #expect(try add("--note=\u{338}x").note == ["\u{338}x"])
        #expect(try add("-n\u{301}x").note == ["\u{301}x"])
        #expect(try add("--note", "-").note == ["-"])
        #expect(try add("--note", "- milk").note == ["- milk"])
        #expect(try add("--", "--note", "-n").rows == ["--note", "-n"])
    }

    @Test(arguments: [
        ["-v", "-f", "json", "orders", "add", "Ann", "-dx"],
        ["orders", "-v", "add", "-f", "json", "Ann", "-dx"],
        ["orders", "add", "Ann", "-dx", "-vfjson"],
        ["--format=json", "orders", "add", "Ann", "--verbose", "-dx"],
    ])
    func acceptsGlobalOptionsAtEveryLevel(line: [String]) throws {
        let command = try #require(try Shop.parseAsRoot(line) as? OrdersAdd)
        #expect(command.global.format == .json)
        #expect(command.global.verbose)
    }

    @Test func acceptsGlobalOptionsAfterACommandThatDoesNotDeclareThem() throws {
        #expect(try Shop.parseAsRoot(["orders", "list", "--format", "csv"]) is OrdersList)
    }

    @Test func keepsOptionsOfACommandFromItsSubcommands() {
        struct Child: ParsableCommand {}
        struct Parent: ParsableCommand {
            static let configuration = CommandConfiguration(subcommands: [Child.self])
            @Flag var own = false
        }
        #expect(throws: Never.self) { try Parent.parseAsRoot(["--own", "child"]) }
        #expect(throws: UsageError.self) { try Parent.parseAsRoot(["child", "--own"]) }
    }

    @Test func takesValuesUpToTheNextOption() throws {
        let command =
            try Shop.parseAsRoot(["orders", "list", "--ids", "1", "-2", "3", "--text", "--ids"]) as? OrdersList
        #expect(command?.ids == [1, -2, 3])
        #expect(command?.text == "--ids")
    }

    @Test func takesAllTheRest() throws {
        struct Rest: ParsableCommand {
            @Option(parsing: .remaining) var all: [String]
            @Flag var other = false
        }
        #expect(try Rest.parse(["--all", "a", "--other", "--"]).all == ["a", "--other", "--"])
    }

    @Test func takesUnrecognizedOptionsAsArguments() throws {
        struct Lenient: ParsableCommand {
            @Flag var known = false
            @Argument(parsing: .allUnrecognized) var rest: [String] = []
        }
        let command = try Lenient.parse(["a", "--other", "--known", "-x"])
        #expect(command.rest == ["a", "--other", "-x"])
        #expect(command.known)
    }

    @Test(
        arguments: [
            (["run", "--loud", "ls", "-l", "--", "--loud", "--help"], ["ls", "-l", "--", "--loud", "--help"]),
            (["run", "--loud", "--color", "x"], ["--color", "x"]),
            (["run", "--loud", "--", "--help"], ["--help"]),
            (["run", "--loud"], []),
        ] as [([String], [String])]
    )
    func passesAWholeCommandThrough(line: [String], expected: [String]) throws {
        let command = try #require(try Shop.parseAsRoot(line) as? Run)
        #expect(command.command == expected)
        #expect(command.loud)
    }

    @Test(
        arguments: [
            (["1"], "two", []), (["1", "x"], "x", []), (["1", "--", "x", "-y"], "two", ["x", "-y"]),
        ] as [([String], String, [String])]
    )
    func keepsWhatFollowsTheTerminatorApart(line: [String], second: String, rest: [String]) throws {
        let command = try #require(try Shop.parseAsRoot(["secret"] + line) as? Secret)
        #expect(command.second == second)
        #expect(command.rest == rest)
    }

    @Test(
        arguments: [(["customers"], nil), (["customers", "--limit", "3"], 3), (["customers", "list", "-l4"], 4)]
            as [([String], Int?)]
    )
    func runsTheDefaultSubcommand(line: [String], limit: Int?) throws {
        let command = try #require(try Shop.parseAsRoot(line) as? CustomersList)
        #expect(command.limit == limit)
    }

    @Test(
        arguments: [([], OrdersList.Order.newestFirst), (["--oldest-first"], .oldestFirst)]
            as [([String], OrdersList.Order)]
    )
    func readsFlagsOfAnEnumeration(line: [String], order: OrdersList.Order) throws {
        #expect(try (Shop.parseAsRoot(["orders", "list"] + line) as? OrdersList)?.order == order)
    }

    @Test func instantiatesOnlyThePath() throws {
        struct Costly: ParsableCommand {
            init() { Issue.record("instantiated off the path") }
        }
        struct Cheap: ParsableCommand {}
        struct Root: ParsableCommand {
            static let configuration = CommandConfiguration(subcommands: [Costly.self, Cheap.self])
        }
        #expect(try Root.parseAsRoot(["cheap"]) is Cheap)
    }

    @Test func hasValueSemantics() throws {
        let first = try add("--note", "a")
        var second = first
        second.note = ["b"]
        second.global.verbose = true
        #expect(first.note == ["a"])
        #expect(second.note == ["b"])
        #expect(!first.global.verbose)
    }

    @Test func keepsWhatValidationChanged() throws {
        struct Inner: ParsableArguments {
            @Option var name = "a"
            mutating func validate() { name += "!" }
        }
        struct Leaf: ParsableCommand {
            @OptionGroup var inner: Inner
            @Option var size = 1
            mutating func validate() { size += 1 }
        }
        struct Root: ParsableCommand {
            static let configuration = CommandConfiguration(subcommands: [Leaf.self])
            @OptionGroup var inner: Inner
        }
        let leaf = try #require(try Root.parseAsRoot(["leaf", "--name", "b"]) as? Leaf)
        #expect(leaf.inner.name == "b!")
        #expect(leaf.size == 2)
    }

    @Test(arguments: [
        ("ordersAdd", "orders-add"), ("OrdersAdd", "orders-add"), ("orders_add", "orders-add"), ("a", "a"),
        ("asJSONFile", "as-json-file"), ("useHTTPS", "use-https"), ("_hidden", "hidden"), ("level2", "level2"),
    ])
    func makesNamesFromProperties(key: String, expected: String) throws {
        #expect(key.kebabCased == expected)
    }
}
