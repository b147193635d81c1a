/// A document as one HTML file: nothing is loaded from elsewhere, and it prints as it looks.
public enum HTMLPage {
    /// The file's text.
    public static func text(of document: Document) -> String {
        var text = """
            <!DOCTYPE html>
            <html lang="\(Markup.escaped(document.language))">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(Markup.escaped(document.title))</title>
            <style>
            \(style)</style>
            </head>
            <body>
            <h1>\(Markup.escaped(document.title))</h1>

            """
        for block in document.blocks { text += element(block) }
        if !document.footer.isEmpty {
            text += "<footer>\(lines(document.footer.joined(separator: "\n")))</footer>\n"
        }
        return text + "</body>\n</html>\n"
    }

    private static func element(_ block: DocumentBlock) -> String {
        switch block {
        case .heading(let heading): "<h2>\(Markup.escaped(heading))</h2>\n"
        case .text(let text): "<p>\(lines(text))</p>\n"
        case .columns(let texts):
            "<div class=\"columns\">\(texts.map { "<p>\(lines($0))</p>" }.joined())</div>\n"
        case .table(let table): element(table)
        case .chart(let chart): "<figure>\(SVGPicture.text(of: chart, width: 640, isEmbedded: true))</figure>\n"
        }
    }

    private static func element(_ table: DocumentTable) -> String {
        var text = "<table>\n<thead><tr>"
        for column in table.columns {
            text += "<th\(end(column))>\(Markup.escaped(column.title))</th>"
        }
        text += "</tr></thead>\n<tbody>\n"
        for row in table.rows {
            text += row.style == .plain ? "<tr>" : "<tr class=\"\(row.style.rawValue)\">"
            for (index, column) in table.columns.enumerated() {
                let cell = index < row.cells.count ? row.cells[index] : ""
                text += "<td\(end(column))>\(lines(cell))</td>"
            }
            text += "</tr>\n"
        }
        return text + "</tbody>\n</table>\n"
    }

    private static func end(_ column: DocumentTable.Column) -> String {
        column.alignment == .trailing ? " class=\"number\"" : ""
    }

    private static func lines(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Markup.escaped(String($0)) }
            .joined(separator: "<br>")
    }

    private static let style = """
        body { font: 14px/1.45 "DejaVu Sans", Verdana, sans-serif; color: #1c2429; max-width: 48em; margin: 2em auto;
          padding: 0 1em; }
        h1 { font-size: 1.5em; margin: 0 0 1em; }
        h2 { font-size: 1.1em; margin: 1.6em 0 .5em; }
        .columns { display: flex; gap: 2em; }
        .columns p { flex: 1; margin: 0 0 1.2em; }
        table { border-collapse: collapse; width: 100%; margin: 1em 0; }
        th, td { padding: .3em .6em; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
        th { border-bottom: 1.5px solid #1c2429; }
        td { border-bottom: 1px solid #dde3e7; }
        .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
        .total td { font-weight: bold; border-top: 1.5px solid #1c2429; border-bottom: none; }
        .group td { font-weight: bold; padding-top: 1em; }
        figure { margin: 1em 0; }
        svg { max-width: 100%; height: auto; }
        footer { margin-top: 2.5em; padding-top: .6em; border-top: 1px solid #dde3e7; color: #5b6770; font-size: .85em; }
        @page { size: A4; margin: 2cm; }
        @media print { body { margin: 0; max-width: none; padding: 0; font-size: 10pt; } tr { break-inside: avoid; }
          thead { display: table-header-group; } }

        """
}
