import CBOR
import Testing

struct FormTests {
    @Test(arguments: [
        (0, "00"), (23, "17"), (24, "1818"), (255, "18ff"), (256, "190100"), (65_535, "19ffff"), (65_536, "1a00010000"),
        (4_294_967_295, "1affffffff"), (4_294_967_296, "1b0000000100000000"), (Int64.max, "1b7fffffffffffffff"),
        (-1, "20"), (-24, "37"), (-25, "3818"), (-256, "38ff"), (-257, "390100"), (-65_536, "39ffff"),
        (-65_537, "3a00010000"), (-4_294_967_296, "3affffffff"), (-4_294_967_297, "3b0000000100000000"),
        (Int64.min, "3b7fffffffffffffff"),
    ])
    func writesIntegersInTheShortestForm(value: Int64, expected: String) throws {
        #expect(hex(try CBOREncoder().encode(value)) == expected)
        #expect(try CBORDecoder().decode(Int64.self, from: bytes(expected)) == value)
    }

    @Test(arguments: [
        (0.0, "f90000"), (-0.0, "f98000"), (1.5, "f93e00"), (65_504, "f97bff"), (65_505, "fa477fe100"),
        (5.960464477539063e-08, "f90001"), (1.1, "fb3ff199999999999a"), (100_000, "fa47c35000"),
        (.infinity, "f97c00"), (-.infinity, "f9fc00"), (.nan, "f97e00"), (3.4028234663852886e+38, "fa7f7fffff"),
        (1e300, "fb7e37e43c8800759c"), (.leastNonzeroMagnitude, "fb0000000000000001"),
    ])
    func writesFloatsInTheShortestForm(value: Double, expected: String) throws {
        #expect(hex(try CBOREncoder().encode(value)) == expected)
        let read = try CBORDecoder().decode(Double.self, from: bytes(expected))
        #expect(CBORValue.double(read) == .double(value))
    }

    @Test(arguments: [23, 24, 255, 256, 65_535, 65_536])
    func patchesTheCountsOfContainers(count: Int) throws {
        struct Keyed: Encodable {
            var count: Int
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Name.self)
                for index in 0..<count { try map.encode(index, forKey: Name(stringValue: "\(index)")) }
            }
        }
        struct Unkeyed: Encodable {
            var count: Int
            func encode(to encoder: any Encoder) throws {
                var array = encoder.unkeyedContainer()
                for _ in 0..<count { try array.encode([Keyed(count: 24)]) }
            }
        }
        let keyed = try CBOREncoder().encode(["before": Keyed(count: count), "zafter": Keyed(count: 1)])
        guard case .map(let pairs)? = try CBORValue(decoding: keyed)["before"] else { return #expect(Bool(false)) }
        #expect(pairs.map(\.value) == (0..<UInt64(count)).map(CBORValue.unsigned))
        guard count <= 256 else { return }
        let unkeyed = try CBORValue(decoding: try CBOREncoder().encode(Unkeyed(count: count)))
        guard case .array(let items) = unkeyed else { return #expect(Bool(false)) }
        #expect(items.count == count)
    }

    struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test func writesBytesAsAByteString() throws {
        #expect(hex(try CBOREncoder().encode([UInt8](1...4))) == "4401020304")
        #expect(
            hex(try CBOREncoder().encode(["a": [[UInt8]()], "b": nil])) == "a26161814061 62f6".filter { $0 != " " }
        )
        #expect(try CBORDecoder().decode([UInt8]?.self, from: bytes("420102")) == [1, 2])
        #expect(throws: CBORError.typeMismatch(path: "", expected: "a byte string", found: "an array")) {
            try CBORDecoder().decode([UInt8].self, from: bytes("820102"))
        }
    }

    @Test func sortsDictionariesByTheBytesOfTheirKeys() throws {
        let many = Dictionary(uniqueKeysWithValues: (0..<100).map { ("key\($0)", $0) })
        let value = try CBORValue(decoding: try CBOREncoder().encode(many))
        guard case .map(let pairs) = value else { return #expect(Bool(false)) }
        #expect(pairs.map(\.key) == many.keys.sorted().map(CBORValue.text))
        #expect(hex(try CBOREncoder().encode([2: true, 10: false])) == "a2 623130 f4 6132 f5".filter { $0 != " " })
        #expect(
            try CBORDecoder().decode([Int: Bool].self, from: bytes("a2 6132 f5 623130 f4")) == [2: true, 10: false]
        )
    }

    @Test func refusesTextsThatSwiftTakesForOneKey() {
        let input = bytes("a2 62c3a9 00 6365cc81 01")
        #expect(refusal(input) == nil)
        #expect(throws: CBORError.self) { try CBORDecoder().decode([String: Int].self, from: input) }
    }

    @Test func describesErrorsInOneSentence() {
        #expect("\(CBORError.missingKey(path: "rows[2].sum"))" == "The key rows[2].sum is missing.")
        #expect("\(CBORError.truncated(offset: 3))" == "The input ends too early, at byte 3.")
    }

    @Test(arguments: [
        ("a1 6161 83 01 20 f5", #"{"a": [1, -1, true]}"#), ("62 0a22", #""\u000a\"""#), ("c2 42 0100", "256"),
        ("d818 41ff", "24(h'ff')"), ("f0", "simple(16)"),
    ])
    func describesValuesInDiagnosticNotation(hex: String, text: String) throws {

        #expect("\(try CBORValue(decoding: bytes(hex), profile: .rfc8949))" == text)
    }
}
