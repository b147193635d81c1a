import CBOR
import Testing

struct SequenceTests {
    private let items: [[UInt8]] = [
        [0x01], [0x63, 0x61, 0x62, 0x63], [0x82, 0x01, 0x02], [0xA1, 0x61, 0x61, 0xF6],
        [0x58, 0x18] + [UInt8](repeating: 7, count: 24),
    ]

    @Test(arguments: 1...9)
    func givesEachItemWhateverThePieces(size: Int) throws {
        let bytes = items.flatMap(\.self)
        var sequence = CBORSequence()
        var read: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            sequence.add(bytes[start..<min(start + size, bytes.count)])
            while let item = try sequence.next() { read.append(item.bytes) }
        }
        #expect(read == items)
        #expect(sequence.isAtEnd)
    }

    @Test func tellsWhatIsCutShort() throws {
        var sequence = CBORSequence()
        sequence.add([0x01, 0x63, 0x61])
        #expect(try sequence.next()?.bytes == [0x01])
        #expect(try sequence.next() == nil)
        #expect(!sequence.isAtEnd)
    }

    @Test(arguments: [[0x1C], [0x18, 0x01], [0x62, 0xC3, 0x28], [0xFF]] as [[UInt8]])
    func refusesWhatTheProfileRefuses(bytes: [UInt8]) {
        var sequence = CBORSequence()
        sequence.add(bytes)
        #expect(throws: CBORError.self) { try sequence.next() }
    }

    @Test func aDeclaredLengthCostsNothing() throws {
        var sequence = CBORSequence()
        sequence.add([0x5B, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00])
        #expect(try sequence.next() == nil)
    }
}
