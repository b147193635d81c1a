/// Archives for tests, made byte by byte.
public enum PackedFile {
    /// A zip archive of stored entries, in this order; names are bytes without the flag for UTF-8.
    public static func zip(_ entries: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var file: [UInt8] = []
        var directory: [UInt8] = []
        for (name, bytes) in entries {
            let name = Array(name.utf8)
            let common =
                little(20, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(UInt64(crc(bytes)), 4)
                + little(UInt64(bytes.count), 4) + little(UInt64(bytes.count), 4) + little(UInt64(name.count), 2)
                + little(0, 2)
            directory += [0x50, 0x4B, 1, 2] + little(20, 2) + common + little(0, 2) + little(0, 2) + little(0, 2)
            directory += little(0, 4) + little(UInt64(file.count), 4) + name
            file += [0x50, 0x4B, 3, 4] + common + name + bytes
        }
        let count = little(UInt64(entries.count), 2)
        return file + directory + [0x50, 0x4B, 5, 6] + little(0, 4) + count + count
            + little(UInt64(directory.count), 4) + little(UInt64(file.count), 4) + little(0, 2)
    }

    /// A gzip member (RFC 1952) that holds these bytes uncompressed.
    public static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var position = 0
        repeat {
            let count = min(0xFFFF, bytes.count - position)
            let isLast = position + count == bytes.count
            file += [isLast ? 1 : 0] + little(UInt64(count), 2) + little(UInt64(~UInt16(count)), 2)
            file += bytes[position..<position + count]
            position += count
        } while position < bytes.count
        return file + little(UInt64(crc(bytes)), 4) + little(UInt64(bytes.count), 4)
    }

    /// A small gzip file without an end that unpacks to at least `count` zeros: RFC 1951's fixed codes, a zero and then
    /// runs of 258.
    public static func bomb(_ count: Int) -> [UInt8] {
        var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var (bits, length) = (UInt64(0), UInt64(0))
        func put(_ code: UInt64, _ width: UInt64) {
            bits |= code << length
            length += width
            while length >= 8 {
                file.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                length -= 8
            }
        }
        // The last block, fixed codes; the literal 0 is 00110000, the length 258 is 11000101, the distance 1 is 00000;
        // codes begin with their highest bit.
        put(0b011, 3)
        put(0b0000_1100, 8)
        for _ in 0...count / 258 { put(0b0_0000_1010_0011, 13) }
        return file
    }

    private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
