import Measures
import Messages
import Text

/// Makes records of a table's rows: those that are there already, changed to what the file says, and new ones.
///
/// A row's record is known by its `id`, or where that is blank or no column by its `reference`, or else by its name, case
/// and accents aside. A new one's id follows from the reference or the name, so that a second import meets the first.
/// Fields for which the file has no column stay as they are; a blank cell empties its field.
struct RecordReader<R: Resolvable> {
    let form: ExchangeForm<R>
    let table: ImportTable
    let known: KnownRecords<R>
    let reading: ImportReading
    private(set) var problems: ImportProblems
    private(set) var items: [ImportItem<R>] = []
    /// How many of the items are not there yet.
    private(set) var newCount = 0
    private var lines: [Identifier: Int] = [:]

    init(
        _ form: ExchangeForm<R>,
        _ table: ImportTable,
        known: KnownRecords<R>,
        reading: ImportReading,
        problems: ImportProblems = ImportProblems()
    ) {
        self.form = form
        self.table = table
        self.known = known
        self.reading = reading
        self.problems = problems
        read()
    }

    private mutating func read() {
        let columns = form.columns.filter { column in table.columns.contains { $0.name == column.name } }
        var marks: [String: DecimalMark] = [:]
        for column in columns where column.kind == .money {
            guard let mark = decimalMark(of: column.name) else { return }
            marks[column.name] = mark
        }
        for row in table.rows {
            guard var record = record(of: row) else { continue }
            for column in columns { set(column, of: &record, row, marks[column.name] ?? .point) }
            items.append(ImportItem(record: record, line: row.line))
        }
    }

    // MARK: Which record

    /// The record that the row is about, as it is now; nil where that is a problem.
    private mutating func record(of row: ImportRow) -> R? {
        guard let (id, key) = identity(of: row) else { return nil }
        if let first = lines[id] {
            problems.add(row, key, "Line \(first) is about the same \(R.singular) already.\(hint(key))")
            return nil
        }
        lines[id] = row.line
        if let record = known[id] { return record }
        newCount += 1
        for column in form.columns {
            guard case .required = column.setting, !row.has(column.name) else { continue }
            problems.add(row, key, "There is no such \(R.singular), and a new one needs a column \(column.name).")
            return nil
        }
        return form.make(id)
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
            problems.add(row, "id", "It is no id of Daybook's: give the column another field by --map\(other).")
            return nil
        }
        let reference = TextNormalizer.trimmedNormalized(row["reference"])
        if R.hasReference, !reference.isEmpty {
            return single(known.referenced(reference), row, "reference", .imported(R.entity, reference))
        }
        let name = TextNormalizer.trimmedNormalized(row["name"])
        guard R.hasName, !name.isEmpty else {
            let keys = ["id", R.hasReference ? "reference" : nil, R.hasName ? "name" : nil].compactMap(\.self)
            let place = keys.last { row.has($0) } ?? "id"
            problems.add(
                row,
                place,
                "Nothing says which \(R.singular) it is: give one of \(keys.joined(separator: ", "))."
            )
            return nil
        }
        return single(known.named(name), row, "name", .imported("\(R.entity)-name", KnownRecords<R>.folded(name)))
    }

    private mutating func single(
        _ found: [R],
        _ row: ImportRow,
        _ key: String,
        _ new: Identifier
    ) -> (id: Identifier, key: String)? {
        guard found.count > 1 else { return (found.first?.id ?? new, key) }
        problems.add(row, key, "There are \(found.count) \(R.plural) with this \(key): tell which by a column id.")
        return nil
    }

    // MARK: Fields

    private mutating func set(_ column: ExchangeColumn<R>, of record: inout R, _ row: ImportRow, _ mark: DecimalMark) {
        let text = TextNormalizer.trimmedNormalized(row[column.name])
        let isBlank = TextNormalizer.isBlank(text)
        switch column.setting {
        case .required(let set):
            guard !isBlank else {
                return problems.add(row, column.name, "It is blank: give at least one visible character.")
            }
            if let fault = Self.fault(of: text, isName: true) { problems.add(row, column.name, fault) }
            set(&record, text)
        case .text(let set):
            if let fault = Self.fault(of: text, isName: column.name == "reference") {
                problems.add(row, column.name, fault)
            }
            set(&record, isBlank ? nil : text)
        case .money(let set):
            guard !isBlank else { return set(&record, nil) }
            guard let money = money(row, column.name, text, mark) else { return }
            set(&record, money)
        }
    }

    /// The rules that the services have for texts, told for all rows at once.
    private static func fault(of text: String, isName: Bool) -> String? {
        if text.utf8.contains(0) { return "It has a NUL character: remove it." }
        return isName && text.count > 200 ? "It has \(text.count) characters: at most 200 are taken." : nil
    }

    private mutating func money(_ row: ImportRow, _ column: String, _ text: String, _ mark: DecimalMark) -> Money? {
        let currencyColumn = "\(column)_currency"
        let code = TextNormalizer.trimmedNormalized(row[currencyColumn])
        var currency = reading.currency
        if !code.isEmpty {
            do throws(AmountError) {
                currency = try Currency(code: code)
            } catch {
                problems.add(row, currencyColumn, error.description)
                return nil
            }
        }
        do throws(AmountError) {
            return try AmountCell.money(text, decimal: mark, currency: currency)
        } catch {
            problems.add(row, column, error.description)
            return nil
        }
    }

    /// The decimal mark of a whole column; nil where it can't be told, which is a problem.
    private mutating func decimalMark(of column: String) -> DecimalMark? {
        if table.isJSON { return .point }
        if let decimal = reading.decimal { return decimal }
        var evidence = DecimalEvidence()
        for (index, row) in table.rows.enumerated() { evidence.add(row[column], row: index) }
        switch evidence.verdict {
        case .decided(let mark): return mark
        case .ambiguous(let place):
            problems.add(
                table.rows[place.row],
                column,
                "Nothing in this column tells whether the mark parts thousands or decimals: say --decimal , or --decimal ."
            )
        case .contradiction(let place, let first):
            problems.add(
                table.rows[place.row],
                column,
                "Its decimal mark is not that of \(quoted(first.text)) on line \(table.rows[first.row].line): "
                    + "correct one, or say --decimal , or --decimal ."
            )
        }
        return nil
    }
}
