import CBOR
import Foundation
import Testing

struct RefusalTests {
    static let lies = [
        "9affffffff", "9a7fffffff", "9bffffffffffffffff", "bb7fffffffffffffff", "5b8000000000000000",
        "5bffffffffffffffff010203", "7b7fffffffffffffff010203", "9b5468479e9841d5ed00",
    ]

    @Test(arguments: lies)
    func refusesALyingLengthAtOnce(hex: String) {
        let input = bytes(hex)
        let taken = ContinuousClock().measure {
            #expect(refusal(input) == .truncated(offset: input.count))
            #expect(refusal(input, .rfc8949) == .truncated(offset: input.count))
        }
        #expect(taken < .milliseconds(50))
    }

    /// In a process of its own, since the memory of this one is also that of the tests beside it.
    @Test func doesNotGrowByLyingLengths() async {
        await #expect(processExitsWith: .success) {
            func residentPages() throws -> Int {
                let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
                return try #require(Int(fields[1]))
            }
            func refuse(_ input: [UInt8]) {
                #expect(refusal(input) != nil)
                #expect(throws: CBORError.self) { try CBORDecoder().decode([String].self, from: input) }
            }
            let inputs = RefusalTests.lies.map(bytes)
            inputs.forEach(refuse)
            let before = try residentPages()
            for input in inputs {
                for _ in 0..<1_000 { refuse(input) }
            }
            // 8 MiB in pages of 4 KiB.
            try #require(residentPages() - before < 2_048)
        }
    }

    @Test(arguments: [CBORProfile.rfc8949, .wire])
    func refusesAKeyThatOccursTwice(profile: CBORProfile) {
        let input = bytes("a2 64 6e616d65 63 416e6e 64 6e616d65 63 426f62")
        #expect(refusal(input, profile) == .duplicateKey("name"))
        #expect(throws: CBORError.duplicateKey("name")) {
            try CBORDecoder(profile: profile).decode([String: String].self, from: input)
        }
    }

    @Test(arguments: ["62c328", "63eda080", "62c080", "7f61c361a9ff"])
    func refusesBrokenUTF8(hex: String) {
        #expect(throws: CBORError.invalidUTF8(offset: hex.hasPrefix("7f") ? 2 : 1)) {
            try CBORDecoder(profile: .rfc8949).decode(String.self, from: bytes(hex))
        }
        #expect(refusal(bytes(hex), .wire) != nil)
    }

    @Test(arguments: [
        ("a2 01 00 1801 00", "1"), ("a2 6161 00 7f 6161 ff 00", "a"), ("a2 f93c00 00 fa3f800000 00", "1.0"),
        ("a2 a2 01 02 03 04 00 a2 03 04 01 02 00", "{1: 2, 3: 4}"), ("a2 f97e00 00 fa7fc00000 00", "NaN"),
        ("bf 20 00 3800 00 ff", "-1"), ("a2 6161 00 7801 61 00", "a"),
    ])
    func refusesOneKeyInTwoForms(hex: String, key: String) {
        #expect(refusal(bytes(hex), .rfc8949) == .duplicateKey(key))
    }

    @Test(arguments: [
        "a2 01 00 6131 00", "a2 01 00 f93c00 00", "a2 f90000 00 f98000 00", "a2 40 00 60 00", "a1 a1 6161 00 00",
    ])
    func acceptsKeysThatOnlyLookAlike(hex: String) {
        #expect(refusal(bytes(hex), .rfc8949) == nil)
    }

    @Test func findsADuplicateAmongManyKeys() {
        var writer = CBORWriter()
        writer.mapHead(100_001)
        for number in 0..<100_001 {
            writer.text("a key with a common beginning \(number % 100_000) and end")
            writer.null()
        }
        #expect(refusal(writer.bytes) == .duplicateKey("a key with a common beginning 0 and end"))
    }

    /// Each is written anew to be compared: once, and not twice in each of nested keys.
    @Test(.timeLimit(.minutes(1))) func comparesKeysWithinKeys() {
        let nested = String(repeating: "a1", count: 29) + "00" + String(repeating: "00", count: 29)
        #expect(refusal(bytes("a1" + nested + "00"), .rfc8949) == nil)
        #expect(refusal(bytes("a2" + nested + "00" + nested + "00"), .rfc8949) != nil)
    }

    @Test func findsADuplicateInAMapBehindAnInnerMap() {
        #expect(refusal(bytes("a3 6161 a1 6161 00 6162 a1 6162 00 6163 00")) == nil)
        #expect(refusal(bytes("a3 6161 a1 6162 00 6162 00 6161 00")) == .duplicateKey("a"))
    }

    @Test(arguments: [
        ("1817", "not the shortest form"), ("1900ff", "not the shortest form"), ("1a0000ffff", "not the shortest form"),
        ("1b00000000ffffffff", "not the shortest form"),
        ("7817" + String(repeating: "61", count: 23), "not the shortest form"),
        ("980101", "not the shortest form"), ("b8016161 00", "not the shortest form"),
        ("fb3ff0000000000000", "not the shortest form"), ("fa3f800000", "not the shortest form"),
        ("fa7fc00000", "not the shortest form"), ("f97e01", "not the shortest form"),
        ("9f00ff", "an indefinite length"), ("bf616100ff", "an indefinite length"),
        ("7f6161ff", "an indefinite length"),
        ("5f4161ff", "an indefinite length"), ("c100", "a tag"), ("a10000", "a key that is not text"),
        ("a1406161", "a key that is not text"),
    ])
    func refusesOnTheWireWhatTheRFCAllows(hex: String, reason: String) {
        #expect(refusal(bytes(hex), .rfc8949) == nil)
        guard case .notCanonical(_, reason) = refusal(bytes(hex), .wire) else {
            Issue.record("\(hex): \(String(describing: refusal(bytes(hex), .wire)))")
            return
        }
    }

    @Test(arguments: ["81", "9f", "a1 6161", "c1", "bf 6161"])
    func refusesThe33rdLevel(head: String) {
        let opening = bytes(head)
        func nested(_ levels: Int) -> [UInt8] {
            let close = opening[0] & 31 == 31 ? [UInt8](repeating: 0xff, count: levels) : []
            return Array((0..<levels).map { _ in opening }.joined()) + [0] + close
        }
        #expect(refusal(nested(32), .rfc8949) == nil)
        #expect(refusal(nested(33), .rfc8949) == .tooDeep(maximum: 32))
        #expect(refusal(nested(33), .rfc8949, maximumDepth: 33) == nil)
        #expect(refusal(nested(500_000), .rfc8949) == .tooDeep(maximum: 32))
    }

    @Test func refusesATrailingByte() {
        #expect(refusal(bytes("0000")) == .trailingBytes(offset: 1))
        #expect(throws: CBORError.trailingBytes(offset: 1)) { try CBORDecoder().decode(Int.self, from: bytes("0000")) }
        #expect(refusal([]) == .truncated(offset: 0))
        #expect(refusal(bytes("9f00ffff"), .rfc8949) == .trailingBytes(offset: 3))
    }

    @Test func refusesATypeThatLeavesPartsUnread() {
        #expect(throws: CBORError.trailingBytes(offset: 1)) {
            try CBORReader.withBytes(bytes("820102")) { (reader) throws(CBORError) in _ = try reader.arrayHead() }
        }
    }

    @Test func refusesATypeThatReadsTooMuch() {
        #expect(throws: CBORError.truncated(offset: 3)) {
            try CBORReader.withBytes(bytes("820102")) { (reader) throws(CBORError) in
                for _ in 0..<9 { try reader.skipItem() }
            }
        }
    }
}
