import JSON
import Messages

/// Writes values as JSON (RFC 8259), in the order in which they are declared.
///
/// Control characters are escaped, also DEL and those from U+0080 to U+009F, which a terminal would obey.
struct JSONText {
    private(set) var text = ""
    /// nil writes everything on one line.
    private let indentation: Int?
    private var depth: Int

    /// - Parameters:
    ///   - indentation: spaces for each level; nil for one line.
    ///   - depth: the level to start at.
    init(indentation: Int?, depth: Int = 0) {
        self.indentation = indentation
        self.depth = depth
    }

    /// The object of a row.
    static func object(
        _ fields: [FieldDeclaration],
        _ values: [FieldValue],
        indentation: Int?,
        depth: Int = 0
    ) -> String {
        var json = JSONText(indentation: indentation, depth: depth)
        json.object(fields, values)
        return json.text
    }

    mutating func object(_ fields: [FieldDeclaration], _ values: [FieldValue]) {
        group("{", "}", count: fields.count) { json, index in
            json.string(fields[index].name)
            json.text += json.indentation == nil ? ":" : ": "
            json.value(values[index], fields[index].type)
        }
    }

    mutating func value(_ value: FieldValue, _ type: FieldType) {
        switch value {
        case .absent: text += "null"
        case .text(let value): string(value)
        case .integer(let value): text += String(value)
        case .boolean(let value): text += value ? "true" : "false"
        case .day(let value): string(value.description)
        case .instant(let value): string(value.description)
        case .id(let value): string(value.description)
        case .money(let value):
            // Always on one line: it is read as one value.
            text += indentation == nil ? "{\"amount\":" : "{\"amount\": "
            string(value.plain)
            text += indentation == nil ? ",\"currency\":" : ", \"currency\": "
            string(value.currency.code)
            text += "}"
        case .list(let rows):
            guard case .list(let fields) = type else { preconditionFailure("a list is declared as one") }
            group("[", "]", count: rows.count) { json, index in json.object(fields, rows[index]) }
        }
    }

    mutating func string(_ value: String) { JSONString.append(value, to: &text) }

    private mutating func group(
        _ open: String,
        _ close: String,
        count: Int,
        element: (inout JSONText, Int) -> Void
    ) {
        text += open
        depth += 1
        for index in 0..<count {
            if index > 0 { text += "," }
            newLine()
            element(&self, index)
        }
        depth -= 1
        if count > 0 { newLine() }
        text += close
    }

    private mutating func newLine() {
        guard let indentation else { return }
        text += "\n" + String(repeating: " ", count: indentation * depth)
    }
}
