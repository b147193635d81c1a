internal import Messages

/// Reads a duration in one of its forms.
struct DurationReader {
    let line: LineScanner
    var isRepaired = false

    /// Exact, in seconds; nil where the text names no time for sure.
    mutating func seconds() -> Int? {
        let start = line.skippingBlanks(0)
        var end = line.end
        while end > start, line.isBlank(end - 1) { end -= 1 }
        guard start < end else { return nil }
        let total =
            ["P", "p"].contains(line[start]) && !line.isWordOfPeople(start)
            ? iso8601(start + 1, end) : words(start, end)
        guard let total, total.denominator == 1 || total >= Rational(0) else { return nil }
        return (try? total.rounded(decimals: 0)).flatMap { Int(exactly: $0) }
    }

    // MARK: ISO 8601

    /// The designators of ISO 8601-1:2019, 5.5.2, in their order. `Y`, and `M` before the `T`, have no fixed length.
    private static let designators: [(letter: Unicode.Scalar, seconds: Int64)] = [
        ("W", 604_800), ("D", 86_400), ("H", 3600), ("M", 60), ("S", 1),
    ]

    private mutating func iso8601(_ start: Int, _ end: Int) -> Rational? {
        var (place, total, least, count) = (start, Rational(0), 0, 0)
        var (isTime, hasFraction) = (false, false)
        while place < end {
            if ["T", "t"].contains(line[place]), !isTime {
                isTime = true
                place += 1
                continue
            }
            var value: Rational?
            if case .number(let number) = line.number(place) {
                guard number.form != .fraction, !hasFraction else { return nil }
                if number.form != .whole { hasFraction = true }
                (value, place) = (number.value, number.range.upperBound)
            } else if let (whole, digitsEnd) = line.paddedWhole(place) {
                (value, place) = (whole, digitsEnd)
            }
            guard let letter = line[place]?.properties.uppercaseMapping,
                let index = Self.designators.firstIndex(where: { String($0.letter) == letter }), index >= least
            else { return nil }
            // Days behind the T, hours and minutes before it, and a letter without a number.
            let isDate = index < 2
            if isDate == isTime || value == nil { isRepaired = true }
            if index == 0, isTime { return nil }
            least = index + 1
            place += 1
            guard let value else { continue }
            count += 1
            guard let part = try? value.multiplied(by: Rational(Self.designators[index].seconds)),
                let sum = try? total.adding(part)
            else { return nil }
            total = sum
        }
        return count > 0 ? total : nil
    }

    // MARK: People's forms

    private func words(_ start: Int, _ end: Int) -> Rational? {
        var place = start
        while let word = line.word(place), Self.qualifiers.contains(word.text.lowercased()) {
            place = word.end
            if line[place] == "." { place += 1 }
            place = line.skippingBlanks(place)
        }
        var (total, last) = (Rational(0), Int64.max)
        while place < end {
            guard case .number(let number) = line.number(place), !number.isAmbiguous else { return nil }
            place = line.skippingBlanks(number.range.upperBound)
            var seconds: Int64
            if let word = line.word(place), let unit = Self.unit(word.text) {
                seconds = unit
                place = word.end
                if line[place] == "." { place += 1 }
            } else if place >= end, last == 3600 || last == .max, number.value < Rational(60) || last == .max {
                // Minutes, where nothing else is said: `45`, `1h30`.
                seconds = 60
            } else {
                return nil
            }
            guard seconds < last, let part = try? number.value.multiplied(by: Rational(seconds)),
                let sum = try? total.adding(part)
            else { return nil }
            (total, last) = (sum, seconds)
            place = behindJoint(place)
        }
        return last == .max ? nil : total
    }

    /// Past blanks, a comma, `and`, `und`, `&` between two parts.
    private func behindJoint(_ place: Int) -> Int {
        var place = line.skippingBlanks(place)
        if line[place] == "," || line[place] == "&" { place = line.skippingBlanks(place + 1) }
        if let word = line.word(place),
            ["and", "und", "et", "e", "y", "en", "och", "og"].contains(word.text.lowercased())
        {
            place = line.skippingBlanks(word.end)
        }
        return place
    }

    private static let qualifiers: Set<String> = [
        "about", "approx", "approximately", "around", "ca", "circa", "cirka", "etwa", "ungefähr", "environ", "ongeveer",
        "ungefär",
    ]

    /// The seconds of a unit's word in English, German, Dutch, French, Italian, Spanish, Portuguese, Swedish, Danish and
    /// Norwegian.
    private static func unit(_ word: String) -> Int64? {
        switch word.lowercased() {
        case "s", "sec", "secs", "second", "seconds", "sekunde", "sekunden", "sek", "seconde", "seconden", "secondes",
            "secondo", "secondi", "segundo", "segundos", "sekund", "sekunder":
            1
        case "m", "min", "mins", "minute", "minutes", "minuten", "minuti", "minuto", "minutos", "minuter", "minut",
            "minutt", "minutter", "minuut":
            60
        case "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "uur", "uren", "u", "ora", "ore", "hora",
            "horas", "heure", "heures", "timme", "timmar", "tim", "time", "timer":
            3600
        case "d", "day", "days", "tag", "tage", "tagen", "giorno", "giorni", "día", "días", "dia", "dias", "jour",
            "jours",
            "dag", "dagen", "dagar", "dage", "dager":
            86_400
        case "week", "weeks", "woche", "wochen", "weken", "semaine", "semaines", "settimana", "settimane", "semana",
            "semanas", "vecka", "veckor", "uge", "uger", "uke", "uker":
            604_800
        default: nil
        }
    }
}

extension LineScanner {
    /// Whether a word of small letters begins here, so that a P is no designator.
    func isWordOfPeople(_ place: Int) -> Bool {
        guard let next = self[place + 1] else { return false }
        return next.properties.isAlphabetic && next != "T" && next != "t" && !["H", "h"].contains(next)
    }

    /// Digits with zeros in front, as in `PT05M`.
    func paddedWhole(_ place: Int) -> (Rational, end: Int)? {
        var end = place
        while self[end] == "0", isDigit(end + 1) { end += 1 }
        guard end > place, case .number(let number) = number(end), number.form == .whole else { return nil }
        return (number.value, number.range.upperBound)
    }
}
