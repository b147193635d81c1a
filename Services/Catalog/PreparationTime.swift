/// Reads how long something takes from the way people write it: `30 min`, `1 hr 30 min`, `1h`, `PT1H30M`, `45`.
enum PreparationTime {
    /// The minutes, at most a year; nil where the text can't be read for sure.
    static func minutes(_ text: String) -> Int? {
        let text = text.lowercased()
        let isISO = text.hasPrefix("pt") && text.utf8.count > 2
        var rest = (isISO ? text.dropFirst(2) : text[...])
        var total = 0
        var seen: Set<Int> = []
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," || $0 == "." }
            if rest.isEmpty { break }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, digits.count <= 6, let number = Int(digits) else { return nil }
            rest = rest.dropFirst(digits.count).drop { $0.isWhitespace }
            let word = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(word.count)
            // A number alone is minutes, where nothing else is said.
            if word.isEmpty {
                guard seen.isEmpty, rest.isEmpty, !isISO else { return nil }
                return number
            }
            guard let unit = unit(String(word)), seen.insert(unit).inserted else { return nil }
            total += number * unit
        }
        return seen.isEmpty || total > 525_600 * 60 ? nil : total / 60
    }

    /// The seconds of a unit, by its English, German, Italian, Spanish, French or Swedish word.
    private static func unit(_ word: String) -> Int? {
        switch word {
        case "s", "sec", "secs", "second", "seconds", "sekunden", "sek": 1
        case "m", "min", "mins", "minute", "minutes", "minuten", "minuti", "minuto", "minutos", "minuter", "minut": 60
        case "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "ora", "ore", "hora", "horas", "heure",
            "heures", "timme", "timmar", "tim":
            3600
        case "d", "day", "days", "tag", "tage", "giorno", "giorni", "día", "días", "jour", "jours", "dag", "dagar":
            86_400
        default: nil
        }
    }
}
