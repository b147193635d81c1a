import Archive
import Support
import Testing

struct GZipTests {
    private let text = Array("Mix, rest, bake. ".utf8)

    @Test func unpacksOneMemberAndSeveral() throws {
        let large = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        #expect(try GZip.decompressed(PackedFile.gzip(large), limit: 1 << 20) == large)
        let two = PackedFile.gzip(text) + PackedFile.gzip(large)
        #expect(try GZip.decompressed(two, limit: 1 << 20) == text + large)
        #expect(try GZip.decompressed(PackedFile.gzip([]), limit: 0) == [])
    }

    @Test func everyCutIsRefused() throws {
        let whole = PackedFile.gzip(text)
        for count in 2..<whole.count {
            #expect(throws: ArchiveError.cutShort, "\(count) bytes") {
                try GZip.decompressed(Array(whole.prefix(count)), limit: 1000)
            }
        }
    }

    @Test func anotherChecksumIsRefused() {
        var bytes = PackedFile.gzip(text)
        bytes[bytes.count - 6] ^= 1
        #expect(throws: ArchiveError.damaged) { try GZip.decompressed(bytes, limit: 1000) }
    }

    @Test func whatUnpacksToMoreThanTheLimitIsRefused() {
        #expect(throws: ArchiveError.tooLarge(limit: 1 << 20)) {
            try GZip.decompressed(PackedFile.bomb(8 << 20), limit: 1 << 20)
        }
    }

    @Test func anyChangedByteEndsInAnErrorOrBytesWithinTheLimit() {
        let whole = PackedFile.gzip(text)
        for index in whole.indices {
            for value in [UInt8(0), 1, 0x7F, 0xFF] {
                var bytes = whole
                bytes[index] = value
                if let result = try? GZip.decompressed(bytes, limit: 1000) { #expect(result.count <= 1000) }
            }
        }
    }
}
