/// Makes steps of texts in which they are numbered or parted by lines.
enum StepList {
    /// The steps of one text, and whether they were found by their numbers.
    ///
    /// Where lines are numbered 1, 2, 3, each number begins a step, and lines without one go on with the step above.
    /// Otherwise blank lines part the steps, or where there are none, line ends do. `## Glaze` is a heading, and so is
    /// `Glaze:` where the program that wrote the file has it so.
    ///
    /// - Parameter colons: whether a line that ends with a colon is a heading.
    static func lines(of text: String, colons: Bool = false) -> [RecipeDraft.Line] {
        var blocks: [[String]] = []
        var isOpen = false
        let lines = DraftText.lines(text)
        let hasBlankLines = lines.drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.contains { $0.isEmpty }
        let isNumbered = hasAscendingNumbers(lines)
        var next = 1
        for line in lines {
            guard !line.isEmpty else {
                isOpen = isNumbered && isOpen
                continue
            }
            if heading(line, colons: colons) != nil {
                blocks.append([line])
                isOpen = false
                next = 1
            } else if isNumbered, let rest = unnumbered(line, next) {
                blocks.append([rest])
                isOpen = true
                next += 1
            } else if isOpen {
                blocks[blocks.count - 1].append(line)
            } else {
                blocks.append([line])
                isOpen = hasBlankLines && !isNumbered
            }
        }
        return blocks.compactMap { block in
            if let heading = heading(block[0], colons: colons) { return RecipeDraft.Line(heading, isHeading: true) }
            return DraftText.block(block.joined(separator: "\n")).map { RecipeDraft.Line($0) }
        }
    }

    /// Takes the numbers away where each step has its own, counted from 1 or anew under each heading.
    static func withoutNumbers(_ steps: [RecipeDraft.Line]) -> [RecipeDraft.Line] {
        for isAnew in [false, true] {
            var next = 1
            var result: [RecipeDraft.Line] = []
            for step in steps {
                if step.isHeading {
                    if isAnew { next = 1 }
                    result.append(step)
                } else if let rest = unnumbered(step.text, next) {
                    result.append(RecipeDraft.Line(rest))
                    next += 1
                } else {
                    break
                }
            }
            if result.count == steps.count { return result }
        }
        return steps
    }

    /// The heading that a line is; nil for other lines.
    static func heading(_ line: String, colons: Bool) -> String? {
        if line.hasPrefix("#") {
            let text = line.drop { $0 == "#" }
            guard line.count - text.count <= 6, text.first == " " else { return nil }
            return DraftText.line(String(text))
        }
        guard colons, line.hasSuffix(":"), line.count <= 100 else { return nil }
        return DraftText.line(String(line.dropLast()))
    }

    /// Whether the lines that begin with a number, begin with 1, 2, 3, or anew with 1, and the first line with one.
    private static func hasAscendingNumbers(_ lines: [String]) -> Bool {
        var next = 1
        for line in lines where !line.isEmpty {
            if heading(line, colons: false) != nil {
                next = 1
            } else if unnumbered(line, next) != nil {
                next += 1
            } else if next == 1 {
                return false
            }
        }
        return next > 1
    }

    /// What follows `3. ` or `3) `; nil where another number or none is there, or nothing behind it.
    private static func unnumbered(_ text: String, _ number: Int) -> String? {
        let digits = String(number)
        guard text.hasPrefix(digits) else { return nil }
        let scalars = text.unicodeScalars.dropFirst(digits.unicodeScalars.count)
        guard let sign = scalars.first, sign == "." || sign == ")",
            scalars.dropFirst().first?.properties.isWhitespace == true
        else { return nil }
        return DraftText.block(String(String.UnicodeScalarView(scalars.dropFirst())))
    }
}
