import CUnicode

/// Calls of ICU that read UTF-8 and write bytes: the room they need is known only afterwards.
enum ICUBuffer {
    /// The longest text that ICU sees, in bytes of UTF-8: 16 MiB. It keeps every length that ICU counts within 32 bits,
    /// whatever the text grows to (at most 33 bytes from 3 of U+FDFA). Nothing that long gets past a service.
    static let maximumTextBytes = 1 << 24

    typealias Read = (UnsafePointer<CChar>, Int32, UnsafeMutablePointer<CChar>, Int32) -> Int32
    typealias ReadToKey = (UnsafePointer<CChar>, Int32, UnsafeMutablePointer<UInt8>, Int32) -> Int32
    typealias Write = (UnsafeMutablePointer<CChar>, Int32) -> Int32

    /// The text that `call` makes of `text`; longer text than ICU may see comes back as it is.
    static func string(from text: String, _ call: Read) -> String {
        if text.utf8.count > maximumTextBytes { return text }
        return unsafe withUTF8(of: text) { source, length in
            unsafe string(capacity: Int(length) + 32) { out, capacity in unsafe call(source, length, out, capacity) }
        }
    }

    /// The text that `call` writes; `capacity` is a first guess in bytes.
    static func string(capacity: Int, _ call: Write) -> String {
        var needed = capacity
        while true {
            let room = needed
            let result = unsafe String(unsafeUninitializedCapacity: room) { buffer in
                needed = unsafe buffer.withMemoryRebound(to: CChar.self) { out in
                    unsafe written(call(out.baseAddress!, Int32(room)))
                }
                return needed <= room ? needed : 0
            }
            if needed <= room { return result }
        }
    }

    /// The bytes that `call` makes of `text`, of its beginning when it is longer than ICU may see.
    static func bytes(from text: String, _ call: ReadToKey) -> [UInt8] {
        if text.utf8.count > maximumTextBytes {
            // A scalar that the cut goes through counts as U+FFFD.
            return unsafe bytes(from: String(decoding: text.utf8.prefix(maximumTextBytes - 2), as: UTF8.self), call)
        }
        return unsafe withUTF8(of: text) { source, length in
            // A key takes about 1.5 bytes for each letter of Latin script and 3 for each of others, and ICU writes a
            // closing zero that the length doesn't count.
            var needed = 2 * Int(length) + 32
            while true {
                let room = needed
                let result = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    needed = unsafe written(call(source, length, buffer.baseAddress!, Int32(room))) + 1
                    count = needed <= room ? needed - 1 : 0
                }
                if needed <= room { return result }
            }
        }
    }

    private static func withUTF8<Result>(of text: String, _ body: (UnsafePointer<CChar>, Int32) -> Result) -> Result {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else {
                var nothing: CChar = 0
                return unsafe body(&nothing, 0)
            }
            return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { source in
                unsafe body(source, Int32(bytes.count))
            }
        }
    }

    private static func written(_ length: Int32) -> Int {
        // A String is always well-formed, so what is left are a broken installation and no memory.
        if length < 0 { preconditionFailure("ICU failed: is its data installed?") }
        return Int(length)
    }
}
