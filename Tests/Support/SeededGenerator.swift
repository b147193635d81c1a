/// Random numbers that a failure can be traced back to by their seed.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    public let seed: UInt64
    private var state: UInt64

    /// The seed is `DAYBOOK_SEED` where that is set, else random; it is printed.
    public init(_ purpose: String) {
        self.init(seed: Environment["DAYBOOK_SEED"].flatMap { UInt64($0) } ?? .random(in: .min ... .max))
        print("\(purpose): DAYBOOK_SEED=\(seed)")
    }

    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
