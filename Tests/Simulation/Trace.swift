import ZeroMQ

/// What happened, as one number, and as lines where somebody reads them: a schedule that is run again gives the same.
struct Trace {
    /// FNV-1a, 64 bits, over everything that was noted.
    private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    private(set) var lines: [String] = []
    private let keepsLines: Bool

    init(keepsLines: Bool) {
        self.keepsLines = keepsLines
    }

    mutating func note(_ what: Kind, _ first: Int64 = 0, _ second: Int64 = 0, _ line: @autoclosure () -> String) {
        add(UInt64(what.rawValue))
        add(UInt64(bitPattern: first))
        add(UInt64(bitPattern: second))
        if keepsLines { lines.append(line()) }
    }

    /// Adds a message, byte for byte.
    mutating func add(_ frames: [Frame]) {
        for frame in frames {
            var hash = hash
            frame.withUnsafeBytes { bytes in
                for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            }
            self.hash = hash
        }
    }

    private mutating func add(_ number: UInt64) {
        hash = (hash ^ number) &* 0x100_0000_01b3
        hash ^= hash >> 29
    }

    enum Kind: UInt8 {
        case time, connect, deliver, lose, reset, run, scan, ask, outcome, crash, start, stop, cut, commit, take
        case watch, copy, putBack, stall, settle
    }
}
