import JSON
import Messages
import Testing

@testable import CLI

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
