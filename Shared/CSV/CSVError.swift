/// Why bytes are no acceptable CSV. Lines count from 1 by line ends (LF, CR LF or a lone CR), those within quotes too;
/// columns count from 1 by fields.
public enum CSVError: Error, Hashable, Sendable {
    /// The bytes begin with the byte order mark of another encoding, such as `UTF-16LE`.
    case encoding(String)
    /// A byte that no UTF-8 has there, as in files of Latin-1.
    case notUTF8(line: Int, column: Int, byte: UInt8)
    /// The bytes end within quotes that were opened here.
    case unterminatedQuote(line: Int, column: Int)
    /// Something else than a delimiter, a line end or another quote after a closing quote.
    case textAfterQuote(line: Int, column: Int)
    /// A field of more bytes than the limit; the line is where its record starts.
    case fieldTooLong(line: Int, column: Int, limit: Int)
    /// A record of more bytes than the limit, starting here.
    case recordTooLong(line: Int, limit: Int)
    /// A record of more fields than the limit, starting here.
    case tooManyColumns(line: Int, limit: Int)
    /// No record at all, so no column names.
    case noHeader
    /// Two columns of one name.
    case duplicateColumn(String, first: Int, second: Int)
    /// A record with more or fewer fields than the header, starting here.
    case ragged(line: Int, found: Int, expected: Int)
    /// A column that was asked for and is not there.
    case missingColumn(String)
}

extension CSVError: CustomStringConvertible {
    /// A sentence: where, what was found and what to try.
    public var description: String {
        switch self {
        case .encoding(let name): "The file is encoded in \(name): save it as UTF-8."
        case .notUTF8(let line, let column, let byte):
            """
            Line \(line), column \(column): byte 0x\(String(byte, radix: 16)) is not UTF-8, perhaps Latin-1: \
            save the file as UTF-8.
            """
        case .unterminatedQuote(let line, let column):
            "Line \(line), column \(column): a quote is opened and never closed: close it or double it."
        case .textAfterQuote(let line, let column):
            "Line \(line), column \(column): text follows a closing quote: double the quotes inside a quoted field."
        case .fieldTooLong(let line, let column, let limit):
            "Line \(line), column \(column): the field has more than \(limit) bytes: look for a missing quote."
        case .recordTooLong(let line, let limit):
            "Line \(line): the record has more than \(limit) bytes: look for a missing quote."
        case .tooManyColumns(let line, let limit):
            "Line \(line): there are more than \(limit) columns: look for another delimiter."
        case .noHeader: "The file is empty: begin it with a line of column names."
        case .duplicateColumn(let name, let first, let second):
            "Columns \(first) and \(second) are both named \"\(name)\": rename one."
        case .ragged(let line, let found, let expected):
            "Line \(line): found \(found) fields where the header has \(expected): add, remove or quote delimiters."
        case .missingColumn(let name): "There is no column \"\(name)\": add it to the first line."
        }
    }
}
