internal import CGD
internal import CWebP
internal import Messages
internal import Synchronization

extension Raster {
    /// Decodes a file that `file` was read from.
    ///
    /// - Throws: `unreadable`, `outOfMemory`.
    static func decode(_ file: PictureFile, _ bytes: [UInt8]) throws(PictureError) -> Raster {
        // libjpeg fills up what is missing, and libgd doesn't always tell.
        guard file.isComplete else { throw .unreadable("its end is missing") }
        DecoderMessages.start()
        let size = Int32(bytes.count)
        // libgd takes bytes that may be changed, and changes none.
        var bytes = bytes
        var image: gdImagePtr?
        switch file.format {
        case .jpeg:
            unsafe image = gdImageCreateFromJpegPtrEx(size, &bytes, 0)
            if unsafe image == nil, DecoderMessages.areHarmless {
                unsafe image = gdImageCreateFromJpegPtrEx(size, &bytes, 1)
            }
        case .png:
            unsafe image = gdImageCreateFromPngPtr(size, &bytes)
        case .webP where file.isAnimated:
            return try firstFrame(bytes, file)
        case .webP:
            unsafe image = gdImageCreateFromWebpPtr(size, &bytes)
        }
        guard let image = unsafe image else { throw failure(file) }
        let raster = unsafe Raster(owning: image)
        raster.showTransparentColor()
        return raster
    }

    private static func failure(_ file: PictureFile) -> PictureError {
        if let message = DecoderMessages.first { return .unreadable(message) }
        // Without a word, a large one failed for its size, as far as one can tell.
        return file.width * file.height > 20_000_000
            ? .outOfMemory(width: file.width, height: file.height) : .unreadable(nil)
    }

    /// PNG can declare one colour to be transparent; of a picture without a palette libgd only tells which.
    private func showTransparentColor() {
        guard unsafe image.pointee.trueColor != 0, unsafe image.pointee.transparent >= 0 else { return }
        let color = UInt32(bitPattern: unsafe image.pointee.transparent) & 0xFF_FFFF
        unsafe gdImageAlphaBlending(image, 0)
        for y in 0..<height {
            for x in 0..<width where self[x, y] & 0xFF_FFFF == color { self[x, y] = 0x7F00_0000 | color }
        }
    }

    /// The first frame of an animated WebP, on its canvas; libgd reads still ones only.
    private static func firstFrame(_ bytes: [UInt8], _ file: PictureFile) throws(PictureError) -> Raster {
        let raster = try Raster(width: file.width, height: file.height)
        let isDecoded = unsafe bytes.withUnsafeBufferPointer { buffer in
            var data = unsafe WebPData(bytes: buffer.baseAddress, size: buffer.count)
            guard let decoder = unsafe WebPAnimDecoderNew(&data, nil) else { return false }
            defer { unsafe WebPAnimDecoderDelete(decoder) }
            var pixels: UnsafeMutablePointer<UInt8>?
            var time: Int32 = 0
            guard unsafe WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0, let pixels = unsafe pixels else {
                return false
            }
            // Four bytes each: red, green, blue, and how opaque it is.
            for y in 0..<file.height {
                for x in 0..<file.width {
                    let at = (y * file.width + x) * 4
                    let color = (0..<3).reduce(UInt32(0)) { unsafe $0 << 8 | UInt32(pixels[at + $1]) }
                    raster[x, y] = unsafe UInt32(127 - pixels[at + 3] / 2) << 24 | color
                }
            }
            return true
        }
        guard isDecoded else { throw failure(file) }
        return raster
    }
}

/// The first thing that a decoder said since `start`; libgd hands messages to one function of the process.
private enum DecoderMessages {
    private static let message = Mutex<String?>(nil)

    /// The first message in plain words; nil where there was none.
    static var first: String? { message.withLock { $0 } }

    /// Two departures from the standard that cameras and phones make, and every viewer overlooks: left-over bytes between
    /// two segments, and a scan's head that is wrong for its kind.
    static var areHarmless: Bool {
        guard let first else { return false }
        return first.hasPrefix("Corrupt JPEG data: ") && first.contains(" extraneous bytes before marker ")
            || first.hasPrefix("Invalid SOS parameters")
    }

    static func start() {
        message.withLock { $0 = nil }
        unsafe gdSetErrorMethod { _, format, arguments in
            guard let format = unsafe format, let arguments = unsafe arguments else { return }
            var line = [CChar](repeating: 0, count: 512)
            _ = unsafe vsnprintf(&line, line.count, format, arguments)
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            DecoderMessages.keep(text)
        }
    }

    private static func keep(_ text: String) {
        var text = text[...]
        for prefix in ["gd-jpeg: ", "gd-jpeg, ", "gd-png: ", "gd-png ", "gd-webp ", "libjpeg: ", "recoverable error: "]
        where text.hasPrefix(prefix) {
            text = text.dropFirst(prefix.count)
        }
        let words = text.filter { !$0.isNewline }
        message.withLock { message in
            if message == nil { message = String(words) }
        }
    }
}
