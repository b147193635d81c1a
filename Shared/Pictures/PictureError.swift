/// Why no thumbnail was made of a picture.
public enum PictureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes begin as no JPEG, PNG or WebP does.
    case noPicture
    /// The file is damaged, cut short, or of a kind that can't be decoded; what the decoder says, where it says something.
    case unreadable(String?)
    /// More pixels than are decoded.
    case tooManyPixels(width: Int, height: Int)
    /// There is not the memory to decode it.
    case outOfMemory(width: Int, height: Int)

    /// One sentence, without an end.
    public var description: String {
        switch self {
        case .noPicture:
            "this is no JPEG, PNG or WebP picture: convert it to one of them"
        case .unreadable(let reason):
            "the picture can't be read, it is damaged or cut short" + (reason.map { " (\($0))" } ?? "")
        case .tooManyPixels(let width, let height):
            "the picture has \(width) × \(height) pixels, more than \(Thumbnail.mostPixels / 1_000_000) million: make it smaller"
        case .outOfMemory(let width, let height):
            "the picture takes too much memory at \(width) × \(height) pixels: make it smaller"
        }
    }
}
