internal import CExif

/// How a stored picture is turned to stand upright; the raw values are those of Exif's tag 0x0112: which side of the
/// upright picture the first stored row and the first stored column are.
enum Orientation: UInt16, CaseIterable {
    /// Row top, column left: as stored.
    case upright = 1
    case topRight
    case bottomRight
    case bottomLeft
    case leftTop
    case rightTop
    case rightBottom
    case leftBottom

    /// What Exif data says; nil where it says nothing that is known.
    init?(exif: ArraySlice<UInt8>) {
        // libexif wants the head that JPEG puts before it.
        let bytes = Array("Exif\0\0".utf8) + exif
        guard let data = unsafe exif_data_new_from_data(bytes, UInt32(bytes.count)) else { return nil }
        defer { unsafe exif_data_unref(data) }
        guard let entry = unsafe exif_content_get_entry(data.pointee.ifd.0, EXIF_TAG_ORIENTATION),
            unsafe entry.pointee.format == EXIF_FORMAT_SHORT, unsafe entry.pointee.size >= 2
        else { return nil }
        let value = unsafe exif_get_short(entry.pointee.data, exif_data_get_byte_order(data))
        self.init(rawValue: value)
    }

    /// Whether the upright picture is as wide as the stored one is high.
    var swapsSides: Bool { rawValue >= 5 }

    /// Where a pixel of the upright picture is stored, in a stored picture of this size.
    func stored(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        switch self {
        case .upright: (x, y)
        case .topRight: (width - 1 - x, y)
        case .bottomRight: (width - 1 - x, height - 1 - y)
        case .bottomLeft: (x, height - 1 - y)
        case .leftTop: (y, x)
        case .rightTop: (y, height - 1 - x)
        case .rightBottom: (width - 1 - y, height - 1 - x)
        case .leftBottom: (width - 1 - y, x)
        }
    }
}
