internal import CMinizip

/// Reads gzip (RFC 1952), by zlib.
public enum GZip {
    /// Whether bytes begin as gzip does.
    public static func isGZip(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// The decompressed bytes; of several members one after another, all. Length and checksum are verified.
    ///
    /// - Parameter limit: the most bytes of the result.
    /// - Throws: ``ArchiveError/cutShort``, ``ArchiveError/damaged``, ``ArchiveError/tooLarge(limit:)``.
    public static func decompressed(_ bytes: [UInt8], limit: Int) throws(ArchiveError) -> [UInt8] {
        var result: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 << 10)
        var position = 0
        // What follows the first member and begins otherwise is padding, as gzip(1) has it.
        repeat {
            try member(bytes, &position, &block, into: &result, limit)
        } while isGZip(bytes[position...])
        return result
    }

    private static func member(
        _ bytes: [UInt8],
        _ position: inout Int,
        _ block: inout [UInt8],
        into result: inout [UInt8],
        _ limit: Int
    ) throws(ArchiveError) {
        var stream = unsafe z_stream()
        guard unsafe daybook_gzip_start(&stream) == Z_OK else { throw .damaged }
        defer { unsafe inflateEnd(&stream) }
        while true {
            // In pieces: zlib counts in 32 bits.
            let piece = min(bytes.count - position, 1 << 20)
            let (code, left, made) = unsafe bytes.withUnsafeBufferPointer { input in
                unsafe block.withUnsafeMutableBufferPointer { output in
                    unsafe stream.next_in = UnsafeMutablePointer(
                        mutating: input.baseAddress.map { unsafe $0 + position }
                    )
                    unsafe stream.avail_in = UInt32(piece)
                    unsafe stream.next_out = output.baseAddress
                    unsafe stream.avail_out = UInt32(output.count)
                    let code = unsafe inflate(&stream, Z_NO_FLUSH)
                    return unsafe (code, Int(stream.avail_in), output.count - Int(stream.avail_out))
                }
            }
            position += piece - left
            result += block[..<made]
            guard result.count <= limit else { throw .tooLarge(limit: limit) }
            switch code {
            case Z_STREAM_END: return
            case Z_OK where made > 0 || piece > left: continue
            case Z_OK, Z_BUF_ERROR: throw .cutShort
            default: throw .damaged
            }
        }
    }
}
