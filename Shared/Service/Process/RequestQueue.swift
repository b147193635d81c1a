/// Requests that have arrived and wait for their turn, in the order of their arrival.
///
/// It is bounded in number and in bytes: with more work than can be done, what comes last is refused at once, when trying
/// again is still of use, and neither takes memory nor delays what came before.
struct RequestQueue {
    typealias Item = (envelope: Envelope, request: Incoming)

    /// The most requests: eight groups.
    static let most = 8 * ServiceLoop.largestGroup
    /// The most bytes of their bodies together, unless one alone has more.
    static let mostBytes = 64 << 20
    /// The limits of what is said of when to try again, in milliseconds.
    private static let rest = 100.0...5000.0

    /// From `first` on.
    private var items: [Item] = []
    private var first = 0
    private var bytes = 0
    /// What one took of late.
    private var seconds = 0.0

    var count: Int { items.count - first }
    var isEmpty: Bool { count == 0 }

    /// - Returns: false where there is no room for it.
    mutating func add(_ item: Item) -> Bool {
        guard count < Self.most, isEmpty || bytes + item.request.body.count <= Self.mostBytes else { return false }
        bytes += item.request.body.count
        items.append(item)
        return true
    }

    /// Takes so many at most out of it, the first first.
    mutating func take(_ most: Int) -> [Item] {
        let taken = Array(items[first...].prefix(most))
        first += taken.count
        for item in taken { bytes -= item.request.body.count }
        if first * 2 >= items.count {
            items.removeFirst(first)
            first = 0
        }
        return taken
    }

    /// How long so many took to decide, for what is said of when to try again.
    mutating func decided(_ count: Int, seconds time: Double) {
        guard count > 0 else { return }
        seconds += (time / Double(count) - seconds) / 8
    }

    /// In how many milliseconds what is in it now will be done, as it looks.
    var retryAfter: Int {
        Int(min(max(Double(count) * seconds * 1000, Self.rest.lowerBound), Self.rest.upperBound))
    }
}
