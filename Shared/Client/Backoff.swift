/// Intervals that double from the shortest up to the longest: 250 ms, 500 ms, 1 s, 2 s, 2 s, …
///
/// A value without a clock: it says how long, the caller says from when.
package struct Backoff: Sendable, Hashable {
    /// The interval to use now.
    package private(set) var interval: Duration
    private let shortest: Duration
    private let longest: Duration

    /// Begins with the shortest interval.
    package init(shortest: Duration = .milliseconds(250), longest: Duration = .seconds(2)) {
        interval = shortest
        self.shortest = shortest
        self.longest = longest
    }

    /// Goes on to the next interval.
    package mutating func advance() {
        interval = min(interval * 2, longest)
    }

    /// Begins again, after a success.
    package mutating func reset() {
        interval = shortest
    }
}
