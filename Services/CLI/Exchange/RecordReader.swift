import Measures
import Messages
import Text

/// Makes records of a table's rows: those that are there already, changed to what the file says, and new ones.
///
/// A row's record is known by its `id`, or where that is blank or no column by its `reference`, or else by what is natural
/// for its kind: its name, case and accents aside; a walk's start. A new one's id follows from the same, so that a second
/// import meets the first. Fields for which the file has no column stay as they are; a blank cell empties its field.
///
/// Where records have lists, the lines with one key are one record, wherever they stand: the record's own cells are the
/// same on all, or blank on those behind the first. The lists that the file has columns for are what its lines say.
struct RecordReader<R: Resolvable> {
    let form: ExchangeForm<R>
    let table: ImportTable
    let known: KnownRecords<R>
    let reading: ImportReading
    private(set) var items: [ImportItem<R>] = []
    /// How many of the items are not there yet.
    private(set) var newCount = 0
    private var cells: CellReader
    /// The line on which a record is first.
    private var lines: [Identifier: Int] = [:]
    /// The records that are there by their natural keys, where these are no names.
    private var knownKeys: [String: [Identifier]] = [:]
    /// How often a natural key was met that is counted.
    private var counts: [String: Int] = [:]

    var problems: ImportProblems { cells.problems }
    /// The records that are to be made because they are named.
    var referred: [ReferredRecords] { Array(cells.referred.values) }

    init(
        _ form: ExchangeForm<R>,
        _ table: ImportTable,
        known: KnownRecords<R>,
        referred: [String: ReferredRecords] = [:],
        reading: ImportReading,
        problems: ImportProblems = ImportProblems()
    ) {
        self.form = form
        self.table = table
        self.known = known
        self.reading = reading
        var problems = problems
        let count = problems.count
        let names = form.columns.filter { $0.kind != .text }.map(\.name) + form.lists.flatMap(\.decimals)
        var marks: [String: DecimalMark] = [:]
        for name in names where table.columns.contains(where: { $0.name == name }) {
            marks[name] = table.decimalMark(of: name, reading, &problems)
        }
        cells = CellReader(reading, marks: marks, referred: referred, problems: problems)
        guard problems.count == count else { return }
        if case .unique(_, let key) = form.naturalKey {
            for record in known.all { knownKeys[key(record), default: []].append(record.id) }
        }
        for rows in groups { read(rows) }
    }

    // MARK: Which rows

    /// The rows of each record, in the order of the first ones.
    private var groups: [[ImportRow]] {
        guard !form.lists.isEmpty else { return table.rows.map { [$0] } }
        var groups: [[ImportRow]] = []
        var indices: [String: Int] = [:]
        for row in table.rows {
            guard let key = groupKey(of: row) else {
                groups.append([row])
                continue
            }
            if let index = indices[key] {
                groups[index].append(row)
            } else {
                indices[key] = groups.count
                groups.append([row])
            }
        }
        return groups
    }

    /// What the rows of one record have in common; nil where it is a record of its own.
    private func groupKey(of row: ImportRow) -> String? {
        if let record = row.record { return String(record) }
        for column in ["id", "reference"] {
            let text = TextNormalizer.trimmedNormalized(row[column])
            if !text.isEmpty { return "\(column) \(text)" }
        }
        let text =
            switch form.naturalKey {
            case .name: KnownRecords<R>.folded(row["name"])
            case .unique(let column, _): TextNormalizer.trimmedNormalized(row[column])
            case .counted: ""
            }
        return text.isEmpty ? nil : text
    }

    // MARK: A record

    private mutating func read(_ rows: [ImportRow]) {
        let row = rows[0]
        guard var record = record(of: row) else {
            // What else is wrong is told along.
            var unknown = form.make(.make(), reading.currency)
            for list in form.lists { list.take(&unknown, rows, &cells) }
            return
        }
        set(&record, row)
        for other in rows.dropFirst() where other.record == nil { compare(other, row) }
        if let setCurrency = form.setCurrency, let currency = currency(of: rows) { setCurrency(&record, currency) }
        for list in form.lists { list.take(&record, rows, &cells) }
        if let fault = form.fault(record) { cells.problems.add(row, fault.column, fault.reason) }
        items.append(ImportItem(record: record, line: row.line))
    }

    private mutating func set(_ record: inout R, _ row: ImportRow) {
        for column in form.columns where column.isIn(row) { cells.set(column, of: &record, row) }
    }

    /// A further line of a record may leave its cells blank, and not differ.
    private mutating func compare(_ row: ImportRow, _ first: ImportRow) {
        for name in form.columns.flatMap(\.names) {
            let text = TextNormalizer.trimmedNormalized(row[name])
            let expected = TextNormalizer.trimmedNormalized(first[name])
            guard !text.isEmpty, text != expected else { continue }
            let was = expected.isEmpty ? "blank" : quoted(expected)
            cells.problems.add(row, name, "It is \(was) on line \(first.line), which is about the same \(R.singular).")
        }
    }

    /// The currency of the record's amounts, by its own column or that of one of its amounts.
    private mutating func currency(of rows: [ImportRow]) -> Currency? {
        if let own = cells.currency(rows[0], "currency") { return own }
        for row in rows {
            for name in form.lists.flatMap(\.decimals) {
                if let currency = Currency(row["\(name)_currency"]) { return currency }
            }
        }
        return nil
    }

