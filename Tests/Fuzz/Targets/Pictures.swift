import Messages
import Support

@testable import Pictures

extension FuzzTarget {
    /// The heads of pictures, and their Exif data. Decoding is C in a process of its own, which ends by its limits
    /// (`Services/Thumbnail`): it is fuzzed here with what says that it is small.
    static let pictures = FuzzTarget(name: "pictures", seeds: samples) { (bytes) throws(Finding) in
        _ = Orientation(exif: bytes[...])
        guard let file = try? PictureFile(bytes) else { return }
        _ = file.exif.flatMap { Orientation(exif: $0) }
        guard file.width <= 256, file.height <= 256, let thumbnail = try? Thumbnail.make(of: bytes) else { return }
        guard let small = try? PictureFile(thumbnail) else { throw Finding("a thumbnail is no picture") }
        try require(
            max(small.width, small.height) <= Thumbnail.longerSide && thumbnail.count < 300 << 10,
            "a thumbnail has \(small.width) by \(small.height) pixels and \(thumbnail.count) bytes"
        )
    }

    private static var samples: [[UInt8]] {
        [
            "line.jpg", "grey.jpg", "cmyk.jpg", "line.png", "interlaced.png", "lossy.webp", "lossless.webp",
            "animated.webp",
        ]
        .compactMap { File.read("\(Environment.checkout)/Tests/PicturesTests/Samples/\($0)") }
    }
}
