internal import CPango

/// A PDF file that is drawn page by page: lengths in points of 1/72 inch, from the page's upper left corner.
///
/// Texts are laid out by Pango, so that any script that a font of the machine has is shaped and broken into lines
/// rightly; the result is drawn by cairo.
@safe final class Canvas {
    /// ISO 216 A4.
    static let width = 595.28
    static let height = 841.89

    private let sink = ByteSink()
    private let surface: OpaquePointer
    private let cairo: OpaquePointer
    private let layout: OpaquePointer
    private var fonts: [Font: FontDescription] = [:]
    /// Characters drawn as empty boxes, because no font of the machine has them.
    private(set) var charactersWithoutFont = 0

    init() {
        unsafe surface = cairo_pdf_surface_create_for_stream(
            { closure, bytes, count in
                guard let closure = unsafe closure, let bytes = unsafe bytes else { return CAIRO_STATUS_WRITE_ERROR }
                let sink = unsafe Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
                unsafe sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
                return CAIRO_STATUS_SUCCESS
            },
            Unmanaged.passUnretained(sink).toOpaque(),
            Canvas.width,
            Canvas.height
        )
        unsafe cairo = cairo_create(surface)
        unsafe layout = pango_cairo_create_layout(cairo)
        unsafe pango_layout_set_wrap(layout, DAYBOOK_PANGO_WRAP_WORD_CHAR)
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(layout))
        unsafe cairo_destroy(cairo)
        unsafe cairo_surface_destroy(surface)
    }

    /// Sets what a reader shows of the file. Without a time the file has none.
    func describe(title: String, time: String?) {
        unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
        unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Daybook")
        unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, time ?? "")
    }

    func endPage() {
        unsafe cairo_show_page(cairo)
    }

    /// Ends the file and returns its bytes.
    ///
    /// - Throws: ``PaperError/drawing(_:)``: what cairo could not do, at any time since the start.
    func finish() throws(PaperError) -> [UInt8] {
        let drawn = unsafe cairo_status(cairo)
        unsafe cairo_surface_finish(surface)
        let written = unsafe cairo_surface_status(surface)
        for status in [drawn, written] where status != CAIRO_STATUS_SUCCESS {
            throw .drawing(unsafe String(cString: cairo_status_to_string(status)))
        }
        return sink.bytes
    }

    // MARK: Text

    struct Font: Hashable {
        var size: Double
        var isBold = false
    }

    enum Alignment {
        case leading
        case trailing
    }

    /// The size that a text takes; broken into lines where a width is given.
    func size(of text: String, _ font: Font, width: Double? = nil) -> (width: Double, height: Double) {
        set(text, font, width: width, .leading)
        var (columns, rows): (Int32, Int32) = (0, 0)
        unsafe pango_layout_get_size(layout, &columns, &rows)
        return (Double(columns) / Double(DAYBOOK_PANGO_SCALE), Double(rows) / Double(DAYBOOK_PANGO_SCALE))
    }

    /// Draws a text with its upper left corner at a place.
    ///
    /// - Parameter width: lines are broken there, and end there where the alignment is trailing.
    func draw(
        _ text: String,
        _ font: Font,
        x: Double,
        y: Double,
        width: Double? = nil,
        alignment: Alignment = .leading,
        color: Color = .text
    ) {
        set(text, font, width: width, alignment)
        use(color)
        unsafe cairo_move_to(cairo, x, y)
        unsafe pango_cairo_show_layout(cairo, layout)
        charactersWithoutFont += Int(unsafe pango_layout_get_unknown_glyphs_count(layout))
    }

    /// The distance from a text's upper edge to its first baseline.
    func baseline(of text: String, _ font: Font) -> Double {
        set(text, font, width: nil, .leading)
        return Double(unsafe pango_layout_get_baseline(layout)) / Double(DAYBOOK_PANGO_SCALE)
    }

    private func set(_ text: String, _ font: Font, width: Double?, _ alignment: Alignment) {
        // NUL ends a text in C; it has no form on paper.
        let shown = text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
        unsafe pango_layout_set_text(layout, shown, Int32(clamping: shown.utf8.count))
        unsafe pango_layout_set_font_description(layout, description(of: font).pointer)
        let units = width.map { Int32(clamping: Int($0 * Double(DAYBOOK_PANGO_SCALE))) } ?? -1
        unsafe pango_layout_set_width(layout, units)
        unsafe pango_layout_set_alignment(
            layout,
            alignment == .trailing ? DAYBOOK_PANGO_ALIGN_RIGHT : DAYBOOK_PANGO_ALIGN_LEFT
        )
    }

    private func description(of font: Font) -> FontDescription {
        if let known = fonts[font] { return known }
        let description = FontDescription(font)
        fonts[font] = description
        return description
    }

    // MARK: Shapes

    struct Color {
        var red: Double
        var green: Double
        var blue: Double

        static let text = Color("#1c2429")
        static let faint = Color("#9aa5ad")

        /// - Parameter hex: `#rrggbb`.
        init(_ hex: String) {
            let value = Int(hex.dropFirst(), radix: 16) ?? 0
            red = Double(value >> 16 & 0xFF) / 255
            green = Double(value >> 8 & 0xFF) / 255
            blue = Double(value & 0xFF) / 255
        }
    }

    func rule(from start: (x: Double, y: Double), to end: (x: Double, y: Double), width: Double, color: Color) {
        use(color)
        unsafe cairo_set_line_width(cairo, width)
        unsafe cairo_move_to(cairo, start.x, start.y)
        unsafe cairo_line_to(cairo, end.x, end.y)
        unsafe cairo_stroke(cairo)
    }

    func fill(x: Double, y: Double, width: Double, height: Double, color: Color) {
        use(color)
        unsafe cairo_rectangle(cairo, x, y, width, height)
        unsafe cairo_fill(cairo)
    }

    func dot(x: Double, y: Double, radius: Double, color: Color) {
        use(color)
        unsafe cairo_arc(cairo, x, y, radius, 0, 2 * Double.pi)
        unsafe cairo_fill(cairo)
    }

    func path(_ places: [(x: Double, y: Double)], width: Double, color: Color) {
        guard let first = places.first else { return }
        use(color)
        unsafe cairo_set_line_width(cairo, width)
        unsafe cairo_move_to(cairo, first.x, first.y)
        for place in places.dropFirst() { unsafe cairo_line_to(cairo, place.x, place.y) }
        unsafe cairo_stroke(cairo)
    }

    private func use(_ color: Color) {
        unsafe cairo_set_source_rgb(cairo, color.red, color.green, color.blue)
    }
}

/// Where cairo writes to.
private final class ByteSink {
    var bytes: [UInt8] = []
}

/// A font as Pango looks for it.
@safe private final class FontDescription {
    let pointer: OpaquePointer?

    init(_ font: Canvas.Font) {
        unsafe pointer = pango_font_description_from_string("DejaVu Sans, sans-serif")
        unsafe pango_font_description_set_absolute_size(pointer, font.size * Double(DAYBOOK_PANGO_SCALE))
        let weight = font.isBold ? DAYBOOK_PANGO_WEIGHT_BOLD : DAYBOOK_PANGO_WEIGHT_NORMAL
        unsafe pango_font_description_set_weight(pointer, weight)
    }

    deinit {
        unsafe pango_font_description_free(pointer)
    }
}
