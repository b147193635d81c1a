import Measures

/// What stands before the decimals of an amount; the other one parts thousands.
extension DecimalMark {
    var scalar: Unicode.Scalar { self == .comma ? "," : "." }
    var other: DecimalMark { self == .comma ? .point : .comma }

    /// The decimal mark that an amount can only have; nil where it has none, or either may be meant.
    ///
    /// - Returns: the mark, and whether the text is one that either may be meant by: `1.000`, `12,345`.
    static func evidence(in text: String) -> (mark: DecimalMark?, isAmbiguous: Bool) {
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.firstIndex(where: isDigit), let last = scalars.lastIndex(where: isDigit) else {
            return (nil, false)
        }
        let body = scalars[first...last]
        let marks = body.indices.compactMap { index in
            allCases.first { $0.scalar == body[index] }.map { (mark: $0, index: index) }
        }
        guard let end = marks.last else { return (nil, false) }
        let count = marks.count { $0.mark == end.mark }
        if count < marks.count {
            // Both: the last is the decimal mark. `1,234.567,8` is nothing, and refused when it is read.
            return (count == 1 ? end.mark : nil, false)
        }
        if count > 1 { return (end.mark.other, false) }
        let whole = body[..<end.index]
        let mayBeThousands =
            last - end.index == 3 && whole.count <= 3 && whole.first != "0" && whole.allSatisfy(isDigit)
        return mayBeThousands ? (nil, true) : (end.mark, false)
    }
}

/// What the amounts of a column tell of their decimal mark, all together: it is one mark for all, or none is chosen.
struct DecimalEvidence: Sendable {
    typealias Place = (row: Int, text: String)

    private var places: [DecimalMark: Place] = [:]
    private var ambiguous: Place?

    /// - Parameter row: where the text stands, as the caller counts.
    mutating func add(_ text: String, row: Int) {
        let (mark, isAmbiguous) = DecimalMark.evidence(in: text)
        if let mark, places[mark] == nil { places[mark] = (row, text) }
        if isAmbiguous, ambiguous == nil { ambiguous = (row, text) }
    }

    enum Verdict {
        /// All amounts read by this mark, or none has any.
        case decided(DecimalMark)
        /// Each amount with a mark may be meant either way; the first.
        case ambiguous(Place)
        /// One amount has a decimal comma, another a decimal point; the later of the first two.
        case contradiction(Place, first: Place)
    }

    var verdict: Verdict {
        switch (places[.comma], places[.point]) {
        case (let comma?, let point?):
            comma.row < point.row ? .contradiction(point, first: comma) : .contradiction(comma, first: point)
        case (_?, nil): .decided(.comma)
        case (nil, _?): .decided(.point)
        case (nil, nil): ambiguous.map { .ambiguous($0) } ?? .decided(.point)
        }
    }
}
