/// A chart as SVG 1.1: a picture that browsers, office programs and `rsvg-convert` show.
public enum SVGPicture {
    /// The file's text.
    ///
    /// - Parameter isEmbedded: as an element of an HTML page, without the XML declaration.
    public static func text(of chart: Chart, width: Double = 560, isEmbedded: Bool = false) -> String {
        let drawing = ChartDrawing(chart, width: width, measure: approximateWidth)
        var text = isEmbedded ? "" : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += opening([chart.title], drawing.width, drawing.height)
        for shape in drawing.shapes { text += element(shape) + "\n" }
        return text + "</svg>\n"
    }

    /// Several charts in one picture, one below the other.
    public static func text(of charts: [Chart], width: Double = 560) -> String {
        if charts.count == 1 { return text(of: charts[0], width: width) }
        let gap = 18.0
        let drawings = charts.map { ChartDrawing($0, width: width, measure: approximateWidth) }
        let widest = drawings.map(\.width).max() ?? width
        let height = drawings.reduce(0) { $0 + $1.height + gap }
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + opening(charts.map(\.title), widest, height)
        var top = 0.0
        for drawing in drawings {
            text += "<g transform=\"translate(0 \(Markup.number(top)))\">\n"
            for shape in drawing.shapes { text += element(shape) + "\n" }
            text += "</g>\n"
            top += drawing.height + gap
        }
        return text + "</svg>\n"
    }

    private static func opening(_ titles: [String], _ width: Double, _ height: Double) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Markup.number(width)) \(Markup.number(height))" \
        width="\(Markup.number(width))" height="\(Markup.number(height))" role="img" \
        font-family="'DejaVu Sans', Verdana, sans-serif">
        <title>\(Markup.escaped(titles.joined(separator: "; ")))</title>

        """
    }

    private static func element(_ shape: ChartDrawing.Shape) -> String {
        switch shape {
        case .bar(let x, let y, let width, let height):
            return """
                <rect x="\(Markup.number(x))" y="\(Markup.number(y))" width="\(Markup.number(width))" \
                height="\(Markup.number(height))" fill="\(ChartColors.mark)"/>
                """
        case .rule(let x1, let y1, let x2, let y2):
            return """
                <line x1="\(Markup.number(x1))" y1="\(Markup.number(y1))" x2="\(Markup.number(x2))" \
                y2="\(Markup.number(y2))" stroke="\(ChartColors.rule)" stroke-width="0.75"/>
                """
        case .path(let places):
            let points = places.map { "\(Markup.number($0.x)),\(Markup.number($0.y))" }.joined(separator: " ")
            return "<polyline points=\"\(points)\" fill=\"none\" stroke=\"\(ChartColors.mark)\" stroke-width=\"1.5\"/>"
        case .dot(let place):
            return
                "<circle cx=\"\(Markup.number(place.x))\" cy=\"\(Markup.number(place.y))\" r=\"2\" fill=\"\(ChartColors.mark)\"/>"
        case .text(let text, let x, let y, let anchor, let style):
            let isTitle = style == .title
            let size = isTitle ? ChartDrawing.titleSize : ChartDrawing.labelSize
            return """
                <text x="\(Markup.number(x))" y="\(Markup.number(y))" text-anchor="\(anchor.rawValue)" \
                font-size="\(Markup.number(size))"\(isTitle ? " font-weight=\"bold\"" : "") \
                fill="\(ChartColors.text)">\(Markup.escaped(text))</text>
                """
        }
    }

    /// The width of a label in points, roughly: a picture has no font to measure by. Rather too wide than too narrow.
    private static func approximateWidth(_ text: String) -> Double {
        text.reduce(0) { width, character in
            let isWide = character.unicodeScalars.contains { $0.value >= 0x1100 }
            return width + ChartDrawing.labelSize * (isWide ? 1.05 : 0.64)
        }
    }
}

/// The colours of charts, as `#rrggbb`; they keep their contrast on paper without colour.
public enum ChartColors {
    public static let mark = "#2f6690"
    public static let rule = "#c3ccd2"
    public static let text = "#1c2429"
}
