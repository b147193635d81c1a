/// A place in a distributed trace: the value of the header `traceparent` of W3C Trace Context, version 00.
///
///     00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
public struct TraceContext: Sendable, Hashable, CustomStringConvertible {
    /// The whole trace; never all zeros. Two halves, the high one first.
    let trace: (high: UInt64, low: UInt64)
    /// The operation that is the parent of what is told this; never zero.
    let parent: UInt64
    /// Whether the caller may have recorded it.
    let flags: UInt8

    /// Reads a value.
    ///
    /// - Returns: nil for another form. Of later versions the first four fields are read, as the recommendation asks.
    public init?(_ text: String) {
        let fields = Array(text.utf8).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard fields.count >= 4, let version = Self.number(fields[0], digits: 2), version != 0xFF,
            version != 0 || fields.count == 4,
            fields[1].count == 32, let high = Self.number(fields[1].prefix(16), digits: 16),
            let low = Self.number(fields[1].suffix(16), digits: 16), (high, low) != (0, 0),
            let parent = Self.number(fields[2], digits: 16), parent != 0,
            let flags = Self.number(fields[3], digits: 2)
        else { return nil }
        self.init(trace: (high, low), parent: parent, flags: UInt8(flags))
    }

    private init(trace: (high: UInt64, low: UInt64), parent: UInt64, flags: UInt8) {
        (self.trace, self.parent, self.flags) = (trace, parent, flags)
    }

    /// The same trace with a new operation.
    public func child() -> TraceContext {
        TraceContext(trace: trace, parent: .random(in: 1 ... .max), flags: flags)
    }

    public var description: String {
        "00-\(traceID)-\(Self.hex(parent, digits: 16))-\(Self.hex(UInt64(flags), digits: 2))"
    }

    /// The trace's id, 32 hexadecimal digits.
    public var traceID: String { Self.hex(trace.high, digits: 16) + Self.hex(trace.low, digits: 16) }

    public static func == (left: TraceContext, right: TraceContext) -> Bool {
        left.trace == right.trace && left.parent == right.parent && left.flags == right.flags
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(trace.high)
        hasher.combine(trace.low)
        hasher.combine(parent)
        hasher.combine(flags)
    }

    private static func number(_ text: ArraySlice<UInt8>, digits: Int) -> UInt64? {
        let isHex = text.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.count == digits, isHex else { return nil }
        return UInt64(String(decoding: text, as: UTF8.self), radix: 16)
    }

    private static func hex(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