    // MARK: Which record

    /// The record that the row is about, as it is now; nil where that is a problem.
    private mutating func record(of row: ImportRow) -> R? {
        guard let (id, key) = identity(of: row) else { return nil }
        if let first = lines[id] {
            cells.problems.add(row, key, "Line \(first) is about the same \(R.singular) already.\(hint(key))")
            return nil
        }
        lines[id] = row.line
        if let record = known[id] { return record }
        newCount += 1
        for column in form.columns where column.isRequired && !row.has(column.name) {
            cells.problems.add(
                row,
                key,
                "There is no such \(R.singular), and a new one needs a column \(column.name)."
            )
            return nil
        }
        return form.make(id, reading.currency)
    }

    private func hint(_ key: String) -> String {
        key == "name" && R.hasReference ? " Tell them apart by a column reference." : ""
    }

    /// The record's id, and the column that says so.
    private mutating func identity(of row: ImportRow) -> (id: Identifier, key: String)? {
        let text = TextNormalizer.trimmedNormalized(row["id"])
        if !text.isEmpty {
            if let id = Identifier(text) { return (id, "id") }
            let other = R.hasReference ? ", like --map '\(row.title(of: "id"))=reference'" : ""
            cells.problems.add(row, "id", "It is no id of Daybook's: give the column another field by --map\(other).")
            return nil
        }
        let reference = TextNormalizer.trimmedNormalized(row["reference"])
        if R.hasReference, !reference.isEmpty {
            let found = known.referenced(reference).map(\.id)
            return single(found, row, "reference", .imported(R.entity, reference))
        }
        switch form.naturalKey {
        case .name: return named(row)
        case .unique(let column, let key):
            guard let key = natural(row, column, key) else { return nil }
            return single(knownKeys[key] ?? [], row, column, .imported("\(R.entity)-\(column)", key))
        case .counted(let key):
            let column = form.columns.first(where: \.isRequired)?.name ?? "id"
            guard let key = natural(row, column, key) else { return nil }
            let count = counts[key, default: 0]
            counts[key] = count + 1
            return (.imported("\(R.entity)-natural", key, String(count)), column)
        }
    }

    private mutating func named(_ row: ImportRow) -> (id: Identifier, key: String)? {
        let name = TextNormalizer.trimmedNormalized(row["name"])
        guard !name.isEmpty else {
            let keys = ["id", R.hasReference ? "reference" : nil, "name"].compactMap(\.self)
            return unknown(row, keys)
        }
        let folded = KnownRecords<R>.folded(name)
        return single(known.named(name).map(\.id), row, "name", .imported("\(R.entity)-name", folded))
    }

    private mutating func unknown(_ row: ImportRow, _ keys: [String]) -> (id: Identifier, key: String)? {
        let place = keys.last { row.has($0) } ?? "id"
        cells.problems.add(
            row,
            place,
            "Nothing says which \(R.singular) it is: give one of \(keys.joined(separator: ", "))."
        )
        return nil
    }

    /// The natural key of what a row says; nil where that is a problem.
    private mutating func natural(_ row: ImportRow, _ column: String, _ key: (R) -> String) -> String? {
        guard row.has(column) else {
            let reference: String? = R.hasReference ? "reference" : nil
            _ = unknown(row, ["id", reference, column].compactMap(\.self))
            return nil
        }
        // What is wrong is told when the record itself is set.
        var trial = cells
        var record = form.make(.make(), reading.currency)
        for column in form.columns where column.isIn(row) { trial.set(column, of: &record, row) }
        guard trial.problems.count == cells.problems.count else {
            cells.problems = trial.problems
            return nil
        }
        return key(record)
    }

    private mutating func single(
        _ found: [Identifier],
        _ row: ImportRow,
        _ key: String,
        _ new: Identifier
    ) -> (id: Identifier, key: String)? {
        guard found.count > 1 else { return (found.first ?? new, key) }
        cells.problems.add(
            row,
            key,
            "There are \(found.count) \(R.plural) with this \(key): tell which by a column id."
        )
        return nil
    }
}

extension ImportTable {
    /// The decimal mark of a whole column; nil where it can't be told, which is a problem.
    fileprivate func decimalMark(
        of column: String,
        _ reading: ImportReading,
        _ problems: inout ImportProblems
    ) -> DecimalMark? {
        if isJSON { return .point }
        if let decimal = reading.decimal { return decimal }
        var evidence = DecimalEvidence()
        for (index, row) in rows.enumerated() { evidence.add(row[column], row: index) }
        switch evidence.verdict {
        case .decided(let mark): return mark
        case .ambiguous(let place):
            problems.add(
                rows[place.row],
                column,
                "Nothing in this column tells whether the mark parts thousands or decimals: say --decimal , or --decimal ."
            )
        case .contradiction(let place, let first):
            problems.add(
                rows[place.row],
                column,
                "Its decimal mark is not that of \(quoted(first.text)) on line \(rows[first.row].line): "
                    + "correct one, or say --decimal , or --decimal ."
            )
        }
        return nil
    }
}
