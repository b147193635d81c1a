import Testing

@testable import ArgumentParser

@Suite struct ErrorTests {
    @Test(arguments: [
        ("custmers", "shop", "'shop' has no command 'custmers'; did you mean 'customers'?"),
        ("cust", "shop", "'shop' has no command 'cust'; did you mean 'customers'?"),
        ("xyz", "shop", "'shop' has no command 'xyz'."),
        ("sercet", "shop", "'shop' has no command 'sercet'."),
        ("xyz --help", "shop", "'shop' has no command 'xyz'."),
        ("help ordesr", "shop", "'shop' has no command 'ordesr'; did you mean 'orders'?"),
        ("help orders ad", "shop orders", "'shop orders' has no command 'ad'; did you mean 'add'?"),
        ("orders lsit", "shop orders", "'shop orders' has no command 'lsit'; did you mean 'list'?"),
        ("customers lst", "shop customers", "'shop customers' has no command 'lst'; did you mean 'list'?"),
        ("--fromat json", "shop", "'shop' has no option '--fromat'; did you mean '--format'?"),
        ("orders add --dat=x", "shop orders add", "'shop orders add' has no option '--dat'; did you mean '--date'?"),
        ("orders add -even 2", "shop orders add", "'shop orders add' has no option '-even'; did you mean '--even'?"),
        ("orders add -vx", "shop orders add", "'shop orders add' has no option '-x'."),
        ("orders add --tracee x", "shop orders add", "'shop orders add' has no option '--tracee'."),
        ("orders add --version", "shop orders add", "'shop orders add' has no option '--version'."),
        ("orders add --date", "shop orders add", "Option '--date' needs a value <day>."),
        ("orders add -d --", "shop orders add", "Option '-d' needs a value <day>."),
        (
            "orders add --date --note x", "shop orders add",
            "Option '--date' needs a value <day>, but '--note' follows; write '--date=--note' if that is the value."
        ),
        (
            "orders add -d -x", "shop orders add",
            "Option '-d' needs a value <day>, but '-x' follows; write '-d-x' if that is the value."
        ),
        ("orders list --ids", "shop orders list", "Option '--ids' needs a value <ids>."),
        ("orders add", "shop orders add", "Missing '<customer>' and '--date <day>'."),
        ("orders add Ann", "shop orders add", "Missing '--date <day>'."),
        ("secret", "shop secret", "Missing '<first>'."),
        ("-- orders", "shop", "Unexpected argument 'orders': 'shop' takes no arguments."),
        (
            "orders list x", "shop orders list",
            "Unexpected argument 'x': 'shop orders list' takes no arguments."
        ),
        (
            "secret 1 2 3", "shop secret",
            "Unexpected argument '3': 'shop secret' takes 2 arguments; a value with spaces needs quotes."
        ),
        (
            "-f xml orders list", "shop",
            "Invalid value 'xml' for '--format <format>': expected 'table', 'json' or 'csv'."
        ),
        ("secret one", "shop secret", "Invalid value 'one' for '<first>': expected a whole number."),
        (
            "secret 99999999999999999999", "shop secret",
            "Invalid value '99999999999999999999' for '<first>': "
                + "it is not between -9223372036854775808 and 9223372036854775807."
        ),
        ("orders add --sum x", "shop orders add", "Invalid value 'x' for '--sum <sum>': expected a number."),
        ("orders add --even 3", "shop orders add", "Invalid value '3' for '--even <even>': it is not even."),
        (
            "orders add -d a --date b", "shop orders add",
            "Option '--date' was given twice, with 'a' and 'b'; give it once."
        ),
        (
            "orders add --paid=yes", "shop orders add",
            "Option '--paid' takes no value, but '--paid=yes' was given; write '--paid' alone."
        ),
        (
            "orders add -q=2", "shop orders add",
            "Option '-q' takes no value, but '-q=2' was given; write '-q' alone."
        ),
        (
            "orders list --newest-first --oldest-first", "shop orders list",
            "Options '--newest-first' and '--oldest-first' exclude each other; give one of them."
        ),
        ("orders list --ids 0", "shop orders list", "No order has the number 0."),
        ("-vfcsv orders list", "shop", "CSV has no room for '--verbose'."),
        (
            "--generate-completion-script ksh", "shop",
            "Invalid value 'ksh' for '--generate-completion-script': expected bash, zsh or fish."
        ),
    ])
    func saysWhatIsWrong(line: String, command: String, sentence: String) {
        #expect(Shop.answer(line) == "Error: \(sentence)\nSee '\(command) --help' for more information.")
    }

