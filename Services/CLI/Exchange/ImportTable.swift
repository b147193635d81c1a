import CSV
import JSON
import Measures
import Messages
import Text

/// How a file is to be read where it does not tell itself.
struct ImportReading: Sendable {
    var map: [ColumnMapping] = []
    /// nil for the one that the file is most probably written with.
    var delimiter: CSVDelimiter?
    /// nil to find it for each column.
    var decimal: DecimalMark?
    /// Of amounts beside which none is named.
    var currency: Currency = .eur
    /// Whether texts were neutralised by ``SpreadsheetText``.
    var isSpreadsheetSafe = false
}

/// A file of records as rows of texts, whatever its format.
struct ImportTable: Sendable {
    private(set) var columns: [ImportColumn] = []
    private(set) var rows: [ImportRow] = []
    /// Whether amounts are written as programs write them, whatever the locale.
    private(set) var isJSON = false
    /// What people should know.
    private(set) var notes: [String] = []

    /// Reads CSV with a heading, or JSON: an array of objects, or an object a line. JSON begins with a bracket or brace.
    ///
    /// - Parameters:
    ///   - file: what problems call it.
    ///   - problems: what is wrong; the rows are not whole then.
    /// - Throws: ``CLIError/failure(_:)`` for columns that can't be told apart, and maps of what isn't there.
    init(
        _ bytes: [UInt8],
        file: String,
        targets: [ImportTarget],
        reading: ImportReading,
        problems: inout ImportProblems
    ) throws(CLIError) {
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        if let first = text.first(where: { !blanks.contains($0) }), [0x5B, 0x7B].contains(first) {
            isJSON = true
            try readJSON(bytes, file, targets, reading, &problems)
        } else {
            try readCSV(bytes, file, targets, reading, &problems)
        }
    }

    // MARK: CSV

    private mutating func readCSV(
        _ bytes: [UInt8],
        _ file: String,
        _ targets: [ImportTarget],
        _ reading: ImportReading,
        _ problems: inout ImportProblems
    ) throws(CLIError) {
        let content = CSVContent(bytes, delimiter: reading.delimiter)
        for error in content.errors { problems.add(error, in: file) }
        guard let header = content.header else { return }
        try choose(header.names, file, targets, reading)
        guard content.isWhole else { return }
        let (columns, isSafe) = (columns, reading.isSpreadsheetSafe)
        var neutralised = 0
        rows = content.rows.map { row in
            ImportRow(row, file: file, columns: columns) { text in
                let original = SpreadsheetText.unneutralised(text)
                if isSafe { return original }
                if original.utf8.count != text.utf8.count { neutralised += 1 }
                return text
            }
        }
        guard neutralised > 0 else { return }
        notes.append(
            "\(file): \(neutralised) \(neutralised == 1 ? "cell begins" : "cells begin") with an apostrophe before =, +, "
                + "- or @: if the file is spreadsheet-safe, give --spreadsheet-safe."
        )
    }

    private mutating func choose(
        _ names: [String],
        _ file: String,
        _ targets: [ImportTarget],
        _ reading: ImportReading
    ) throws(CLIError) {
        let chosen = try ImportColumns(names, map: reading.map, targets: targets, file: file)
        columns = chosen.columns
        guard !columns.isEmpty else {
            throw .failure(
                "\(file), line 1: no column is named like a field. The columns are \(ImportColumns.list(names)), the "
                    + "fields \(targets.map(\.name).joined(separator: ", ")): name them by --map 'COLUMN=FIELD'."
            )
        }
        if !chosen.unknown.isEmpty { notes.append("\(file): not imported: \(ImportColumns.list(chosen.unknown)).") }
    }

    // MARK: JSON

    private mutating func readJSON(
        _ bytes: [UInt8],
        _ file: String,
        _ targets: [ImportTarget],
        _ reading: ImportReading,
        _ problems: inout ImportProblems
    ) throws(CLIError) {
        let elements: [JSONReader.Element]
        do throws(JSONReader.Problem) {
            elements = try JSONReader.elements(of: bytes)
        } catch {
            return problems.add(file: file, line: error.line, ", line \(error.line): \(error.reason).")
        }
        var names: [String] = []
        var known: Set<String> = []
        var records: [(line: Int, values: [String: String])] = []
        for element in elements {
            guard case .object(let members) = element.value else {
                problems.add(
                    file: file,
                    line: element.line,
                    ", line \(element.line): a record is an object of names and values, like {\"name\": \"Ann\"}."
                )
                continue
            }
            var values: [String: String] = [:]
            var isWhole = true
            for member in members {
                for (name, value) in Self.cells(member) {
                    if known.insert(name).inserted { names.append(name) }
                    guard let value else {
                        isWhole = false
                        problems.add(
                            file: file,
                            line: element.line,
                            ", line \(element.line), column \(quoted(name)): it must be a text, a number, true, false or "
                                + "null."
                        )
                        continue
                    }
                    values[name] = value
                }
            }
            if isWhole { records.append((element.line, values)) }
        }
        guard !names.isEmpty else { return }
        try choose(names, file, targets, reading)
        columns = columns.map { ImportColumn(name: $0.name, title: $0.title) }
        rows = records.map { record in
            ImportRow(
                file: file,
                line: record.line,
                columns: columns,
                values: columns.map { record.values[$0.title] ?? "" }
            )
        }
    }

    /// A member as columns: an amount takes two, as in CSV. nil stands for a value that no field has.
    private static func cells(_ member: JSONValue.Member) -> [(name: String, value: String?)] {
        switch member.value {
        case .null: return [(member.key, "")]
        case .boolean(let value): return [(member.key, value ? "true" : "false")]
        case .number(let value), .string(let value): return [(member.key, value)]
        case .array: return [(member.key, nil)]
        case .object:
            guard case .string(let amount)? = member.value["amount"],
                case .string(let currency)? = member.value["currency"]
            else { return [(member.key, nil)] }
            return [(member.key, amount), ("\(member.key)_currency", currency)]
        }
    }
}
