internal import Glibc
package import Messages

/// Where a service's times and identifiers come from: the system, or in a simulation its own clock and chance.
package struct Clock {
    /// The calendar's time.
    package var now: () -> Instant
    /// Milliseconds of a clock that doesn't step back.
    package var monotonic: @Sendable () -> Int64
    package var makeIdentifier: () -> Identifier

    package init(
        now: @escaping () -> Instant,
        monotonic: @escaping @Sendable () -> Int64,
        makeIdentifier: @escaping () -> Identifier
    ) {
        self.now = now
        self.monotonic = monotonic
        self.makeIdentifier = makeIdentifier
    }

    static var system: Clock {
        Clock(now: { .now() }, monotonic: { ServiceLoop.now }, makeIdentifier: { .make() })
    }
}
