/// The candidate that `word` was probably meant to be: the nearest within two edits, or else the only one that
/// begins with it.
///
/// Short words allow fewer edits (half their length), so that `up` is not taken for `ls`. Dashes in front don't
/// count as letters. Words of more than 64 letters get no suggestion, which bounds the cost.
func suggestion(for word: String, among candidates: [String]) -> String? {
    let letters = undashed(word)
    guard !letters.isEmpty, letters.count <= 64 else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let target = undashed(candidate)
        // One-letter options are near to everything.
        guard target.count > 1, abs(target.count - letters.count) <= 2 else { continue }
        let limit = min(2, max(1, letters.count / 2))
        let distance = editDistance(letters, target)
        if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    if let best { return best.candidate }
    let completions = candidates.filter { undashed($0).starts(with: letters) && undashed($0).count > letters.count }
    return completions.count == 1 ? completions[0] : nil
}

private func undashed(_ word: String) -> [Character] {
    Array(word.drop { $0 == "-" })
}

/// The Damerau–Levenshtein distance in its optimal string alignment form: inserts, deletes, replacements and
/// swaps of neighbours, no letter edited twice.
func editDistance(_ first: [Character], _ second: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (i, a) in first.enumerated() {
        var row = [i + 1]
        for (j, b) in second.enumerated() {
            var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a == b ? 0 : 1))
            if i > 0, j > 0, a == second[j - 1], b == first[i - 1] { cost = min(cost, beforeLast[j - 1] + 1) }
            row.append(cost)
        }
        (beforeLast, last) = (last, row)
    }
    return last[second.count]
}
