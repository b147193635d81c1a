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
    /// The order of the numbers of dates that aren't written as 2024-03-31; nil where such are refused.
    var dates: DateOrder?
    /// Whether records that are named and missing are made.
    var addsMissing = false
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
        guard let names = content.header?.names else { return }
        try choose(names, file, targets, reading)
        guard content.isWhole else { return }
        let (header, isSafe) = (ImportHeader(columns), reading.isSpreadsheetSafe)
        var neutralised = 0
        rows = content.rows.map { row in
            ImportRow(row, file: file, header: header) { text in
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
        var parts = JSONRows(lists: Set(targets.filter { $0.kind == .list }.map(\.name)))
        for (index, element) in elements.enumerated() {
            guard case .object(let members) = element.value else {
                problems.add(
                    file: file,
                    line: element.line,
                    ", line \(element.line): a record is an object of names and values, like {\"name\": \"Ann\"}."
                )
                continue
            }
            parts.add(members, line: element.line, record: index)
        }
        for wrong in parts.wrong {
            problems.add(
                file: file,
                line: wrong.line,
                ", line \(wrong.line), column \(quoted(wrong.name)): it must be a text, a number, true, false or null."
            )
        }
        guard !parts.names.isEmpty else { return }
        try choose(parts.names, file, targets, reading)
        columns = columns.map { ImportColumn(name: $0.name, title: $0.title) }
        let header = ImportHeader(columns)
        rows = parts.rows.map { row in
            ImportRow(
                file: file,
                line: row.line,
                header: header,
                values: columns.map { row.values[$0.title] ?? "" },
                record: row.record,
                item: row.item
            )
        }
    }
}

/// The objects of a JSON file as rows of texts: one for each item of an object's lists, at least one.
private struct JSONRows {
    struct Row {
        var line: Int
        var record: Int
        var item: Int?
        var values: [String: String]
    }

    /// The lists within a record that are taken apart.
    let lists: Set<String>
    /// What values are called, in the order in which they were met; those of a list's items as `row_sum`.
    private(set) var names: [String] = []
    private(set) var rows: [Row] = []
    /// The values that no field has.
    private(set) var wrong: [(line: Int, name: String)] = []
    private var known: Set<String> = []

    init(lists: Set<String>) {
        self.lists = lists
    }

    mutating func add(_ members: [JSONValue.Member], line: Int, record: Int) {
        var own: [String: String] = [:]
        var items: [Row] = []
        let count = wrong.count
        for member in members {
            guard lists.contains(member.key), case .array(let values) = member.value else {
                own.merge(cells(member, "", line)) { $1 }
                continue
            }
            // The list is there, also without an item.
            note(member.key)
            for (index, value) in values.enumerated() {
                guard case .object(let members) = value else {
                    wrong.append((line, member.key))
                    continue
                }
                var row = Row(line: line, record: record, item: index + 1, values: [:])
                for item in members { row.values.merge(cells(item, "\(member.key.dropLast())_", line)) { $1 } }
                items.append(row)
            }
        }
        guard wrong.count == count else { return }
        if items.isEmpty { items = [Row(line: line, record: record, item: nil, values: [:])] }
        for var item in items {
            item.values.merge(own) { cell, _ in cell }
            rows.append(item)
        }
    }

    /// A member as columns: an amount takes two, as in CSV.
    private mutating func cells(_ member: JSONValue.Member, _ prefix: String, _ line: Int) -> [String: String] {
        let name = prefix + member.key
        note(name)
        switch member.value {
        case .null: return [:]
        case .boolean(let value): return [name: value ? "true" : "false"]
        case .number(let value), .string(let value): return [name: value]
        case .object:
            guard case .string(let amount)? = member.value["amount"],
                case .string(let currency)? = member.value["currency"]
            else { fallthrough }
            note("\(name)_currency")
            return [name: amount, "\(name)_currency": currency]
        case .array:
            wrong.append((line, name))
            return [:]
        }
    }

    private mutating func note(_ name: String) {
        if known.insert(name).inserted { names.append(name) }
    }
}
