internal import CWebP
internal import Messages

/// What a picture's file says of itself, read from its container without decoding.
struct PictureFile {
    let format: PictureFormat
    /// In pixels, as stored: before the orientation is applied.
    private(set) var width = 0
    private(set) var height = 0
    /// The Exif data: a TIFF structure, without what the format puts before it.
    private(set) var exif: ArraySlice<UInt8>?
    private(set) var isAnimated = false
    /// Whether the format's end was met; known of JPEG alone, the other decoders look for it themselves.
    private(set) var isComplete = true

    /// - Throws: `noPicture`; `unreadable` for a WebP without a sound head.
    init(_ bytes: [UInt8]) throws(PictureError) {
        guard let format = PictureFormat(signature: bytes) else { throw .noPicture }
        self.format = format
        switch format {
        case .jpeg: readJPEG(bytes)
        case .png: readPNG(bytes)
        case .webP: try readWebP(bytes)
        }
    }

    /// Walks a JPEG's marker segments (ITU-T T.81, annex B.1.1), over the coded data of each scan, to the end of the image.
    private mutating func readJPEG(_ bytes: [UInt8]) {
        isComplete = false
        var rest = bytes.dropFirst(2)
        while let marker = rest.nextMarker() {
            switch marker {
            case 0xD9:
                isComplete = true
                return
            case 0x01, 0xD0...0xD8: continue
            default: break
            }
            guard let length = rest.bigEndian(2, at: 0), length >= 2, length <= rest.count else { return }
            let segment = rest.prefix(length).dropFirst(2)
            rest = rest.dropFirst(length)
            switch marker {
            case 0xE1 where exif == nil && segment.starts(with: "Exif\0\0".utf8):
                exif = segment.dropFirst(6)
            // The frame's head; C4, C8 and CC are other segments.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                height = segment.bigEndian(2, at: 1) ?? 0
                width = segment.bigEndian(2, at: 3) ?? 0
            default: break
            }
        }
    }

    /// Walks a PNG's chunks (PNG, third edition, section 5.3).
    private mutating func readPNG(_ bytes: [UInt8]) {
        var rest = bytes.dropFirst(8)
        while let length = rest.bigEndian(4, at: 0), length <= rest.count - 12 {
            let type = rest.dropFirst(4).prefix(4)
            let content = rest.dropFirst(8).prefix(length)
            if type.elementsEqual("IHDR".utf8) {
                width = content.bigEndian(4, at: 0) ?? 0
                height = content.bigEndian(4, at: 4) ?? 0
            } else if type.elementsEqual("eXIf".utf8) {
                exif = content
            }
            rest = rest.dropFirst(length + 12)
        }
    }

    /// Asks libwebp for the head, and walks the RIFF chunks (RFC 9649, section 2.3) for Exif data.
    private mutating func readWebP(_ bytes: [UInt8]) throws(PictureError) {
        var features = WebPBitstreamFeatures()
        guard unsafe WebPGetFeatures(bytes, bytes.count, &features) == VP8_STATUS_OK else { throw .unreadable(nil) }
        (width, height) = (Int(features.width), Int(features.height))
        isAnimated = features.has_animation != 0
        var rest = bytes.dropFirst(12)
        while let length = rest.littleEndian(4, at: 4), length <= rest.count - 8 {
            if rest.starts(with: "EXIF".utf8) {
                let content = rest.dropFirst(8).prefix(length)
                // Some writers keep what JPEG puts before it.
                exif = content.starts(with: "Exif\0\0".utf8) ? content.dropFirst(6) : content
            }
            rest = rest.dropFirst(8 + length + length % 2)
        }
    }
}

extension ArraySlice<UInt8> {
    /// The unsigned number in these bytes of the slice; nil where it ends before.
    fileprivate func bigEndian(_ size: Int, at offset: Int) -> Int? {
        guard offset + size <= count else { return nil }
        return dropFirst(offset).prefix(size).reduce(0) { $0 << 8 | Int($1) }
    }

    fileprivate func littleEndian(_ size: Int, at offset: Int) -> Int? {
        guard offset + size <= count else { return nil }
        return dropFirst(offset).prefix(size).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Takes everything up to the next JPEG marker, and the marker: FF, any number of FF, and a byte that is neither FF nor
    /// 00, which stands for an FF of the coded data.
    fileprivate mutating func nextMarker() -> UInt8? {
        while let start = firstIndex(of: 0xFF) {
            self = self[start...].drop { $0 == 0xFF }
            guard let code = popFirst() else { return nil }
            if code != 0 { return code }
        }
        return nil
    }
}
