internal import Messages

/// The order of a list of parts that two sides changed since the version that both know.
///
/// Each side's change is seen as moves: the fewest parts that, taken out and put elsewhere, make its order. Moves of
/// different parts go together; the same part moved to different places is a conflict.
enum PartOrder {
    /// The order with both sides' moves and additions; nil where both moved the same part to different places.
    ///
    /// What I moved or added stands behind the part that it stands behind in `mine`; at the end of `mine`, it comes last.
    ///
    /// - Parameters:
    ///   - base: the ids before both changes; no id twice, as in the others.
    ///   - mine: the ids after my change.
    ///   - theirs: the ids after the other change, which was stored first.
    /// - Returns: every id that is in `mine` or `theirs` and was not taken out by the other side, once.
    static func merged(base: [Identifier], mine: [Identifier], theirs: [Identifier]) -> [Identifier]? {
        let (was, my, their) = (Set(base), Set(mine), Set(theirs))
        let kept = base.filter { my.contains($0) && their.contains($0) }
        let isKept = Set(kept)
        let (myKept, theirKept) = (mine.filter(isKept.contains), theirs.filter(isKept.contains))
        var moved: Set<Identifier> = []
        if myKept != kept, myKept != theirKept {
            let first = Self.moved(from: kept, to: myKept, avoiding: [])
            let theirMoves = Self.moved(from: kept, to: theirKept, avoiding: first)
            moved = Self.moved(from: kept, to: myKept, avoiding: theirMoves)
            let (myNeighbours, theirNeighbours) = (neighbours(myKept), neighbours(theirKept))
            for id in moved.intersection(theirMoves) {
                guard myNeighbours[id] == theirNeighbours[id] else { return nil }
                moved.remove(id)
            }
        }
        let isPlaced = { (id: Identifier) in moved.contains(id) || !was.contains(id) && !their.contains(id) }
        var order = theirs.filter { !moved.contains($0) && (my.contains($0) || !was.contains($0)) }
        let settled = mine.lastIndex { !isPlaced($0) && their.contains($0) } ?? -1
        var previous: Identifier?
        for (place, id) in mine.enumerated() {
            if isPlaced(id) {
                if place > settled {
                    order.append(id)
                } else {
                    let index = previous.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
                    order.insert(id, at: index)
                }
            }
            // What the other side took out is nobody's neighbour.
            if isPlaced(id) || their.contains(id) { previous = id }
        }
        return order
    }

    /// The fewest ids to move to make `new` of `old`, which has the same ids; of several ways one that moves as few as
    /// possible of those to avoid.
    private static func moved(
        from old: [Identifier],
        to new: [Identifier],
        avoiding avoided: Set<Identifier>
    ) -> Set<Identifier> {
        let known = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1, $0) })
        let places = new.map { known[$0] ?? 0 }
        // The heaviest ascending run of old places stays: a part more always weighs more than any to avoid.
        var weights: [Int] = []
        var links: [Int?] = []
        for (index, id) in new.enumerated() {
            let own = old.count + 1 + (avoided.contains(id) ? 1 : 0)
            var best: Int?
            var weight = 0
            for earlier in 0..<index where places[earlier] < places[index] && weights[earlier] > weight {
                weight = weights[earlier]
                best = earlier
            }
            weights.append(own + weight)
            links.append(best)
        }
        var stays: Set<Identifier> = []
        var index = weights.indices.max { weights[$0] < weights[$1] }
        while let place = index {
            stays.insert(new[place])
            index = links[place]
        }
        return Set(new).subtracting(stays)
    }

    private struct Neighbours: Equatable {
        var before: Identifier?
        var behind: Identifier?
    }

    private static func neighbours(_ ids: [Identifier]) -> [Identifier: Neighbours] {
        var neighbours: [Identifier: Neighbours] = [:]
        for (index, id) in ids.enumerated() {
            neighbours[id] = Neighbours(
                before: index > 0 ? ids[index - 1] : nil,
                behind: index + 1 < ids.count ? ids[index + 1] : nil
            )
        }
        return neighbours
    }
}
