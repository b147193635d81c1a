/// How many letters have to be inserted, deleted, replaced or swapped with their neighbour to make one text of another.
public enum EditDistance {
    /// The distance (optimal string alignment) by Unicode scalars; nil where it is more than `limit`, or where it would
    /// replace half of the shorter text or more: `Bo` is no slip of `Al`.
    ///
    /// Costs the product of both lengths; texts of more than 100 scalars are not compared.
    public static func between(_ first: String, _ second: String, atMost limit: Int) -> Int? {
        let (a, b) = (Array(first.unicodeScalars), Array(second.unicodeScalars))
        guard a.count <= 100, b.count <= 100, abs(a.count - b.count) <= limit else { return nil }
        if a.isEmpty || b.isEmpty { return nil }
        var older: [Int] = []
        var previous = Array(0...b.count)
        for i in 1...a.count {
            var current = [i] + Array(repeating: 0, count: b.count)
            for j in 1...b.count {
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                current[j] = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    current[j] = min(current[j], older[j - 2] + 1)
                }
            }
            (older, previous) = (previous, current)
        }
        let distance = previous[b.count]
        return distance <= limit && distance * 2 < min(a.count, b.count) + 1 ? distance : nil
    }
}
