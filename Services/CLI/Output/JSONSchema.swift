/// The JSON Schema (2020-12) of a noun's JSON, made from the same declaration as the JSON.
enum JSONSchema {
    /// The schema of one record as `show` prints it; a list is an array of them. Ends without a line end.
    ///
    /// Unknown properties are allowed, because fields are only ever added.
    static func text(_ noun: NounDeclaration) -> String {
        var lines = [
            "{",
            "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",",
            "  \"$id\": \"urn:daybook:\(noun.name)\",",
            "  \"title\": \(quote(noun.name)),",
            "  \"description\": \(quote(noun.summary)),",
        ]
        lines += object(noun.fields, indentation: "  ")
        lines.append("}")
        return lines.joined(separator: "\n")
    }

    private static func object(_ fields: [FieldDeclaration], indentation: String) -> [String] {
        var lines = ["\(indentation)\"type\": \"object\",", "\(indentation)\"properties\": {"]
        for (index, field) in fields.enumerated() {
            lines.append("\(indentation)  \(quote(field.name)): {")
            lines.append("\(indentation)    \"description\": \(quote(field.summary)),")
            lines += value(field.type, isOptional: field.isOptional, indentation: indentation + "    ")
            lines.append("\(indentation)  }" + (index < fields.count - 1 ? "," : ""))
        }
        lines.append("\(indentation)},")
        // Optional ones are there too, as null.
        lines.append("\(indentation)\"required\": [\(fields.map { quote($0.name) }.joined(separator: ", "))]")
        return lines
    }

    private static func value(_ type: FieldType, isOptional: Bool, indentation: String) -> [String] {
        func typed(_ name: String, _ rest: String = "") -> [String] {
            ["\(indentation)\"type\": " + (isOptional ? "[\"\(name)\", \"null\"]" : "\"\(name)\"") + rest]
        }
        switch type {
        case .text, .number: return typed("string")
        case .integer: return typed("integer")
        case .boolean: return typed("boolean")
        case .day: return typed("string", ", \"format\": \"date\"")
        case .instant: return typed("string", ", \"format\": \"date-time\"")
        case .id: return typed("string", ", \"format\": \"uuid\"")
        case .money:
            return typed("object", ",") + [
                "\(indentation)\"properties\": {",
                "\(indentation)  \"amount\": {\"type\": \"string\", \"pattern\": \"^-?[0-9]+([.][0-9]+)?$\"},",
                "\(indentation)  \"currency\": {\"type\": \"string\", \"pattern\": \"^[A-Z]{3}$\"}",
                "\(indentation)},",
                "\(indentation)\"required\": [\"amount\", \"currency\"]",
            ]
        case .list(let fields):
            return typed("array", ",") + ["\(indentation)\"items\": {"]
                + object(fields, indentation: indentation + "  ")
                + ["\(indentation)}"]
        }
    }

    private static func quote(_ text: String) -> String {
        var json = JSONText(indentation: nil)
        json.string(text)
        return json.text
    }
}
