/// Writes RFC 4180 in UTF-8, without a byte order mark.
///
///     var writer = CSVWriter()
///     writer.write([.text("name"), .text("sum")])
///     writer.write([.text("Ann, Bo"), .number("-5.00")])
///     let bytes = writer.take()  // name,sum\n"Ann, Bo",-5.00\n
///
/// Quotes stand only where they are needed: around a delimiter, a quote, a CR or LF, a leading U+FEFF (or the reader
/// would take it for a byte order mark), and an empty field alone in its record (or the line would be passed over).
public struct CSVWriter: Sendable {
    /// One cell. Only text is neutralised for spreadsheets.
    public enum Cell: Hashable, Sendable {
        /// Any text.
        case text(String)
        /// A number as it is to stand in the file, such as `-1234.56`.
        case number(String)
    }

    /// What ends a record.
    public enum LineEnd: Sendable {
        case lf
        case crlf
    }

    private let delimiter: CSVDelimiter
    private let lineEnd: LineEnd
    private let isSpreadsheetSafe: Bool
    private var bytes: [UInt8] = []

    /// A writer that has written nothing.
    ///
    /// - Parameter spreadsheetSafe: neutralise text cells by ``SpreadsheetText``.
    public init(delimiter: CSVDelimiter = .comma, lineEnd: LineEnd = .lf, spreadsheetSafe: Bool = false) {
        self.delimiter = delimiter
        self.lineEnd = lineEnd
        isSpreadsheetSafe = spreadsheetSafe
    }

    /// Writes one record. Without any cell nothing is written, for CSV has no such record.
    public mutating func write(_ cells: some Collection<Cell>) {
        guard !cells.isEmpty else { return }
        var isFirst = true
        for cell in cells {
            if !isFirst { bytes.append(delimiter.rawValue) }
            isFirst = false
            switch cell {
            case .text(let text):
                append(isSpreadsheetSafe ? SpreadsheetText.neutralised(text) : text, isAlone: cells.count == 1)
            case .number(let text): append(text, isAlone: cells.count == 1)
            }
        }
        if lineEnd == .crlf { bytes.append(carriageReturn) }
        bytes.append(lineFeed)
    }

    /// The bytes written since the last call. Taking them often keeps memory small.
    public mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private mutating func append(_ text: String, isAlone: Bool) {
        let span = text.utf8.span
        guard needsQuotes(span, isAlone: isAlone) else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        bytes.append(quote)
        for index in span.indices {
            if span[index] == quote { bytes.append(quote) }
            bytes.append(span[index])
        }
        bytes.append(quote)
    }

    private func needsQuotes(_ text: Span<UInt8>, isAlone: Bool) -> Bool {
        if text.isEmpty { return isAlone }
        let isMarked = text.count >= 3 && text[0] == 0xef && text[1] == 0xbb && text[2] == 0xbf
        return isMarked
            || text.indices.contains { index in
                let byte = text[index]
                return byte == delimiter.rawValue || byte == quote || byte == lineFeed || byte == carriageReturn
            }
    }
}
