/// Writes a recipe as Markdown (CommonMark 0.31).
enum RecipeMarkdown {
    static func text(_ recipe: RecipeExport) -> String {
        let draft = recipe.draft
        var text = "# \(escaped(draft.name))\n"
        if let overview = draft.overview { text += "\n" + lines(overview, indent: "") + "\n" }
        let facts = recipe.facts
        if !facts.isEmpty { text += "\n" + facts.map { "- \($0.title): \(escaped($0.text))\n" }.joined() }
        text += ingredients(draft.ingredients) + steps(draft.steps)
        if let source = draft.source { text += "\nFrom \(link(source))\n" }
        return text
    }

    private static func ingredients(_ lines: [RecipeDraft.Line]) -> String {
        guard !lines.isEmpty else { return "" }
        var text = "\n## Ingredients\n"
        var isInList = false
        for line in lines {
            text +=
                line.isHeading ? "\n### \(escaped(line.text))\n" : (isInList ? "" : "\n") + "- \(escaped(line.text))\n"
            isInList = !line.isHeading
        }
        return text
    }

    private static func steps(_ steps: [RecipeDraft.Line]) -> String {
        guard !steps.isEmpty else { return "" }
        var text = "\n## Steps\n"
        var number = 0
        var isInList = false
        for step in steps {
            if step.isHeading {
                text += "\n### \(escaped(step.text))\n"
            } else {
                number += 1
                let mark = "\(number). "
                let indent = String(repeating: " ", count: mark.count)
                text += (isInList ? "" : "\n") + mark + lines(step.text, indent: indent) + "\n"
            }
            isInList = !step.isHeading
        }
        return text
    }

    /// Line ends stay; what follows them is indented, so that it belongs to the same item.
    private static func lines(_ text: String, indent: String) -> String {
        var result = ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if index > 0 {
                let isInParagraph = !line.isEmpty && !lines[index - 1].isEmpty
                result += (isInParagraph ? "\\" : "") + "\n" + (line.isEmpty ? "" : indent)
            }
            result += escaped(String(line))
        }
        return result
    }

    private static func link(_ text: String) -> String {
        let isAddress = text.hasPrefix("https://") || text.hasPrefix("http://")
        let isPlain = text.unicodeScalars.allSatisfy { $0 > " " && $0 != "<" && $0 != ">" && $0 != "\u{7F}" }
        return isAddress && isPlain ? "<\(text)>" : escaped(text)
    }

    /// Nothing of it is mark-up: signs that are, everywhere or at the beginning of a line, have a backslash in front.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isStart = true
        var digits = 0
        for scalar in text.unicodeScalars {
            let isMark: Bool
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "<", ">", "&", "~", "|", "!": isMark = true
            case "#", "+", "-", "=", ":": isMark = isStart
            case ".", ")": isMark = digits > 0
            default: isMark = false
            }
            // A number that begins the line, with a full stop behind it, would begin a list.
            digits = "0"..."9" ~= scalar && (isStart || digits > 0) ? digits + 1 : 0
            if isMark { result.append("\\") }
            result.append(scalar)
            isStart = false
        }
        return String(result)
    }
}
