import Glibc

/// Random text that a failure can be traced back to by its seed.
struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Up to 12 scalars, mostly where normalization and folding have work to do.
    mutating func text() -> String {
        let blocks: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0xA0...0x24F, 0x300...0x34F, 0x300...0x30A, 0x370...0x52F, 0x590...0x6FF, 0x900...0xDFF,
            0xE00...0xEFF, 0x1100...0x11FF, 0x1E00...0x1FFF, 0x2000...0x214F, 0x3040...0x30FF, 0xAC00...0xD7A3,
            0xFB00...0xFFFD, 0x1D100...0x1D7FF, 0x1F300...0x1FAFF, 0x0...0x10FFFF, 0x438...0x439,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &self) {
            let block = blocks.randomElement(using: &self) ?? 0x61...0x7A
            if let scalar = Unicode.Scalar(UInt32.random(in: block, using: &self)) { text.append(scalar) }
        }
        return String(text)
    }
}

func setLocale(_ variable: String, to value: String) {
    for other in ["LC_ALL", "LC_COLLATE", "LANG"] { unsetenv(other) }
    setenv(variable, value, 1)
    setlocale(LC_ALL, "")
}

func setZone(_ value: String) {
    setenv("TZ", value, 1)
}
