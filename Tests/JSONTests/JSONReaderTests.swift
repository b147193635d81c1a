import JSON
import Testing

struct JSONReaderTests {
    private func read(_ text: String) throws(JSONReader.Problem) -> JSONValue {
        try JSONReader.value(of: Array(text.utf8))
    }

    @Test func readsEveryKindOfValue() throws {
        let value = try read(#" {"a": [1, -2.5e3, true, false, null, "\u00e9\ud83d\ude00\n"], "b": {}} "#)
        let list: [JSONValue] = [
            .number("1"), .number("-2.5e3"), .boolean(true), .boolean(false), .null, .string("é😀\n"),
        ]
        #expect(value["a"] == .array(list))
        #expect(value["b"] == .object([]))
    }

    @Test(
        arguments: [
            ("", "the file ends too early"), ("{", "a key in quotes is missing"), ("{\"a\" 1}", "a colon"),
            ("[1 2]", "a comma or ]"), ("[1,]", "no JSON value"), ("01", "no JSON number"), ("1.", "no JSON number"),
            ("\"a", "does not end"), ("\"\u{1}\"", "control character"), (#""\x""#, "unknown escape"),
            (#""\ud800""#, "surrogate"), (#""\u12""#, "four digits"), ("{} {}", "follows the end"),
            ("{\"a\":1,\"a\":2}", "there twice"), ("nul", "no JSON value"), ("// x", "no JSON value"),
        ]
    )
    func refuses(text: String, reason: String) {
        let problem = #expect(throws: JSONReader.Problem.self) { try read(text) }
        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test func namesTheLine() {
        let problem = #expect(throws: JSONReader.Problem.self) { try read("{\n\"a\": 1\n\"b\": 2}") }
        #expect(problem?.line == 3)
    }

    @Test func refusesDeepNestingAndBrokenUTF8() {
        #expect(throws: JSONReader.Problem.self) { try read(String(repeating: "[", count: 100_000)) }
        #expect(throws: JSONReader.Problem.self) { try JSONReader.value(of: [0x22, 0xFF, 0x22]) }
    }

    @Test(arguments: ["plain", "\"\\/\u{8}\u{C}\n\r\t\0", "\u{7F}\u{9B}31m", "Björn 李 👩‍🍳", "\u{2028}"])
    func readsBackWhatIsWritten(text: String) throws {
        for forScript in [false, true] {
            let json = JSONString.quoted(text, forScript: forScript)
            #expect(try read(json) == .string(text))
            #expect(json.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
    }

    @Test(
        arguments: [
            ("\"a\nb\u{1}\"", JSONValue.string("a\nb\u{1}")), ("[1,]", [.number("1")]),
            ("{\"a\":1,}", ["a": .number("1")]),
            ("{\"a\":1,\"b\":2,\"a\":3}", ["a": .number("3"), "b": .number("2")]), (#""x\ud83d""#, "x"),
            (#""x\ud83d\u0041""#, "xA"), (#""it\'s""#, "it's"),
        ] as [(String, JSONValue)]
    )
    func toleratesWhatIsCertain(text: String, value: JSONValue) throws {
        #expect(throws: JSONReader.Problem.self) { try read(text) }
        #expect(try JSONReader.value(of: Array(text.utf8), tolerating: .all) == value)
    }

    @Test(arguments: ["", "{", "[,]", "[1,,2]", "{,}", #""\q""#, "[1] 2", "{\"a\" 1}", "'a'", "[1;]"])
    func toleratesNothingElse(text: String) {
        #expect(throws: JSONReader.Problem.self) { try JSONReader.value(of: Array(text.utf8), tolerating: .all) }
    }

    @Test func manyKeysAreReadInTimeThatGrowsWithThem() throws {
        let members = (0..<100_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        guard case .object(let read) = try read("{\(members)}") else { return #expect(Bool(false)) }
        #expect(read.count == 100_000)
    }

    @Test func writesValuesWithAndWithoutIndentation() {
        let value: JSONValue = ["a": [.number("1"), .null], "b": [:], "c": "<&>"]
        #expect(value.text() == #"{"a":[1,null],"b":{},"c":"<&>"}"#)
        #expect(value.text(indentation: 1) == "{\n \"a\": [\n  1,\n  null\n ],\n \"b\": {},\n \"c\": \"<&>\"\n}")
    }

    @Test func nothingEndsAScript() throws {
        let text = JSONValue.string("</script><!--\u{2028}&").text(forScript: true)
        #expect(!text.contains("<") && !text.contains("&") && !text.contains("\u{2028}"))
        #expect(try read(text) == "</script><!--\u{2028}&")
    }

    @Test(
        arguments: [
            ("[\n 1,\n {\"a\":\n2}, 3]\n", [2, 3, 4]), ("{}\n\n[1]\n", [1, 3]), ("{}\n\n{\"b\":1}\r\n7", [1, 3, 4]),
            ("\u{FEFF}[]", []), ("", []), ("[1,]", nil), ("[1 2]", nil), ("[1", nil), ("[1] 2", nil), ("{} x", nil),
        ] as [(String, [Int]?)]
    )
    func readsElementsOfAnArrayOrOneAfterTheOther(text: String, lines: [Int]?) throws {
        #expect((try? JSONReader.elements(of: Array(text.utf8)))?.map(\.line) == lines)
    }
}
