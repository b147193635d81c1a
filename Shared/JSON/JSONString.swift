/// Writes text as a JSON string (RFC 8259, section 7).
public enum JSONString {
    /// The text in quotes.
    ///
    /// Control characters are escaped, also DEL and those from U+0080 to U+009F, which a terminal would obey.
    ///
    /// - Parameter forScript: escapes also `<`, `>`, `&` and the line separators, so that it can stand within a page's
    ///   `<script>`, whatever the text is.
    public static func quoted(_ value: String, forScript: Bool = false) -> String {
        var text = ""
        append(value, to: &text, forScript: forScript)
        return text
    }

    /// As ``quoted(_:forScript:)``, behind what is in `text` already.
    public static func append(_ value: String, to text: inout String, forScript: Bool = false) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}": text += escape(scalar)
            case "<", ">", "&", "\u{2028}", "\u{2029}":
                if forScript { text += escape(scalar) } else { text.unicodeScalars.append(scalar) }
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}

extension JSONValue {
    /// The value as JSON, with the members in their order.
    ///
    /// - Parameters:
    ///   - indentation: spaces for each level; nil writes everything on one line.
    ///   - forScript: as in ``JSONString/quoted(_:forScript:)``.
    public func text(indentation: Int? = nil, forScript: Bool = false) -> String {
        var text = ""
        append(to: &text, indentation, depth: 0, forScript)
        return text
    }

    private func append(to text: inout String, _ indentation: Int?, depth: Int, _ forScript: Bool) {
        func newLine(_ depth: Int) {
            guard let indentation else { return }
            text += "\n" + String(repeating: " ", count: indentation * depth)
        }
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .number(let value): text += value
        case .string(let value): JSONString.append(value, to: &text, forScript: forScript)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                newLine(depth + 1)
                value.append(to: &text, indentation, depth: depth + 1, forScript)
            }
            if !values.isEmpty { newLine(depth) }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                newLine(depth + 1)
                JSONString.append(member.key, to: &text, forScript: forScript)
                text += indentation == nil ? ":" : ": "
                member.value.append(to: &text, indentation, depth: depth + 1, forScript)
            }
            if !members.isEmpty { newLine(depth) }
            text += "}"
        }
    }
}
