/// Several pieces of bytes in one input: each behind its length in two bytes, the last as far as it goes.
enum Frames {
    static func split(_ input: [UInt8]) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var rest = input[...]
        while rest.count >= 2 {
            let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
            frames.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return frames
    }

    static func joined(_ frames: [[UInt8]]) -> [UInt8] {
        frames.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
    }
}
