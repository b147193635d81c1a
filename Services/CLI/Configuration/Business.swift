import JSON

/// Whose books these are, as papers say it: `business` in the configuration file.
///
///     "business": {
///       "name": "Daybook Bakery",
///       "address": ["Mill Lane 3", "0182 Oslo"],
///       "taxNumber": "NO 999 999 999 MVA",
///       "bank": "IBAN NO93 8601 1117 947",
///       "footer": "Thank you."
///     }
///
/// Each is text, or a list of lines.
struct Business: Sendable, Hashable {
    var name: String?
    /// Of one or more lines, without the name.
    var address: String?
    var taxNumber: String?
    /// Where to pay to.
    var bank: String?
    /// Lines at the foot of each page.
    var footer: String?

    static let keys = ["name", "address", "taxNumber", "bank", "footer"]

    /// - Parameter values: by key.
    init(_ values: (_ key: String) -> String?) {
        name = values("name")
        address = values("address")
        taxNumber = values("taxNumber")
        bank = values("bank")
        footer = values("footer")
    }

    /// The foot of what customers get: name, tax number and bank in one line, then the footer's own lines.
    var customerFooter: [String] {
        Self.line([name, taxLine, bank]) + (footer.map { $0.split(whereSeparator: \.isNewline).map(String.init) } ?? [])
    }

    /// The foot of reports: name and tax number; the rest is for customers.
    var reportFooter: [String] { Self.line([name, taxLine]) }

    private var taxLine: String? { taxNumber.map { "Tax number \($0)" } }

    /// One line of what there is; none for nothing.
    private static func line(_ parts: [String?]) -> [String] {
        let parts = parts.compactMap { $0?.split(whereSeparator: \.isNewline).joined(separator: ", ") }
        return parts.isEmpty ? [] : [parts.joined(separator: " · ")]
    }
}

extension Business {
    /// The text of a member: text in quotes, or a list of lines; nil for anything else.
    static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): return text
        case .array(let values):
            var lines: [String] = []
            for value in values {
                guard case .string(let line) = value else { return nil }
                lines.append(line)
            }
            return lines.joined(separator: "\n")
        default: return nil
        }
    }
}
