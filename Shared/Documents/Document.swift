public import Messages

/// A page, or several, that a customer or an accountant can be handed: a report, an order.
///
/// It says what stands there and in which order; ``HTMLPage`` and `daybook-paper` (PDF) decide how it looks. A document
/// has no clock and no locale of its own: equal documents give equal bytes.
public struct Document: Codable, Hashable, Sendable {
    /// What a reader's window shows, and the first heading of the page.
    public var title: String
    /// The language of its text as a BCP 47 tag, for hyphenation and for screen readers.
    public var language: String
    /// When its content was made, which PDF keeps as its date; nil leaves the date out.
    public var time: Instant?
    /// Top to bottom.
    public var blocks: [DocumentBlock]
    /// Lines at the foot of each page, before the page's number.
    public var footer: [String]

    public init(
        title: String,
        language: String = "en",
        time: Instant? = nil,
        blocks: [DocumentBlock] = [],
        footer: [String] = []
    ) {
        self.title = title
        self.language = language
        self.time = time
        self.blocks = blocks
        self.footer = footer
    }
}

/// A part of a document.
public enum DocumentBlock: Codable, Hashable, Sendable {
    /// A line that begins a part.
    case heading(String)
    /// Text; its line breaks are kept.
    case text(String)
    /// Texts side by side, such as two addresses; equally wide.
    case columns([String])
    case table(DocumentTable)
    case chart(Chart)
}

/// Rows under headings.
public struct DocumentTable: Codable, Hashable, Sendable {
    /// Where the text of a column stands.
    public enum Alignment: String, Codable, Hashable, Sendable {
        case leading
        /// Numbers: they end at one place.
        case trailing
    }

    public struct Column: Codable, Hashable, Sendable {
        public var title: String
        public var alignment: Alignment

        public init(_ title: String, _ alignment: Alignment = .leading) {
            self.title = title
            self.alignment = alignment
        }
    }

    public enum RowStyle: String, Codable, Hashable, Sendable {
        case plain
        /// A sum of the rows before it: bold, under a line.
        case total
        /// What the rows after it have in common: bold.
        case group
    }

    public struct Row: Codable, Hashable, Sendable {
        /// One for each column; missing ones are empty.
        public var cells: [String]
        public var style: RowStyle

        public init(_ cells: [String], _ style: RowStyle = .plain) {
            self.cells = cells
            self.style = style
        }
    }

    public var columns: [Column]
    public var rows: [Row]

    public init(columns: [Column], rows: [Row] = []) {
        self.columns = columns
        self.rows = rows
    }
}
