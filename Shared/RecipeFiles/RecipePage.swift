internal import JSON

/// Writes recipes as an HTML page that needs nothing else.
enum RecipePage {
    static func opening(_ names: [String]) -> String {
        let title = names.count == 1 ? names[0] : "Recipes"
        var text = """
            <!DOCTYPE html>
            <html>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escaped(title))</title>
            <style>
            \(style)
            </style>
            </head>
            <body>

            """
        if names.count > 1 {
            text += "<nav>\n<h1>\(escaped(title))</h1>\n<ul>\n"
            for (index, name) in names.enumerated() {
                text += "<li><a href=\"#recipe-\(index + 1)\">\(escaped(name))</a></li>\n"
            }
            text += "</ul>\n</nav>\n"
        }
        return text
    }

    static let closing = "</body>\n</html>\n"

    static func article(_ recipe: RecipeExport, index: Int) -> String {
        let draft = recipe.draft
        let data = LinkedDataText.node(recipe, hasContext: true).text(forScript: true)
        var text = "<article id=\"recipe-\(index + 1)\">\n<script type=\"application/ld+json\">\(data)</script>\n"
        text += "<header>\n<h1>\(escaped(draft.name))</h1>\n"
        if let overview = draft.overview {
            for paragraph in paragraphs(overview) { text += "<p>\(lines(paragraph))</p>\n" }
        }
        if !recipe.facts.isEmpty {
            let facts = recipe.facts.map { "<div><dt>\($0.title)</dt><dd>\(escaped($0.text))</dd></div>\n" }
            text += "<dl>\n" + facts.joined() + "</dl>\n"
        }
        text += "</header>\n"
        if let address = recipe.pictureAddress { text += "<img src=\"\(address)\" alt=\"\(escaped(draft.name))\">\n" }
        text += "<div class=\"columns\">\n" + ingredients(draft.ingredients) + steps(draft.steps) + "</div>\n"
        if let source = draft.source { text += "<footer>From \(link(source))</footer>\n" }
        return text + "</article>\n"
    }

    private static func ingredients(_ lines: [RecipeDraft.Line]) -> String {
        guard !lines.isEmpty else { return "" }
        return "<section class=\"ingredients\">\n<h2>Ingredients</h2>\n" + list(lines) { _ in ("<ul>", "</ul>") }
            + "</section>\n"
    }

    private static func steps(_ steps: [RecipeDraft.Line]) -> String {
        guard !steps.isEmpty else { return "" }
        let list = list(steps) { number in (number == 1 ? "<ol>" : "<ol start=\"\(number)\">", "</ol>") }
        return "<section class=\"steps\">\n<h2>Steps</h2>\n" + list + "</section>\n"
    }

    /// The lists between the headings.
    ///
    /// - Parameter tags: those of a list that begins with this line, counted from 1 without the headings.
    private static func list(_ lines: [RecipeDraft.Line], _ tags: (Int) -> (open: String, close: String)) -> String {
        var text = ""
        var number = 0
        var close: String?
        for line in lines {
            if line.isHeading {
                if let end = close { text += end + "\n" }
                close = nil
                text += "<h3>\(escaped(line.text))</h3>\n"
                continue
            }
            number += 1
            if close == nil {
                let tags = tags(number)
                text += tags.open + "\n"
                close = tags.close
            }
            text += "<li>\(self.lines(line.text))</li>\n"
        }
        return text + (close.map { $0 + "\n" } ?? "")
    }

    private static func paragraphs(_ text: String) -> [String] {
        var paragraphs: [[Substring]] = [[]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(line) }
        }
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
    }

    private static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(
            separator: "<br>\n"
        )
    }

    private static func link(_ text: String) -> String {
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return escaped(text) }
        return "<a href=\"\(escaped(text))\" rel=\"noreferrer\">\(escaped(text))</a>"
    }

    /// Text as HTML: nothing of it is mark-up, in attributes either. Control characters, which no page may hold, go.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}": break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static let style = """
        :root { --ink: #26211c; --faint: #6f665c; --paper: #fdfbf7; --line: #e2d9cc; --accent: #a2481f; color-scheme: light dark }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #ece6dd; --faint: #a79d91; --paper: #1d1a17; --line: #3b352e; --accent: #e59a6d }
        }
        * { box-sizing: border-box }
        body { margin: 0 auto; max-width: 54rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
          font: 1.06rem/1.6 Georgia, "Times New Roman", serif; overflow-wrap: anywhere }
        h1 { font-size: 2.1rem; line-height: 1.2; margin: 0 0 .6rem }
        h2 { font-size: 1.05rem; text-transform: uppercase; letter-spacing: .08em; color: var(--accent); margin: 0 0 .6rem }
        h3 { font-size: 1.05rem; margin: 1.2rem 0 .3rem }
        p { margin: .4rem 0 }
        a { color: var(--accent) }
        article + article { border-top: 2px solid var(--line); margin-top: 3rem; padding-top: 2.5rem }
        dl { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: 1.2rem 0; padding: .8rem 0;
          border-top: 1px solid var(--line); border-bottom: 1px solid var(--line) }
        dt { font-size: .82rem; color: var(--faint) }
        dd { margin: 0 }
        img { display: block; max-width: 100%; max-height: 26rem; border-radius: .5rem; margin: 1.2rem 0 }
        .columns { display: flex; flex-wrap: wrap; gap: 1.5rem 3rem; margin-top: 1.5rem }
        .ingredients { flex: 1 1 14rem }
        .steps { flex: 2 1 22rem }
        ul, ol { margin: 0; padding-left: 1.3rem }
        li { margin: .3rem 0 }
        .steps li { margin: .7rem 0; padding-left: .2rem }
        li::marker { color: var(--accent) }
        nav { margin-bottom: 3rem }
        footer { margin-top: 1.5rem; font-size: .9rem; color: var(--faint) }
        @media print {
          :root { --ink: #000; --faint: #444; --paper: #fff; --line: #bbb; --accent: #000 }
          body { max-width: none; padding: 0; font-size: 11pt }
          nav { display: none }
          article { break-after: page }
          article:last-of-type { break-after: auto }
          article + article { border: 0; margin: 0; padding: 0 }
          h2, h3 { break-after: avoid }
          li { break-inside: avoid }
          img { max-height: 8cm }
          a { color: inherit; text-decoration: none }
        }
        """
}
