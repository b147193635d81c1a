import Text

/// Names of files made from names of recipes: safe everywhere, and different from each other.
struct ExportFileNames {
    private let ending: String
    private var taken: Set<String> = []

    /// - Parameter ending: without the full stop.
    init(ending: String) {
        self.ending = ending
    }

    /// `Leek soup.md`; `Leek soup (2).md` where that name is taken, case and accents aside.
    mutating func next(_ name: String) -> String {
        let stem = Self.stem(name)
        var candidate = stem
        var number = 1
        while !taken.insert(TextNormalizer.folded(candidate)).inserted {
            number += 1
            candidate = "\(stem) (\(number))"
        }
        return "\(candidate).\(ending)"
    }

    /// Without what a file system or a shell takes for something else, and of at most 150 bytes.
    private static func stem(_ name: String) -> String {
        var stem = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let isUnsafe =
                "/\\:*?\"<>|".unicodeScalars.contains(scalar) || scalar.properties.generalCategory == .control
            stem.append(isUnsafe ? "-" : scalar)
        }
        while let first = stem.first, first == "." || first == "-" || first == " " { stem.removeFirst() }
        var text = String(stem)
        while text.utf8.count > 150 { text.removeLast() }
        while text.hasSuffix(".") || text.hasSuffix(" ") { text.removeLast() }
        return text.isEmpty ? "recipe" : text
    }
}
