internal import Messages
internal import Text

/// The rules for text that people enter, the same in every service.
///
/// Text is NFC-normalised and its outer blanks are trimmed. Names are required, at most 200 characters, without
/// NUL, and four bytes for each of them; other fields are optional, at most 10,000 characters, and empty means absent.
public enum TextRules {
    /// In characters.
    public static let longestName = 200
    /// In characters.
    public static let longestText = 10_000

    /// A required name.
    public static func name(_ text: String, field: String = "name") throws(ServiceError) -> String {
        guard let name = try optional(text, field: field, limit: longestName) else {
            throw .invalid(field: field, found: text, "\(field) is blank: give it at least one visible character")
        }
        return name
    }

    /// An optional text; nil where nothing visible is left of it.
    public static func optional(
        _ text: String?,
        field: String,
        limit: Int = longestText
    ) throws(ServiceError) -> String? {
        guard let text else { return nil }
        guard !text.utf8.contains(0) else {
            throw .invalid(field: field, "\(field) contains a NUL character: remove it")
        }
        // Characters can be long: the bytes are bounded before anything walks over them.
        guard text.utf8.count <= limit * 16 else {
            throw .invalid(field: field, "\(field) is too long: at most \(limit) characters")
        }
        let normalized = TextNormalizer.trimmedNormalized(text)
        if TextNormalizer.isBlank(normalized) { return nil }
        guard normalized.utf8.count <= limit * 4 else {
            throw .invalid(
                field: field,
                found: "\(normalized.utf8.count) bytes",
                "\(field) has \(normalized.utf8.count) bytes: at most \(limit * 4) are taken"
            )
        }
        guard normalized.utf8.count <= limit || normalized.count <= limit else {
            throw .invalid(
                field: field,
                found: "\(normalized.count) characters",
                "\(field) has \(normalized.count) characters: at most \(limit) are taken"
            )
        }
        return normalized
    }
}
