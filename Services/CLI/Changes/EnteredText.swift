import Text

/// Text as services store it, so that what is sent is equal to what comes back.
enum EnteredText {
    /// nil for blank text.
    static func optional(_ text: String) -> String? {
        TextNormalizer.isBlank(text) ? nil : TextNormalizer.trimmedNormalized(text)
    }
}
