internal import CUnicode
private import Synchronization

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
    /// the first call opens the collator (0.5 to 3 ms). Those of short texts are kept, since names come again and again.
    public static func sortKey(_ text: String) -> [UInt8] {
        guard text.utf8.count <= longestKept else { return makeSortKey(text) }
        return kept.withLock { kept in
            if let key = kept[text] { return key }
            let key = makeSortKey(text)
            if kept.count >= mostKept { kept.removeAll(keepingCapacity: true) }
            kept[text] = key
            return key
        }
    }

    private static func makeSortKey(_ text: String) -> [UInt8] {
        unsafe ICUBuffer.bytes(from: text) { unsafe cunicode_sort_key($0, $1, $2, $3) }
    }

    /// Canonically equivalent texts are one key of a dictionary, and have one sort key.
    private static let kept = Mutex<[String: [UInt8]]>([:])
    private static let mostKept = 1024
    /// In bytes.
    private static let longestKept = 60

    /// The versions that stored keys and folded texts depend on: of ICU, of its root collation, and of this module's
    /// folding, such as `72.1/153.120/1`. Whoever stores keys stores it beside them and recomputes them when it changes.
    public static let version: String =
        unsafe ICUBuffer.string(capacity: 64) { unsafe cunicode_version($0, $1) } + "/\(foldingRevision)"

    /// Raised when ``TextNormalizer/folded(_:)`` changes its rules.
    private static let foldingRevision = 1
}
