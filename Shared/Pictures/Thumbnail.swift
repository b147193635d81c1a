/// Small pictures of pictures.
public enum Thumbnail {
    /// A thumbnail's longer side, in pixels, unless the picture itself is smaller.
    public static let longerSide = 256
    /// Pictures with more pixels are refused: more than any camera's, and what a few kilobytes can pretend to be.
    public static let mostPixels = 120_000_000
    /// Of a thumbnail that is a JPEG, on libjpeg's scale to 100.
    static let quality: Int32 = 85

    /// Makes the thumbnail of a JPEG, PNG or WebP file: the whole picture, upright as its Exif orientation says, with the
    /// longer side held to `longerSide`. Smaller pictures keep their size; of an animation it shows the first frame.
    ///
    /// Equal files give equal thumbnails. Takes 4 to 10 bytes of memory for each of the picture's pixels, in C libraries:
    /// a stranger's picture is read in a process of its own, `daybook-thumbnail`.
    ///
    /// - Returns: a JPEG file, or a PNG file where something is transparent; less than 300 KiB.
    /// - Throws: `PictureError`, also for a file that lacks its end.
    public static func make(of picture: [UInt8]) throws(PictureError) -> [UInt8] {
        let file = try PictureFile(picture)
        guard file.width > 0, file.height > 0 else { throw .unreadable("it has no size") }
        guard file.width <= mostPixels / file.height else {
            throw .tooManyPixels(width: file.width, height: file.height)
        }
        let decoded = try Raster.decode(file, picture)
        let small = try decoded.scaled(longerSide: longerSide)
        let upright = try small.oriented(file.exif.flatMap(Orientation.init(exif:)) ?? .upright)
        return upright.isOpaque ? try upright.jpeg(quality: quality) : try upright.png()
    }
}
