/// RFC 4648, section 4.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var bits = 0
            for index in 0..<3 { bits = bits << 8 | (index < count ? Int(bytes[start + index]) : 0) }
            for index in 0..<4 {
                text.append(index <= count ? digits[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes; line ends and blanks between the digits are passed over. nil for what is no Base64, or stands for nothing.
    static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count, padding) = (0, 0, 0)
        for digit in text {
            switch digit {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "="): padding += 1
            default:
                let value = values[Int(digit)]
                guard value != 0xFF, padding == 0 else { return nil }
                bits = (bits << 6 | Int(value)) & 0xFFFF
                count += 6
                if count >= 8 {
                    count -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> count))
                }
            }
        }
        return padding <= 2 && count < 6 && !bytes.isEmpty ? bytes : nil
    }

    /// The bytes of a `data:` URL (RFC 2397) in Base64.
    static func bytes(ofDataAddress address: String) -> [UInt8]? {
        let utf8 = address.utf8
        guard let comma = utf8.firstIndex(of: UInt8(ascii: ",")), address[..<comma].lowercased().hasSuffix(";base64")
        else {
            return nil
        }
        return bytes(utf8[utf8.index(after: comma)...])
    }
}
