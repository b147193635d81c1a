/// "Did you mean": the nearest of a few words.
enum Suggestion {
    /// The candidate nearest to `word` within a third of its letters, at least one and at most three edits; nil if none
    /// is so near. The first of equally near ones wins. Words of more than 64 letters get none.
    static func nearest(to word: String, among candidates: [String], folding: (String) -> String = lowercase) -> String?
    {
        let letters = Array(folding(word))
        guard !letters.isEmpty, letters.count <= 64 else { return nil }
        let limit = min(3, max(1, letters.count / 3))
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let target = Array(folding(candidate))
            guard abs(target.count - letters.count) <= limit else { continue }
            let distance = edits(letters, target)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.candidate
    }

    static func lowercase(_ text: String) -> String { text.lowercased() }

    /// Inserts, deletes, replacements, and swaps of neighbours (optimal string alignment).
    private static func edits(_ first: [Character], _ second: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (i, letter) in first.enumerated() {
            var row = [i + 1]
            for (j, other) in second.enumerated() {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == second[j - 1], other == first[i - 1] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[second.count]
    }
}
