import Archive
import Glibc
import Testing

struct TarArchiveTests {
    private func temporary() throws -> Int32 {
        var template = Array("/tmp/daybook-tar-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        unlink(template)
        return descriptor
    }

    private let files: [(name: String, content: [UInt8])] = [
        ("manifest.json", Array("{}".utf8)), ("orders/event.cbor", []),
        (
            "orders/pictures/\(String(repeating: "a", count: 120)).jpg",
            (0..<700_000).map { UInt8(truncatingIfNeeded: $0) }
        ),
    ]

    private func write(to descriptor: Int32) throws {
        let tar = try TarWriter(descriptor: descriptor)
        for (name, content) in files {
            try tar.begin(name, size: content.count, seconds: 1_711_900_000)
            for start in stride(from: 0, to: content.count, by: 100_000) {
                try tar.write(Array(content[start..<min(start + 100_000, content.count)]))
            }
        }
        try tar.finish()
    }

    private func read(_ descriptor: Int32) throws -> [(name: String, content: [UInt8])] {
        lseek(descriptor, 0, SEEK_SET)
        let tar = try TarReader(descriptor: descriptor)
        var read: [(name: String, content: [UInt8])] = []
        while let entry = try tar.next() {
            var content: [UInt8] = []
            while case let block = try tar.read(), !block.isEmpty { content += block }
            read.append((entry.name, content))
        }
        return read
    }

    @Test func bringsBackWhatWentIn() throws {
        let descriptor = try temporary()
        defer { close(descriptor) }
        try write(to: descriptor)
        let read = try read(descriptor)
        #expect(read.map(\.name) == files.map(\.name))
        #expect(read.map(\.content) == files.map(\.content))
    }

    @Test(arguments: [0, 100, 512, 3000, 400_000])
    func tellsWhatIsCutShort(length: Int) throws {
        let descriptor = try temporary()
        defer { close(descriptor) }
        try write(to: descriptor)
        ftruncate(descriptor, length)
        // Between two files nothing tells; there the caller misses what should be there.
        guard let read = try? read(descriptor) else { return }
        #expect(read.count < files.count)
    }

    @Test func refusesWhatIsNone() throws {
        let descriptor = try temporary()
        defer { close(descriptor) }
        let text = Array("no tar at all, only some words that go on for a while".utf8)
        #expect(Glibc.write(descriptor, text, text.count) == text.count)
        #expect(throws: ArchiveError.self) { try read(descriptor) }
    }

    @Test func saysWhyItCannotBeWritten() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        #expect(throws: ArchiveError.notWritten("No space left on device")) { try write(to: descriptor) }
    }

    /// A writer that is given up writes no end, which would make a cut archive look whole.
    @Test func whatIsGivenUpIsCut() throws {
        let descriptor = try temporary()
        defer { close(descriptor) }
        do {
            let tar = try TarWriter(descriptor: descriptor)
            try tar.begin("orders.db", size: 700_000, seconds: 0)
            try tar.write([UInt8](repeating: 1, count: 300_000))
        }
        #expect(throws: ArchiveError.self) { try read(descriptor) }
    }
}
