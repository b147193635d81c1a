import Measures
import Messages
import Text

/// Reads the cells of a file into the fields of records, and gathers what is wrong with them.
struct CellReader {
    let reading: ImportReading
    /// Of each column of numbers.
    let marks: [String: DecimalMark]
    /// Whether new records may be made of names that nobody has.
    let addsMissing: Bool
    var problems: ImportProblems
    private(set) var referred: [String: ReferredRecords]

    init(
        _ reading: ImportReading,
        marks: [String: DecimalMark],
        referred: [String: ReferredRecords],
        problems: ImportProblems
    ) {
        self.reading = reading
        self.marks = marks
        addsMissing = reading.addsMissing
        self.referred = referred
        self.problems = problems
    }

    /// Sets a field to what a row says; where that can't be right, it is left as it is and the problem told.
    ///
    /// - Parameters:
    ///   - prefix: what the file's columns have before the field's name.
    ///   - currency: of the record's amounts; nil where each may have its own.
    mutating func set<Item>(
        _ column: ExchangeColumn<Item>,
        of item: inout Item,
        _ row: ImportRow,
        prefix: String = "",
        currency: Currency? = nil
    ) {
        let name = prefix + column.name
        if case .reference(let referred, let id, let set) = column.setting {
            guard let found = reference(to: referred, row, id: prefix + id, name: name, column.isRequired) else {
                return
            }
            return set(&item, found.id, found.name)
        }
        let text = TextNormalizer.trimmedNormalized(row[name])
        let isBlank = TextNormalizer.isBlank(text)
        guard !isBlank || !column.isRequired else {
            let isText = if case .text = column.setting { true } else { false }
            return problems.add(
                row,
                name,
                isText ? "It is blank: give at least one visible character." : "It is blank."
            )
        }
        switch column.setting {
        case .text(let set):
            if let fault = Self.fault(of: text, isShort: column.isShort) { problems.add(row, name, fault) }
            set(&item, isBlank ? nil : text)
        case .money(let set):
            guard !isBlank else { return set(&item, nil) }
            if let money = money(row, name, text, currency) { set(&item, money) }
        case .quantity(let set):
            guard !isBlank else { return set(&item, nil) }
            do throws(AmountError) {
                set(&item, try Quantity(parsing: AmountCell.plain(text, decimal: mark(name))))
            } catch {
                problems.add(row, name, error.description)
            }
        case .rate(let set):
            guard !isBlank else { return set(&item, nil) }
            do throws(AmountError) {
                let number = text.hasSuffix("%") ? TextNormalizer.trimmedNormalized(String(text.dropLast())) : text
                set(&item, try TaxRate(parsing: AmountCell.plain(number, decimal: mark(name))))
            } catch {
                problems.add(row, name, error.description)
            }
        case .boolean(let set): if let value = boolean(row, name, text) { set(&item, value) }
        case .day(let set):
            guard !isBlank else { return set(&item, nil) }
            if let day = day(row, name, text) { set(&item, day) }
        case .instant(let set):
            guard !isBlank else { return set(&item, nil) }
            if let instant = instant(row, name, text) { set(&item, instant) }
        case .id(let set):
            guard !isBlank else { return set(&item, nil) }
            if let id = id(row, name) { set(&item, id) }
        case .currency, .reference: break
        }
    }

    /// The id in a column; nil where it is blank, and where it is none, which is a problem.
    mutating func id(_ row: ImportRow, _ name: String) -> Identifier? {
        let text = TextNormalizer.trimmedNormalized(row[name])
        guard !text.isEmpty else { return nil }
        if let id = Identifier(text) { return id }
        problems.add(row, name, "It is no id of Daybook's: leave it blank, or give the column another field by --map.")
        return nil
    }

    /// The currency in a column; nil where it is blank, and where it is none, which is a problem.
    mutating func currency(_ row: ImportRow, _ name: String) -> Currency? {
        let code = TextNormalizer.trimmedNormalized(row[name])
        guard !code.isEmpty else { return nil }
        do throws(AmountError) {
            return try Currency(code: code)
        } catch {
            problems.add(row, name, error.description)
            return nil
        }
    }

    private func mark(_ name: String) -> DecimalMark { marks[name] ?? .point }

    /// The rules that the services have for texts, told for all rows at once.
    private static func fault(of text: String, isShort: Bool) -> String? {
        if text.utf8.contains(0) { return "It has a NUL character: remove it." }
        return isShort && text.count > 200 ? "It has \(text.count) characters: at most 200 are taken." : nil
    }

    // MARK: Amounts

    private mutating func money(_ row: ImportRow, _ name: String, _ text: String, _ all: Currency?) -> Money? {
        let currencyName = "\(name)_currency"
        let count = problems.count
        let own = currency(row, currencyName)
        guard problems.count == count else { return nil }
        if let all, let own, own != all {
            problems.add(row, currencyName, "The other amounts are in \(all): all of a record are in one currency.")
            return nil
        }
        do throws(AmountError) {
            return try AmountCell.money(text, decimal: mark(name), currency: own ?? all ?? reading.currency)
        } catch {
            problems.add(row, name, error.description)
            return nil
        }
    }

