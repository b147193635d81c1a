/// Keeps spreadsheets from taking a text for a formula.
///
/// The one rule: a text that begins with `=`, `+`, `-`, `@`, TAB, CR or LF, or with apostrophes before one of these,
/// gets one more apostrophe in front. So `=1+1` becomes `'=1+1` and `'=1+1` becomes `''=1+1`, and taking one apostrophe
/// away gives back exactly what was there. Numbers are never touched: `-5.00` in a number column stays as it is.
public enum SpreadsheetText {
    /// The text as it goes into a spreadsheet-safe file.
    public static func neutralised(_ text: String) -> String {
        apostrophes(before: text) == nil ? text : "'" + text
    }

    /// The text as it was before ``neutralised(_:)``. Only for files known to be written that way.
    public static func unneutralised(_ text: String) -> String {
        guard let count = apostrophes(before: text), count > 0 else { return text }
        return String(text.unicodeScalars.dropFirst())
    }

    /// How many apostrophes precede a formula's first byte; `nil` when no such byte follows them.
    private static func apostrophes(before text: String) -> Int? {
        // By bytes: `=` with a combining mark is another Character, but the same to a spreadsheet.
        let count = text.utf8.prefix { $0 == UInt8(ascii: "'") }.count
        guard let byte = text.utf8.dropFirst(count).first else { return nil }
        return "=+-@\t\r\n".utf8.contains(byte) ? count : nil
    }
}
