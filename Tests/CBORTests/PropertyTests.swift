import CBOR
import Testing

/// A seeded source, so that a failure can be had again.
struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

struct PropertyTests {
    static let seed = UInt64.random(in: 0 ... .max)
    static let seeds = [1, 2, 3, seed]

    private func tree(_ random: inout Seeded, depth: Int, wire: Bool) -> CBORValue {
        let number = random.next() >> UInt64.random(in: 0..<64, using: &random)
        switch Int.random(in: 0..<(depth == 0 ? 8 : 11), using: &random) {
        case 0: return .unsigned(number)
        case 1: return .negative(number)
        case 2: return .bytes((0..<number % 30).map { UInt8(truncatingIfNeeded: $0) })
        case 3: return .text(text(&random))
        case 4: return .bool(number & 1 == 0)
        case 5: return number & 1 == 0 ? .null : .undefined
        case 6: return .double(Double(bitPattern: random.next()))
        case 7: return .simple(UInt8(32 + number % 224))
        case 8: return .array((0..<number % 30).map { _ in tree(&random, depth: depth - 1, wire: wire) })
        case 9:
            return .map(
                (0..<number % 30).map { index in
                    let key = text(&random) + "\(index)"
                    let isText = wire || index & 1 == 0
                    return .init(
                        isText ? .text(key) : .array([.text(key)]),
                        tree(&random, depth: depth - 1, wire: wire)
                    )
                }
            )
        default:
            let content = tree(&random, depth: depth - 1, wire: wire)
            return wire ? content : .tagged(number, content)
        }
    }

    private func text(_ random: inout Seeded) -> String {
        String((0..<Int.random(in: 0..<12, using: &random)).map { _ in "aé水𐅑\0x".randomElement(using: &random) ?? "a" })
    }

    @Test(arguments: seeds)
    func roundTripsEveryTree(seed: UInt64) throws {
        var random = Seeded(state: seed)
        for round in 0..<300 {
            let isWire = round & 1 == 0
            let value = tree(&random, depth: 4, wire: isWire)
            let encoded = value.encoded()
            for profile in isWire ? [CBORProfile.wire, .rfc8949] : [.rfc8949] {
                let read = try CBORValue(decoding: encoded, profile: profile)
                #expect(read == value, "seed \(seed)")
                #expect(try EncodedCBOR(encoded, profile: profile).bytes == encoded, "seed \(seed)")
            }
        }
    }

    @Test(arguments: seeds)
    func refusesEveryTruncation(seed: UInt64) {
        var random = Seeded(state: seed)
        for _ in 0..<60 {
            let encoded = tree(&random, depth: 3, wire: false).encoded()
            for length in 0..<min(encoded.count, 400) {
                guard case .truncated = refusal(Array(encoded[..<length]), .rfc8949) else {
                    Issue.record("seed \(seed): \(hex(encoded)) cut to \(length) bytes")
                    return
                }
            }
        }
    }

    @Test(arguments: seeds)
    func survivesRandomAndDamagedBytes(seed: UInt64) {
        var random = Seeded(state: seed)
        let valid = try? CBOREncoder().encode(Order.example)
        var accepted = 0
        for round in 0..<20_000 {
            var input: [UInt8]
            if round & 1 == 0, let valid {
                input = valid
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    input[Int.random(in: 0..<input.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
                }
            } else {
                input = (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next())
                }
            }
            for profile in [CBORProfile.wire, .rfc8949] {
                _ = try? CBORDecoder(profile: profile).decode(Order.self, from: input)
                guard let value = try? CBORValue(decoding: input, profile: profile) else { continue }
                accepted += 1
                if profile == .wire { #expect(value.encoded() == input, "seed \(seed): \(hex(input))") }
            }
        }
        #expect(accepted > 0, "seed \(seed)")
    }
}
