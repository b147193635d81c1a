/// Reads fixed-width text byte by byte; ASCII only, so that a combining mark can't hide a digit or a sign.
struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes one byte if it is one of these.
    mutating func take(_ choices: Unicode.Scalar...) -> Bool {
        guard let byte = rest.first, choices.contains(Unicode.Scalar(byte)) else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes exactly `width` digits.
    mutating func number(_ width: Int) -> Int? {
        var value = 0
        for _ in 0..<width {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Takes one digit or more as the part after a point, in units of 10^-`places`; further digits are dropped.
    mutating func fraction(_ places: Int) -> Int? {
        var (value, count) = (0, 0)
        while let digit = digit() {
            if count < places { value = value * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        while count < places {
            value *= 10
            count += 1
        }
        return value
    }

    /// Takes `Z` or an offset such as `+02:00`, in minutes east of UTC; out of range when 24 hours or more.
    mutating func offset() -> Int? {
        if take("Z", "z") { return 0 }
        let west = take("-")
        guard west || take("+"), let hours = number(2), take(":"), let minutes = number(2) else { return nil }
        guard minutes < 60 else { return 24 * 60 }
        return (west ? -1 : 1) * (hours * 60 + minutes)
    }

    /// Takes `2024-03-31`; `nil` when the form is another.
    ///
    /// - Throws: ``DateError`` when the form is right but there is no such day.
    mutating func calendarDay() throws(DateError) -> CalendarDay? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2) else { return nil }
        return try CalendarDay(year: year, month: month, day: day)
    }

    private mutating func digit() -> Int? {
        guard let byte = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
        rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }
}

/// The decimal digits of a number that is not negative, with zeros in front up to `width`.
func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// Foreign text for an error: its first 40 characters.
func clipped(_ text: some StringProtocol) -> String {
    let beginning = text.unicodeScalars.prefix(41)
    return beginning.count > 40 ? String(String.UnicodeScalarView(beginning.prefix(40))) + "…" : String(text)
}
