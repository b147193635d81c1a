internal import CUnicode

/// The one order of names and titles: ICU's root collation (UTS #10 with CLDR's root), whatever the machine's locale.
///
/// Case and accents count only where the letters are the same: ada, Äda, Åke, Bob, Eva, éva, Zoe, ива, игла, йод.
/// Digits sort as characters, so 10 stands before 9.
public enum Collation {
    /// The key to sort `text` by: two texts stand in the order of their keys, compared byte by byte, a key before every
    /// longer key that begins with it (`memcmp`, SQLite's BLOB, PostgreSQL's `bytea`).
    ///
    /// NFC and NFD forms give equal keys; so do texts that differ only in ignored characters, therefore a total order
    /// needs one more column. The empty text's key, `01 01`, is the least. No key has a zero byte. Text counts up to
    /// its 16th MiB. A name of 19 letters takes about 0.3 µs and 26 bytes, more with accents. Any thread may call it;
    /// the first call opens the collator (0.5 to 3 ms).
    public static func sortKey(_ text: String) -> [UInt8] {
        unsafe ICUBuffer.bytes(from: text) { unsafe cunicode_sort_key($0, $1, $2, $3) }
    }

    /// The versions that stored keys and folded texts depend on: of ICU, of its root collation, and of this module's
    /// folding, such as `72.1/153.120/1`. Whoever stores keys stores it beside them and recomputes them when it changes.
    public static let version: String =
        unsafe ICUBuffer.string(capacity: 64) { unsafe cunicode_version($0, $1) } + "/\(foldingRevision)"

    /// Raised when ``TextNormalizer/folded(_:)`` changes its rules.
    private static let foldingRevision = 1
}
