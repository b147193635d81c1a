import Messages

/// How orders bill walks: `walks` in the configuration file.
///
///     "walks": {"service": "Walk, one hour", "per": "hour", "price": "15.00"}
struct WalkBilling: Sendable, Hashable {
    /// What one of the price is.
    enum Unit: String, Sendable {
        /// A walk, with however many of the customer's dogs.
        case walk
        /// A walk with one of them.
        case dog
        /// An hour, in hundredths, with however many of them.
        case hour
    }

    static let keys = ["service", "per", "price"]

    /// What the rows' service is called; without one nothing can be billed.
    var service: String?
    var per = Unit.walk
    /// In the order's currency; nil for the service's own.
    var price: String?

    /// What is found of a customer's walks.
    struct Selection: Sendable, Equatable {
        /// Each with those of the customer's dogs that are billed.
        var billable: [Item] = []
        /// Those that go on.
        var running: [Walk] = []
        /// Those without an end, where hours are billed.
        var endless: [Walk] = []
    }

    struct Item: Sendable, Equatable {
        var walk: Walk
        var dogs: [WalkDog]
    }

    /// Which of these walks are to be billed to the owner of the dogs.
    ///
    /// - Parameter billed: what orders bill already. Where dogs don't count, a walk with one of the dogs is billed whole.
    func selection(of walks: [Walk], with dogs: Set<Identifier>, billed: Set<BilledWalk>) -> Selection {
        var selection = Selection()
        for walk in walks.sorted(by: { ($0.start, $0.number) < ($1.start, $1.number) }) {
            let all = walk.dogs.filter { dogs.contains($0.dog) }
            var left = all.filter { !billed.contains(BilledWalk(walk: walk.id, dog: $0.dog)) }
            if per != .dog, left.count < all.count { left = [] }
            if left.isEmpty { continue }
            if walk.running == true {
                selection.running.append(walk)
            } else if per == .hour, walk.end == nil {
                selection.endless.append(walk)
            } else {
                selection.billable.append(Item(walk: walk, dogs: left))
            }
        }
        return selection
    }

    /// How many of the price a walk costs.
    func quantity(of item: Item) -> Quantity {
        switch per {
        case .walk: .one
        case .dog: Quantity(millionths: Int64(item.dogs.count) * 1_000_000)
        case .hour: Quantity(millionths: ((item.walk.seconds ?? 0) + 18) / 36 * 10_000)
        }
    }

    /// What the row says: `2024-02-03 Frieda, Rex`.
    ///
    /// - Parameter day: the walk's, in the user's zone.
    static func label(of item: Item, on day: CalendarDay) -> String {
        let names = item.dogs.compactMap(\.dogName).joined(separator: ", ")
        // A row's text has at most 200 characters.
        return names.count > 180 ? "\(day) \(item.dogs.count) dogs" : "\(day) \(names)"
    }
}
