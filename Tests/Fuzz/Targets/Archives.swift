import Archive
import Glibc
import Support

extension FuzzTarget {
    /// The archives: tar of a whole business, zip and gzip of recipes. What is unpacked keeps to its limit.
    static let archives = FuzzTarget(name: "archives", seeds: [tar].compactMap(\.self)) { (bytes) throws(Finding) in
        let limit = 1 << 20
        if let unpacked = try? GZip.decompressed(bytes, limit: limit) {
            try require(unpacked.count <= limit, "gzip gave \(unpacked.count) bytes")
        }
        if let zip = try? ZipArchive(bytes, entries: 100) {
            for entry in zip.entries {
                guard let unpacked = try? zip.contents(of: entry, limit: limit) else { continue }
                try require(unpacked.count <= limit, "zip gave \(unpacked.count) bytes")
            }
        }
        let descriptor = nameless()
        defer { close(descriptor) }
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else { return }
        lseek(descriptor, 0, SEEK_SET)
        guard let reader = try? TarReader(descriptor: descriptor) else { return }
        var total = 0
        while (try? reader.next()) != nil {
            while let block = try? reader.read(), !block.isEmpty, total < 16 * limit { total += block.count }
        }
    }

    /// A file that is gone when it is closed.
    private static func nameless() -> Int32 {
        var path = Array("\(Environment["TMPDIR"] ?? "/tmp")/daybook-fuzz-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        unlink(path)
        return descriptor
    }

    private static let tar: [UInt8]? = {
        let descriptor = nameless()
        defer { close(descriptor) }
        guard let writer = try? TarWriter(descriptor: descriptor),
            (try? writer.begin("orders/event.cbor", size: 5, seconds: 1_711_900_800)) != nil,
            (try? writer.write(Array("hello".utf8))) != nil, (try? writer.finish()) != nil
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        lseek(descriptor, 0, SEEK_SET)
        return Array(bytes.prefix(max(0, read(descriptor, &bytes, bytes.count))))
    }()
}