    private mutating func boolean(_ row: ImportRow, _ name: String, _ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1", "x": return true
        case "false", "no", "0", "": return false
        default:
            problems.add(row, name, "Write true or false.")
            return nil
        }
    }

    // MARK: Dates

    private mutating func day(_ row: ImportRow, _ name: String, _ text: String) -> CalendarDay? {
        do throws(DateError) {
            return try CalendarDay(parsing: text)
        } catch .notADay {
            return ordered(row, name, text)
        } catch {
            problems.add(row, name, error.description)
            return nil
        }
    }

    /// A date whose order was told.
    private mutating func ordered(_ row: ImportRow, _ name: String, _ text: String) -> CalendarDay? {
        guard let order = reading.dates else {
            problems.add(
                row,
                name,
                "Write it like 2024-03-31, or say in which order dates are: --dates dmy, mdy or ymd."
            )
            return nil
        }
        do throws(DateError) {
            if let day = try order.day(text) { return day }
            problems.add(row, name, "It is no date like \(order.example), with all four digits of the year.")
        } catch {
            problems.add(row, name, error.description)
        }
        return nil
    }

    /// RFC 3339, or a day and a time in the user's own zone.
    private mutating func instant(_ row: ImportRow, _ name: String, _ text: String) -> Instant? {
        if let instant = Instant(text) { return instant }
        let words = text.split { $0 == " " || $0 == "T" }
        guard words.count == 2 else {
            problems.add(row, name, "Write it like 2024-03-31T18:05:00Z, or in your own zone 2024-03-31 18:05.")
            return nil
        }
        guard let day = day(row, name, String(words[0])) else { return nil }
        do throws(CLIError) {
            let time = WallTime(zone: try TimeOptions.zone(), now: .now(), option: name)
            return try time.instant("\(day) \(words[1])")
        } catch {
            problems.add(row, name, error.description)
            return nil
        }
    }

    // MARK: References

    /// The record that a row names; nil where that is a problem, and a nil id where it names none.
    private mutating func reference(
        to kind: Referred,
        _ row: ImportRow,
        id idColumn: String,
        name column: String,
        _ isRequired: Bool
    ) -> (id: Identifier?, name: String?)? {
        let text = TextNormalizer.trimmedNormalized(row[column])
        guard !TextNormalizer.isBlank(text) || !TextNormalizer.isBlank(row[idColumn]) else {
            guard isRequired else { return (nil, nil) }
            problems.add(row, column, "It is blank: name the \(kind.singular).")
            return nil
        }
        guard var records = referred[kind.entity] else { preconditionFailure("\(kind.plural) are loaded") }
        let count = problems.count
        if let id = id(row, idColumn) {
            guard let name = records.known.name(of: id) else {
                problems.add(row, idColumn, "There is no \(kind.singular) of this id: \(Self.hint(kind))")
                return nil
            }
            guard text.isEmpty || KnownRecords<Customer>.folded(name) == KnownRecords<Customer>.folded(text) else {
                problems.add(
                    row,
                    column,
                    "The \(kind.singular) of \(row.place(of: idColumn)) is \(quoted(name)): correct one, or leave one blank."
                )
                return nil
            }
            return (id, name)
        }
        guard problems.count == count else { return nil }
        let found = records.known.called(text)
        if found.count == 1 { return (found[0], records.known.name(of: found[0])) }
        guard found.isEmpty else {
            problems.add(
                row,
                column,
                "There are \(found.count) \(kind.plural) called so: tell which by a column \(idColumn)."
            )
            return nil
        }
        guard addsMissing else {
            problems.add(row, column, "There is no such \(kind.singular): \(Self.hint(kind))")
            return nil
        }
        if let fault = Self.fault(of: text, isShort: true) { problems.add(row, column, fault) }
        let id = records.add(text, line: row.line)
        referred[kind.entity] = records
        return (id, text)
    }

    private static func hint(_ kind: Referred) -> String {
        "import \(kind.noun.rawValue) first, or make what is named and missing by --add-missing."
    }
}

extension DateOrder {
    /// Three numbers in this order, parted by one of `.`, `/`, `-` and blank, with four digits for the year.
    ///
    /// - Returns: nil for another form.
    /// - Throws: ``DateError`` for a day that isn't in the calendar.
    func day(_ text: String) throws(DateError) -> CalendarDay? {
        let mark = text.first { [".", "/", "-"].contains($0) } ?? " "
        // `31. 3. 2024` has blanks behind its marks.
        let parts = text.split(separator: mark, omittingEmptySubsequences: false).map {
            $0.drop { $0 == " " }
        }
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else { return nil }
        let places: (year: Int, month: Int, day: Int) =
            switch self {
            case .dmy: (2, 1, 0)
            case .mdy: (2, 0, 1)
            case .ymd: (0, 1, 2)
            }
        guard parts[places.year].utf8.count == 4, parts[places.month].utf8.count <= 2,
            parts[places.day].utf8.count <= 2,
            let year = Int(parts[places.year]), let month = Int(parts[places.month]), let day = Int(parts[places.day])
        else { return nil }
        return try CalendarDay(year: year, month: month, day: day)
    }
}
