import Archive
import Support
import Testing

struct ZipArchiveTests {
    private let files: [(name: String, bytes: [UInt8])] = [
        ("a.txt", Array("alpha".utf8)), ("Ha\u{308}hnchen/", []), ("Ha\u{308}hnchen/b.txt", Array("beta".utf8)),
    ]

    @Test func listsAndUnpacksEntriesInOrder() throws {
        let archive = try ZipArchive(PackedFile.zip(files), entries: 10)
        #expect(archive.entries.map { Array($0.name.utf8) } == files.map { Array($0.name.utf8) })
        #expect(archive.entries.map(\.isFolder) == [false, true, false])
        for index in [2, 0] {
            #expect(try archive.contents(of: archive.entries[index], limit: 100) == files[index].bytes)
        }
    }

    @Test func refusesMoreThanTheLimits() throws {
        let bytes = PackedFile.zip(files)
        #expect(throws: ArchiveError.tooManyEntries(limit: 2)) { _ = try ZipArchive(bytes, entries: 2) }
        let archive = try ZipArchive(bytes, entries: 3)
        #expect(throws: ArchiveError.tooLarge(limit: 4)) { try archive.contents(of: archive.entries[0], limit: 4) }
    }

    @Test func anotherChecksumIsRefusedAndTheNextEntryIsRead() throws {
        var bytes = PackedFile.zip(files)
        // The last byte of "alpha", behind the entry's head of 30 bytes and its name.
        bytes[30 + 5 + 4] ^= 1
        let archive = try ZipArchive(bytes, entries: 10)
        #expect(throws: ArchiveError.damaged) { try archive.contents(of: archive.entries[0], limit: 100) }
        #expect(try archive.contents(of: archive.entries[2], limit: 100) == files[2].bytes)
    }

    @Test func everyCutIsRefused() {
        let whole = PackedFile.zip(files)
        for count in 0..<whole.count {
            #expect(throws: ArchiveError.self, "\(count) bytes") {
                _ = try ZipArchive(Array(whole.prefix(count)), entries: 10)
            }
        }
    }

    @Test func anyChangedByteEndsInAnErrorOrAnEntry() {
        let whole = PackedFile.zip(files)
        for index in whole.indices {
            for value in [UInt8(0), 1, 0x80, 0xFF] {
                var bytes = whole
                bytes[index] = value
                guard let archive = try? ZipArchive(bytes, entries: 10) else { continue }
                for entry in archive.entries {
                    if let contents = try? archive.contents(of: entry, limit: 100) { #expect(contents.count <= 100) }
                }
            }
        }
    }
}
