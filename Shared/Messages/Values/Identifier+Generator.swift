import Synchronization

extension Identifier {
    /// A new version 7 identifier, greater than every one made before in this process, whatever the thread.
    ///
    /// - Parameter now: the time to carry; the clock's by default. A time given here counts for the later ones too, so
    ///   tests that choose their own times use a ``Generator``.
    public static func make(now: Instant = .now()) -> Identifier { Generator.shared.make(now: now) }

    /// Makes version 7 identifiers in strictly rising order (RFC 9562, section 6.2, method 1).
    ///
    /// The 48-bit millisecond and a 12-bit counter (in `rand_a`) are one 60-bit number, moved on by compare and
    /// exchange: no lock, and any number of threads. A new millisecond starts its counter at random in the lower half.
    /// When the counter is full, or the clock was set back, the number simply counts on: the time carried may then run
    /// ahead of the clock, as section 6.2 allows. The last 62 bits come from the system's random source.
    public final class Generator: Sendable {
        static let shared = Generator()

        private let last = Atomic<UInt64>(0)

        /// A generator with a memory of its own.
        public init() {}

        /// A new identifier, greater than every one this generator made before.
        ///
        /// - Parameter now: held to the 48 bits of milliseconds there are, 1970 to the year 10889.
        public func make(now: Instant = .now()) -> Identifier {
            var source = SystemRandomNumberGenerator()
            let random = source.next()
            let milliseconds = UInt64(min(max(now.milliseconds, 0), 0xffff_ffff_ffff))
            let fresh = milliseconds << 12 | source.next() & 0x7ff
            var count: UInt64
            var seen = last.load(ordering: .relaxed)
            while true {
                count = max(fresh, (seen + 1) & 0xfff_ffff_ffff_ffff)
                let (exchanged, original) = last.weakCompareExchange(
                    expected: seen,
                    desired: count,
                    ordering: .relaxed
                )
                if exchanged { break }
                seen = original
            }
            return Identifier(
                high: (count >> 12) << 16 | 0x7000 | count & 0xfff,
                low: 0b10 << 62 | random & 0x3fff_ffff_ffff_ffff
            )
        }
    }
}
