import Measures
import Messages
import Text

/// Makes the filter of a list from what `--where` says.
///
/// A day is compared with whole periods: `date < 2024-02` is before February, `date = 2024-02` within it. Texts are equal
/// whole, and `~` finds a part, case and accents aside. Amounts without a currency are in the configured one, and none is
/// compared across currencies. `none` is an absent value.
struct QueryCompiler<R: Queryable>: Sendable {
    let daybook: Invocation
    var today = CalendarDay.today()

    /// - Throws: ``CLIError/usage(_:)`` for what can't be read, and what finding a record throws.
    func filter(_ text: String) async throws(CLIError) -> Filter {
        let query: Query
        do throws(Query.Problem) {
            query = try Query(parsing: text)
        } catch {
            throw Self.refusal(error.place, error.reason)
        }
        return try await filter(query)
    }

    private static func refusal(_ place: Int, _ reason: String) -> CLIError {
        .usage("--where, at character \(place): \(reason).")
    }

    private func filter(_ query: Query) async throws(CLIError) -> Filter {
        switch query {
        case .and(let parts): return .and(try await filters(parts))
        case .or(let parts): return .or(try await filters(parts))
        case .not(let part): return .not(try await filter(part))
        case .flag(let field):
            let known = try self.field(field)
            guard case .boolean = known.kind else {
                throw Self.refusal(field.place, "'\(known.name)' is not true or false: compare it with something")
            }
            return .equal(known.field, .boolean(true))
        case .comparison(let comparison): return try await filter(comparison)
        }
    }

    private func filters(_ queries: [Query]) async throws(CLIError) -> [Filter] {
        var filters: [Filter] = []
        for query in queries { filters.append(try await filter(query)) }
        return filters
    }

    private func field(_ field: Query.Field) throws(CLIError) -> QueryField {
        let name = field.name.lowercased().filter { $0 != "-" && $0 != "_" }
        if let known = R.queryFields.first(where: { $0.name.lowercased() == name }) { return known }
        let names = R.queryFields.map(\.name)
        let end =
            Suggestion.nearest(to: field.name, among: names).map { "did you mean '\($0)'?" }
            ?? "there are \(names.joined(separator: ", "))"
        throw .usage("--where, at character \(field.place): there is no field \(quoted(field.name)); \(end)")
    }

    private func filter(_ comparison: Query.Comparison) async throws(CLIError) -> Filter {
        let field = try field(comparison.field)
        let sign = comparison.sign
        if !comparison.isQuoted, comparison.value.lowercased() == "none", sign == .equal || sign == .unequal {
            let empty = Filter.equal(field.field, nil)
            return sign == .equal ? empty : .not(empty)
        }
        switch field.kind {
        case .text: return try text(field.field, comparison)
        case .boolean: return try boolean(field, comparison)
        case .day(let leaning): return try day(field, leaning, comparison)
        case .integer:
            guard let number = Int64(comparison.value) else {
                throw Self.refusal(comparison.place, "\(quoted(comparison.value)) is no whole number")
            }
            return try ordered(field, sign, number, comparison)
        case .money(let currency): return try money(field, currency, comparison)
        case .number(let year): return try number(field, year, comparison)
        case .instant: return try instant(field, comparison)
        case .minutes:
            guard let minutes = Int64(comparison.value) ?? RecipeDuration(comparison.value).map({ Int64($0.minutes) })
            else {
                let text = quoted(comparison.value)
                throw Self.refusal(comparison.place, "\(text) is no length of time: write 45min or '1 h 15 min'")
            }
            return try ordered(field, sign, minutes, comparison)
        case .words:
            guard sign == .contains, !SearchWords.words(of: comparison.value).isEmpty else {
                throw Self.refusal(comparison.place, "'\(field.name)' is compared with ~ and words, like ~ leek")
            }
            return .search(field.field, comparison.value)
        case .record(let name, let referring):
            if sign == .contains { return .contains(name, comparison.value) }
            guard sign == .equal || sign == .unequal else {
                throw Self.refusal(comparison.place, "'\(field.name)' is compared with =, != or ~")
            }
            let same = try await referring(comparison.value, daybook)
            return sign == .equal ? same : .not(same)
        }
    }

    // MARK: Kinds

    private func text(_ field: String, _ comparison: Query.Comparison) throws(CLIError) -> Filter {
        let value = FilterValue.text(TextNormalizer.trimmedNormalized(comparison.value))
        // What is absent is neither before nor behind anything.
        let isThere = Filter.not(.equal(field, nil))
        switch comparison.sign {
        case .equal: return .equal(field, value)
        case .unequal: return .not(.equal(field, value))
        case .contains: return .contains(field, comparison.value)
        case .less: return .and([isThere, .not(.range(field, from: value, through: nil))])
        case .atMost: return .and([isThere, .range(field, from: nil, through: value)])
        case .greater: return .and([isThere, .not(.range(field, from: nil, through: value))])
        case .atLeast: return .and([isThere, .range(field, from: value, through: nil)])
        }
    }

    private func boolean(_ field: QueryField, _ comparison: Query.Comparison) throws(CLIError) -> Filter {
        let words = ["yes": true, "true": true, "no": false, "false": false]
        guard let value = words[comparison.value.lowercased()], [.equal, .unequal].contains(comparison.sign) else {
            throw Self.refusal(comparison.place, "'\(field.name)' is yes or no")
        }
        return .equal(field.field, .boolean(value == (comparison.sign == .equal)))
    }

