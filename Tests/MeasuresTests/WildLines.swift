import Foundation
import Support
import Testing

/// Lists of real lines, beside the checkout: one value as JSON in a column of a tab-separated file.
enum WildLines {
    static var areThere: Bool { Environment.sharedData != nil }

    /// The columns of each line below the heading.
    static func rows(_ file: String) throws -> [[String]] {
        let folder = try #require(Environment.sharedData)
        let text = try String(contentsOfFile: "\(folder)/recipes/\(file)", encoding: .utf8)
        return text.split(separator: "\n").dropFirst()
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    static func json(_ text: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    /// The text of a value of schema.org: a text, a number, or an object's value.
    static func texts(_ value: Any) -> [String] {
        switch value {
        case let text as String: [text]
        case let number as NSNumber: ["\(number)"]
        case let list as [Any]: list.flatMap(texts)
        case let object as [String: Any]: texts(object["@value"] ?? object["value"] ?? "")
        default: []
        }
    }

    /// Tags and the entities of the list taken out, as an importer does before a line is read.
    static func plain(_ line: String) -> String {
        var text = line.replacingOccurrences(of: "<[^>]*>", with: "", options: .regularExpression)
        for (entity, character) in [
            ("&#039;", "'"), ("&#39;", "'"), ("&quot;", "\""), ("&#8211;", "–"), ("&#339;", "œ"), ("&#233;", "é"),
            ("&amp;", "&"),
        ] {
            text = text.replacingOccurrences(of: entity, with: character)
        }
        return text
    }
}
