/// Why an archive, or an entry of one, can't be read.
public enum ArchiveError: Error, Hashable, Sendable {
    /// It is none, has no entries, or lacks its directory: often a copy that was cut short.
    case notAnArchive
    /// It has more entries than the limit.
    case tooManyEntries(limit: Int)
    /// An entry is encrypted, or compressed by another method than deflate.
    case unsupportedEntry
    /// The data end too early.
    case cutShort
    /// The data are damaged: they can't be decompressed, or give another checksum.
    case damaged
    /// Decompressed, it has more bytes than the limit.
    case tooLarge(limit: Int)
    /// It is no tar archive, or one that ends too early or is damaged, by what libarchive says.
    case noTar(String)
    /// It can't be written, by what libarchive says.
    case notWritten(String)
}

extension ArchiveError: CustomStringConvertible {
    /// What is wrong and what to do; it completes "FILE: …".
    public var description: String {
        switch self {
        case .notAnArchive: "it is an empty zip archive, or its end is missing: copy or export it again"
        case .tooManyEntries(let limit): "it has more than \(limit) entries: split it"
        case .unsupportedEntry: "it is encrypted, or compressed in an unusual way: unpack it with another program first"
        case .cutShort: "it ends too early: copy or export it again"
        case .damaged: "it is damaged: copy or export it again"
        case .tooLarge(let limit): "unpacked, it has more than \(limit >> 20) MiB: it is left alone"
        case .noTar(let reason): "it can't be read as a tar archive (\(reason)): copy or export it again"
        case .notWritten(let reason): "it can't be written: \(reason)"
        }
    }
}