    private func day(
        _ field: QueryField,
        _ leaning: DayWords.Leaning,
        _ comparison: Query.Comparison
    ) throws(CLIError) -> Filter {
        let option = "--where, at character \(comparison.place)"
        let span = try DayText.span(comparison.value, option: option, today: today, leaning: leaning)
        func range(_ from: CalendarDay?, _ through: CalendarDay?) -> Filter {
            .range(
                field.field,
                from: (from?.description).map(FilterValue.text),
                through: (through?.description).map(FilterValue.text)
            )
        }
        func shifted(_ day: CalendarDay?, _ days: Int) throws(CLIError) -> CalendarDay {
            guard let day else { throw Self.refusal(comparison.place, "\(quoted(comparison.value)) has no such end") }
            do throws(DateError) {
                return try day.adding(days: days)
            } catch {
                throw Self.refusal(comparison.place, "nothing is beyond \(day)")
            }
        }
        switch comparison.sign {
        case .equal: return range(span.from, span.through)
        case .unequal: return .not(range(span.from, span.through))
        case .less: return range(nil, try shifted(span.from, -1))
        case .atMost: return range(nil, try shifted(span.through, 0))
        case .greater: return range(try shifted(span.through, 1), nil)
        case .atLeast: return range(try shifted(span.from, 0), nil)
        case .contains: throw Self.refusal(comparison.place, "a day is not compared with ~")
        }
    }

    /// A time that is given is compared by itself, a day or period whole, in the user's zone.
    private func instant(_ field: QueryField, _ comparison: Query.Comparison) throws(CLIError) -> Filter {
        let option = "--where, at character \(comparison.place)"
        let range: (from: Instant?, through: Instant?)
        if comparison.value.contains(":") {
            let time = try TimeOptions.instant(comparison.value, option: option, key: nil)
            range = (time, time)
        } else {
            let span = try DayText.span(comparison.value, option: option, today: today)
            range = try span.instants(in: TimeOptions.zone())
        }
        func filter(_ from: Instant?, _ through: Instant?) -> Filter {
            .range(
                field.field,
                from: (from?.microseconds).map(FilterValue.integer),
                through: (through?.microseconds).map(FilterValue.integer)
            )
        }
        func end(_ moment: Instant?, shiftedBy microseconds: Int64) throws(CLIError) -> Instant {
            guard let moment else {
                throw Self.refusal(comparison.place, "\(quoted(comparison.value)) has no such end")
            }
            return moment.advanced(by: .microseconds(microseconds))
        }
        switch comparison.sign {
        case .equal: return filter(range.from, range.through)
        case .unequal: return .not(filter(range.from, range.through))
        case .less: return filter(nil, try end(range.from, shiftedBy: -1))
        case .atMost: return filter(nil, try end(range.through, shiftedBy: 0))
        case .greater: return filter(try end(range.through, shiftedBy: 1), nil)
        case .atLeast: return filter(try end(range.from, shiftedBy: 0), nil)
        case .contains: throw Self.refusal(comparison.place, "a time is not compared with ~")
        }
    }

    private func money(
        _ field: QueryField,
        _ currencyField: String,
        _ comparison: Query.Comparison
    ) throws(CLIError) -> Filter {
        let words = comparison.value.split(separator: " ")
        let amount: Money
        do throws(AmountError) {
            let currency = words.count == 2 ? try Currency(code: words[1].uppercased()) : daybook.configuration.currency
            amount = try Money(parsing: words.count == 2 ? String(words[0]) : comparison.value, currency: currency)
        } catch {
            throw .usage("--where, at character \(comparison.place): \(error.description)")
        }
        let same = Filter.equal(currencyField, .text(amount.currency.code))
        return .and([same, try ordered(field, comparison.sign, amount.amount, comparison)])
    }

    private func number(
        _ field: QueryField,
        _ yearField: String,
        _ comparison: Query.Comparison
    ) throws(CLIError) -> Filter {
        guard let label = RunningNumber(comparison.value) else {
            throw Self.refusal(comparison.place, "\(quoted(comparison.value)) is no number: write 17, or 2024-17")
        }
        let number = try ordered(field, comparison.sign, label.number, comparison)
        guard let year = label.year else { return number }
        guard comparison.sign != .unequal else {
            return .not(.and([.equal(yearField, .integer(Int64(year))), .equal(field.field, .integer(label.number))]))
        }
        return .and([.equal(yearField, .integer(Int64(year))), number])
    }

    private func ordered(
        _ field: QueryField,
        _ sign: Query.Sign,
        _ value: Int64,
        _ comparison: Query.Comparison
    ) throws(CLIError) -> Filter {
        switch sign {
        case .equal: return .equal(field.field, .integer(value))
        case .unequal: return .not(.equal(field.field, .integer(value)))
        case .atMost: return .range(field.field, from: nil, through: .integer(value))
        case .atLeast: return .range(field.field, from: .integer(value), through: nil)
        case .less:
            return .and([
                .range(field.field, from: nil, through: nil),
                .not(.range(field.field, from: .integer(value), through: nil)),
            ])
        case .greater:
            return .and([
                .range(field.field, from: nil, through: nil),
                .not(.range(field.field, from: nil, through: .integer(value))),
            ])
        case .contains: throw Self.refusal(comparison.place, "'\(field.name)' is not compared with ~")
        }
    }
}
