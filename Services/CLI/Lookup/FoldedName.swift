import Text

/// A name as it is compared: case and accents aside.
struct FoldedName {
    private let scalars: [Unicode.Scalar]

    init(_ name: String) {
        scalars = Array(TextNormalizer.folded(name).unicodeScalars)
    }

    /// Whether the name, or from two letters on one of its words, begins like `other`: `lind` in `Björn Lind`.
    func hasWord(beginningLike other: FoldedName) -> Bool {
        let (sought, count) = (other.scalars, other.scalars.count)
        guard count > 0, count <= scalars.count else { return false }
        let starts = count > 1 ? 0...(scalars.count - count) : 0...0
        return starts.contains { start in
            (start == 0 || !Self.isInWord(scalars[start - 1])) && scalars[start..<(start + count)].elementsEqual(sought)
        }
    }

    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isAlphabetic || properties.numericType != nil
            || properties.canonicalCombiningClass != .notReordered
    }
}