    @Test func keepsAMessageOnOneLine() {
        let expected = "Error: Invalid value 'a\\nb\\u{1B}' for '<first>': expected a whole number."
        let answer = Shop.answer(["secret", "a\nb\u{1B}"])
        #expect(answer.split(separator: "\n").first.map(String.init) == expected)
    }

    @Test func namesTheFlagsOfWhichOneIsRequired() {
        enum Way: EnumerableFlag {
            case up
            case down
        }
        struct Walk: ParsableCommand {
            @Flag var way: Way
        }
        #expect(message { try Walk.parse([]) } == "Missing '--up' or '--down'.")
    }

    @Test func sharesTheErrorOfARequiredArray() {
        struct Many: ParsableCommand {
            @Argument var files: [String]
        }
        #expect(message { try Many.parse([]) } == "Missing '<files>'.")
    }

    private func message(_ body: () throws -> some Any) -> String? {
        #expect(throws: UsageError.self) { _ = try body() }?.description
    }

    struct Broken: Error, CustomStringConvertible {
        var description: String { "The store is gone." }
    }

    @Test func mapsErrorsToExitCodes() {
        #expect(Shop.exitCode(for: CleanExit.message("x")) == .success)
        #expect(Shop.exitCode(for: CleanExit.helpRequest()) == .success)
        #expect(Shop.exitCode(for: ValidationError("x")).rawValue == 2)
        #expect(Shop.exitCode(for: UsageError(.missingArguments([]), command: "shop")).rawValue == 2)
        #expect(Shop.exitCode(for: ExitCode(3)).rawValue == 3)
        #expect(Shop.exitCode(for: Broken()).rawValue == 1)
    }

    @Test func showsOtherErrorsByTheirDescription() {
        #expect(Shop.fullMessage(for: Broken()) == "Error: The store is gone.")
        #expect(Shop.fullMessage(for: ExitCode.failure) == "")
        #expect(Shop.fullMessage(for: CleanExit.message("done")) == "done")
    }

    @Test func namesTheCommandOfAnErrorThatRunThrew() throws {
        let error = Shop.located(ValidationError("No."), in: OrdersAdd.self)
        #expect(Shop.fullMessage(for: error) == "Error: No.\nSee 'shop orders add --help' for more information.")
        #expect(Shop.located(Broken(), in: OrdersAdd.self) is Broken)
    }

    @Test(arguments: [
        ("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("", "ab", 2), ("ab", "ba", 1), ("list", "lsit", 1),
        ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
    func countsEdits(first: String, second: String, distance: Int) {
        #expect(editDistance(Array(first), Array(second)) == distance)
    }

    @Test(
        arguments: [
            ("ls", ["up"], nil), ("statsu", ["status", "state"], "status"), ("st", ["status", "state"], nil),
            ("-", ["-a"], nil), (String(repeating: "a", count: 65), [String(repeating: "a", count: 64)], nil),
            ("--jsno", ["--json", "-j"], "--json"),
        ] as [(String, [String], String?)]
    )
    func suggestsOnlyWhatIsNear(word: String, candidates: [String], expected: String?) {
        #expect(suggestion(for: word, among: candidates) == expected)
    }

    @Test func refusesBytesThatAreNotUTF8() {
        #expect(throws: UsageError(.notUTF8(position: 2, shown: "caf\\xE9"), command: "shop")) {
            try Shop.validated([[0x61], [0x63, 0x61, 0x66, 0xE9], [0xFF]])
        }
        #expect(throws: UsageError(.notUTF8(position: 1, shown: "\\xED\\xA0\\x80\\x0A"), command: "shop")) {
            try Shop.validated([[0xED, 0xA0, 0x80, 0x0A]])
        }
    }

    @Test func decodesUTF8AsItIs() throws {
        #expect(try Shop.validated([[0xC3, 0xA9], [], [0xEF, 0xBF, 0xBD]]) == ["é", "", "\u{FFFD}"])
        #expect(try Shop.validated([]) == [])
    }
}
