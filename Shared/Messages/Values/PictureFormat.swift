/// The formats that pictures are kept in. The raw values are their content types.
public enum PictureFormat: String, Codable, Sendable, Hashable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webP = "image/webp"

    /// Enough of a file's start to tell its format, in bytes.
    public static let signatureBytes = 12

    /// The format by a file's first bytes: JPEG (ISO 10918-1), PNG (RFC 2083, section 3.1), WebP (RFC 9649, section 2.4);
    /// nil for anything else.
    public init?(signature start: some Collection<UInt8>) {
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webP
        } else {
            return nil
        }
    }
}
