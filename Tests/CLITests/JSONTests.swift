import Messages
import Testing

@testable import CLI

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
        var json = JSONText(indentation: nil)
        json.string(text)
        #expect(try read(json.text) == .string(text))
        #expect(json.text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
}

struct JSONSchemaTests {
    private let sales = [
        Sale.example(1, name: "Ann", rows: [Sale.Row(name: "Bath", sum: .zero(.eur))]), Sale.example(2, name: nil),
    ]

    private func schema() throws -> JSONValue {
        try JSONReader.value(of: Array(JSONSchema.text(Noun.sale.declaration).utf8))
    }

    private func rendered(_ format: OutputFormat) throws -> JSONValue {
        let capture = try Capture()
        try capture.presentation(format).list(sales, of: .sale)
        return try JSONReader.value(of: Array(capture.text().utf8))
    }

    @Test func acceptsWhatIsRendered() throws {
        guard case .array(let records) = try rendered(.json) else { throw Missing() }
        #expect(records.count == 2)
        for record in records { #expect(try SchemaChecker.problems(record, schema()) == []) }
    }

    @Test func refusesWhatIsNotOfItsForm() throws {
        guard case .array(let records) = try rendered(.json), case .object(var members) = records[0] else {
            throw Missing()
        }
        members[0].value = .number("1")
        members.removeLast()
        #expect(try SchemaChecker.problems(.object(members), schema()) == ["rows is missing", "id is no string"])
    }

    @Test(arguments: Schema.nouns) func isJSONForEveryNoun(noun: NounDeclaration) throws {
        let schema = try JSONReader.value(of: Array(JSONSchema.text(noun).utf8))
        #expect(schema["$schema"] == .string("https://json-schema.org/draft/2020-12/schema"))
        #expect(Set(noun.fields.map(\.name)).count == noun.fields.count)
    }

    private struct Missing: Error {}
}

/// The part of JSON Schema that our schemas use.
private enum SchemaChecker {
    static func problems(_ value: JSONValue, _ schema: JSONValue, at path: String = "it") -> [String] {
        let types: [String] =
            switch schema["type"] {
            case .string(let type): [type]
            case .array(let types): types.compactMap { if case .string(let type) = $0 { type } else { nil } }
            default: []
            }
        guard types.contains(where: { matches(value, $0) }) else {
            return ["\(path) is no \(types.joined(separator: " or "))"]
        }
        var problems: [String] = []
        if case .object = value {
            if case .array(let required) = schema["required"] {
                for case .string(let name) in required where value[name] == nil {
                    problems.append("\(name) is missing")
                }
            }
            if case .object(let properties) = schema["properties"] {
                for property in properties {
                    if let member = value[property.key] {
                        problems += Self.problems(member, property.value, at: property.key)
                    }
                }
            }
        }
        if case .array(let elements) = value, let items = schema["items"] {
            for element in elements { problems += Self.problems(element, items, at: path) }
        }
        return problems
    }

    private static func matches(_ value: JSONValue, _ type: String) -> Bool {
        switch (value, type) {
        case (.null, "null"), (.boolean, "boolean"), (.string, "string"), (.array, "array"), (.object, "object"): true
        case (.number(let text), "integer"): Int64(text) != nil
        default: false
        }
    }
}
