internal import CGD

/// A picture in memory, by libgd: pixels of 8 bits for red, green and blue, and 7 bits of transparency.
@safe final class Raster {
    let image: gdImagePtr

    /// Takes the image over.
    init(owning image: gdImagePtr) {
        unsafe self.image = image
    }

    /// A transparent picture.
    ///
    /// - Throws: `outOfMemory`.
    init(width: Int, height: Int) throws(PictureError) {
        guard let image = unsafe gdImageCreateTrueColor(Int32(width), Int32(height)) else {
            throw .outOfMemory(width: width, height: height)
        }
        unsafe self.image = image
        // Pixels are replaced, not laid over what is there, and their transparency is kept.
        unsafe gdImageAlphaBlending(image, 0)
        unsafe gdImageSaveAlpha(image, 1)
    }

    deinit {
        unsafe gdImageDestroy(image)
    }

    var width: Int { Int(unsafe image.pointee.sx) }
    var height: Int { Int(unsafe image.pointee.sy) }

    /// The colour of a pixel: `0xTTRRGGBB`, where TT is 0 for opaque and 127 for transparent.
    subscript(x: Int, y: Int) -> UInt32 {
        get { UInt32(bitPattern: unsafe gdImageGetTrueColorPixel(image, Int32(x), Int32(y))) }
        set { unsafe gdImageSetPixel(image, Int32(x), Int32(y), Int32(bitPattern: newValue)) }
    }

    /// Whether no pixel lets anything through.
    var isOpaque: Bool {
        for y in 0..<height {
            for x in 0..<width where self[x, y] >> 24 != 0 { return false }
        }
        return true
    }

    /// The picture with its longer side held to this; each pixel is the mean of those it stands for.
    func scaled(longerSide: Int) throws(PictureError) -> Raster {
        let longer = max(width, height)
        let side = { (length: Int) in
            longer <= longerSide ? length : max(1, (length * longerSide + longer / 2) / longer)
        }
        let small = try Raster(width: side(width), height: side(height))
        unsafe gdImageCopyResampled(
            small.image,
            image,
            0,
            0,
            0,
            0,
            Int32(small.width),
            Int32(small.height),
            Int32(width),
            Int32(height)
        )
        return small
    }

    /// The picture turned upright.
    func oriented(_ orientation: Orientation) throws(PictureError) -> Raster {
        if orientation == .upright { return self }
        let (width, height) = orientation.swapsSides ? (height, width) : (width, height)
        let upright = try Raster(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let stored = orientation.stored(x: x, y: y, width: self.width, height: self.height)
                upright[x, y] = self[stored.x, stored.y]
            }
        }
        return upright
    }

    // MARK: Files

    /// - Parameter quality: 0 to 100.
    func jpeg(quality: Int32) throws(PictureError) -> [UInt8] {
        var size: Int32 = 0
        return try unsafe taken(gdImageJpegPtr(image, &size, quality), size)
    }

    func png() throws(PictureError) -> [UInt8] {
        var size: Int32 = 0
        return try unsafe taken(gdImagePngPtr(image, &size), size)
    }

    private func taken(_ bytes: UnsafeMutableRawPointer?, _ size: Int32) throws(PictureError) -> [UInt8] {
        guard let bytes = unsafe bytes, size > 0 else { throw .outOfMemory(width: width, height: height) }
        defer { unsafe gdFree(bytes) }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(size)))
    }
}
