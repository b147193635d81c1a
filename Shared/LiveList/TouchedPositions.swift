/// Positions of touched rows in a list, rising; all others are untouched, and have a rank among themselves.
struct TouchedPositions {
    private let positions: [Int]

    init(_ rising: [Int]) {
        positions = rising
    }

    var count: Int { positions.count }

    /// How many untouched rows stand before a position.
    func untouched(before position: Int) -> Int {
        position - partition { positions[$0] < position }
    }

    /// The ranks of the untouched rows in a stretch.
    func untouched(in stretch: Range<Int>) -> Range<Int> {
        untouched(before: stretch.lowerBound)..<untouched(before: stretch.upperBound)
    }

    /// Where the untouched row of this rank stands.
    func position(ofUntouched rank: Int) -> Int {
        rank + partition { positions[$0] - $0 <= rank }
    }

    private func partition(_ isBelow: (Int) -> Bool) -> Int {
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = (low + high) / 2
            if isBelow(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Chooses a longest rising subsequence of `values`, which are distinct; among the longest one with the most preferred
/// elements. O(n log n).
///
/// - Returns: for each element whether it was chosen.
func longestRise(_ values: [Int], preferring isPreferred: [Bool]) -> [Bool] {
    if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { return values.map { _ in true } }
    var rank = [Int](repeating: 0, count: values.count)
    for (place, element) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated() {
        rank[element] = place + 1
    }
    // A tree of maxima over prefixes (Fenwick): the best chain that ends at or below a rank. An element of length
    // outweighs all preferences together.
    var best = [(weight: Int, end: Int)](repeating: (0, -1), count: values.count + 1)
    var previous = [Int](repeating: -1, count: values.count)
    var top = (weight: 0, end: -1)
    for element in values.indices {
        var chain = (weight: 0, end: -1)
        var place = rank[element] - 1
        while place > 0 {
            if best[place].weight > chain.weight { chain = best[place] }
            place &= place - 1
        }
        previous[element] = chain.end
        chain = (chain.weight + values.count + 1 + (isPreferred[element] ? 1 : 0), element)
        if chain.weight > top.weight { top = chain }
        place = rank[element]
        while place <= values.count {
            if best[place].weight < chain.weight { best[place] = chain }
            place += place & -place
        }
    }
    var chosen = [Bool](repeating: false, count: values.count)
    var element = top.end
    while element >= 0 {
        chosen[element] = true
        element = previous[element]
    }
    return chosen
}
