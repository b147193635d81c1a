import Foundation
import Messages
import Testing

@Suite struct IdentifierTests {
    private static let sample = Identifier(high: 0x018e_95c2_4f00_7a31, low: 0x9c2e_5b0d_8f1a_6e47)
    private static let text = "018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47"

    @Test func printsAndReadsEveryForm() throws {
        let sample = Self.sample
        #expect(sample.description == Self.text)
        #expect(Identifier(Self.text) == sample)
        #expect(Identifier(Self.text.uppercased()) == sample)
        #expect(sample.hexadecimal == "018e95c24f007a319c2e5b0d8f1a6e47")
        #expect(
            sample.bytes == [1, 0x8e, 0x95, 0xc2, 0x4f, 0, 0x7a, 0x31, 0x9c, 0x2e, 0x5b, 0xd, 0x8f, 0x1a, 0x6e, 0x47]
        )
        #expect(Identifier(bytes: sample.bytes) == sample)
        #expect(sample.withUnsafeBytes { Array($0) } == sample.bytes)
    }

    @Test(arguments: [
        "", "018e95c24f007a319c2e5b0d8f1a6e47", "018e95c2-4f00-7a31-9c2e-5b0d8f1a6e4",
        "018e95c2-4f00-7a31-9c2e-5b0d8f1a6e470", "018e95c2-4f00-7a31-9c2e-5b0d8f1a6e4g",
        "018e95c24-f00-7a31-9c2e-5b0d8f1a6e47", "018e95c2-4f00-7a31-9c2e-5b0d8f1a6e4\u{301}",
        "{18e95c2-4f00-7a31-9c2e-5b0d8f1a6e4}", " 18e95c2-4f00-7a31-9c2e-5b0d8f1a6e47",
        "-18e95c2-4f00-7a31-9c2e-5b0d8f1a6e47",
    ])
    func refusesOtherTexts(_ text: String) {
        #expect(Identifier(text) == nil)
    }

    @Test(arguments: [0, 1, 15, 17, 32]) func refusesOtherByteCounts(_ count: Int) {
        #expect(Identifier(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test func agreesWithFoundationOnRandomValues() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var source = Seeded(seed)
        for _ in 0..<2000 {
            let value = Identifier(high: source.next(), low: source.next())
            let foreign = try #require(UUID(uuidString: value.description), "seed \(seed)")
            let bytes = withUnsafeBytes(of: foreign.uuid) { Array($0) }
            #expect(bytes == value.bytes, "seed \(seed)")
            #expect(Identifier(foreign.uuidString) == value, "seed \(seed)")
        }
    }

    @Test func ordersByBytes() {
        let seed = UInt64.random(in: 0 ... .max)
        var source = Seeded(seed)
        let values = (0..<500).map { _ in Identifier(high: source.next() >> 62, low: source.next()) }
        let byValue = values.sorted().map(\.bytes)
        #expect(byValue == values.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }, "seed \(seed)")
    }

    @Test(arguments: [
        (4, "6e47"), (0, ""), (-3, ""), (17, "19c2e5b0d8f1a6e47"), (99, "018e95c24f007a319c2e5b0d8f1a6e47"),
    ])
    func namesTheTail(_ count: Int, _ expected: String) {
        #expect(Self.sample.tail(count) == expected)
    }

    @Test(arguments: 1...32) func spansThePrefix(_ count: Int) throws {
        let digits = Self.sample.hexadecimal.prefix(count)
        let range = try #require(Identifier.range(prefix: String(digits)))
        #expect(range.lowerBound.hexadecimal == digits + String(repeating: "0", count: 32 - count))
        #expect(range.upperBound.hexadecimal == digits + String(repeating: "f", count: 32 - count))
        #expect(range.contains(Self.sample))
    }

    @Test func readsPrefixesWithHyphensAndRefusesOthers() {
        #expect(Identifier.range(prefix: Self.text) == Self.sample...Self.sample)
        #expect(Identifier.range(prefix: "018E95C2-4") == Identifier.range(prefix: "018e95c24"))
        for text in ["", "-", "xyz", "01 8", Self.text + "0", "é"] { #expect(Identifier.range(prefix: text) == nil) }
    }

    @Test func codesAsText() throws {
        let json = try JSONEncoder().encode([Self.sample])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(Self.text)\"]")
        #expect(try JSONDecoder().decode([Identifier].self, from: json) == [Self.sample])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Identifier].self, from: Data("[\"12\"]".utf8)) }
    }
}

@Suite struct IdentifierGeneratorTests {
    @Test func carriesTheTimeVersionAndVariant() throws {
        // RFC 9562, appendix A.6: 2022-02-22T14:22:22-05:00.
        let now = try Instant(parsing: "2022-02-22T14:22:22-05:00")
        let made = Identifier.Generator().make(now: now)
        #expect(made.version == 7)
        #expect(made.low >> 62 == 0b10)
        #expect(made.milliseconds == 1_645_557_742_000)
        #expect(made.description.hasPrefix("017f22e2-79b0-7"))
        #expect(Identifier(high: 0x4000, low: 0).milliseconds == nil)
        let before = Instant.now().milliseconds
        let time = try #require(Identifier.make().milliseconds)
        #expect(time >= before)
    }

    @Test func startsTheCounterInTheLowerHalf() {
        for _ in 0..<500 { #expect(Identifier.Generator().make().high & 0x800 == 0) }
    }

    @Test func risesWhileTheClockStandsOrSteps() throws {
        let generator = Identifier.Generator()
        let noon = try Instant(parsing: "2024-03-31T12:00:00Z")
        var last = generator.make(now: noon)
        // More than the counter holds, so it has to run into the next milliseconds.
        for _ in 0..<20_000 {
            let next = generator.make(now: noon)
            #expect(next > last)
            last = next
        }
        #expect(last.milliseconds ?? 0 > noon.milliseconds)
        #expect(last.milliseconds ?? 0 <= noon.milliseconds + 6)
        let earlier = generator.make(now: noon.advanced(by: .seconds(-3600)))
        #expect(earlier > last)
        let later = generator.make(now: noon.advanced(by: .seconds(3600)))
        #expect(later > earlier)
        #expect(later.milliseconds == noon.milliseconds + 3_600_000)
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max]) func holdsAnyTimeWithin48Bits(_ microseconds: Int64) {
        let made = Identifier.Generator().make(now: Instant(microseconds: microseconds))
        #expect(made.version == 7)
        let time = made.milliseconds ?? -1
        #expect(time == min(max(Instant(microseconds: microseconds).milliseconds, 0), 0xffff_ffff_ffff))
    }

    @Test(.timeLimit(.minutes(5))) func risesOnEachOfEightThreadsWithoutDuplicates() async {
        let generator = Identifier.Generator()
        let made = await withTaskGroup(of: [Identifier].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await onThread { (0..<10_000).map { _ in generator.make() } }
                }
            }
            return await group.reduce(into: [[Identifier]]()) { $0.append($1) }
        }
        #expect(made.count == 8)
        for list in made { #expect(zip(list, list.dropFirst()).allSatisfy { $0 < $1 }) }
        // The first 60 bits alone are unique: the order doesn't rest on the random end.
        #expect(Set(made.joined().map(\.high)).count == 80_000)
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: body()) }.start()
        }
    }
}
