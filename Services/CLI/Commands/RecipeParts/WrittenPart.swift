import Messages
import Text

/// An ingredient or a step as people type it: `[For the glaze]` is a heading, and anything else what it is.
///
/// A backslash in front is taken off, for what is in brackets and no heading.
struct WrittenPart: Sendable, Hashable {
    var content: String
    var isHeading: Bool?

    init(content: String, isHeading: Bool? = nil) {
        self.content = content
        self.isHeading = isHeading
    }

    /// Reads what was typed; nil where nothing of it can be seen.
    init?(_ text: String) {
        let text = TextNormalizer.trimmedNormalized(text)
        // By bytes: a bracket before a combining mark is a Character of its own.
        let bytes = text.utf8
        let inner = String(text.unicodeScalars.dropFirst().dropLast())
        let isInBrackets = bytes.first == UInt8(ascii: "[") && bytes.last == UInt8(ascii: "]") && bytes.count > 2
        if isInBrackets, !TextNormalizer.isBlank(inner) {
            content = inner
            isHeading = true
        } else {
            content = bytes.first == UInt8(ascii: "\\") ? String(text.unicodeScalars.dropFirst()) : text
        }
        if TextNormalizer.isBlank(content) { return nil }
    }

    /// The parts in this order. One that was there keeps its id, also where it was rewritten in its place, so that others'
    /// edits of it meet this one.
    ///
    /// - Parameters:
    ///   - key: what the ids of new ones come from.
    ///   - index: of the first of them among what the command makes.
    static func parts<Part: RecipePart>(
        _ written: [WrittenPart],
        replacing old: [Part],
        key: Identifier?,
        from index: Int
    ) -> [Part] {
        var left = old
        let wanted = written.map { part in
            WrittenPart(content: Part.stored(part.content, isHeading: part.isHeading), isHeading: part.isHeading)
        }
        var parts: [Part?] = wanted.map { part in
            left.firstIndex { $0.content == part.content && $0.isHeading == part.isHeading }.map { left.remove(at: $0) }
        }
        for (place, part) in wanted.enumerated() where parts[place] == nil {
            // What stood at this place before, behind the same neighbour.
            let neighbour = place == 0 ? nil : parts[place - 1]?.id
            let before = neighbour.flatMap { id in old.firstIndex { $0.id == id } }.map { $0 + 1 } ?? 0
            let isSamePlace = place == 0 || neighbour.map { id in old.contains { $0.id == id } } == true
            if isSamePlace, old.indices.contains(before),
                let index = left.firstIndex(where: { $0.id == old[before].id })
            {
                var rewritten = left.remove(at: index)
                rewritten.content = part.content
                rewritten.isHeading = part.isHeading
                parts[place] = rewritten
            } else {
                parts[place] = Part(id: .made(by: key, index + place), content: part.content, isHeading: part.isHeading)
            }
        }
        return parts.compactMap(\.self)
    }
}
