import Measures
import Messages

extension FuzzTarget {
    /// What people write of amounts, days, times and ingredients: what is read is written as what reads the same.
    static let measures = FuzzTarget(
        name: "measures",
        seeds: [
            "12.50", "-0,25", "1.234,50", "1e3", "2024-02-29", "2024-03-31T18:05:09.123456Z", "PT1H30M", "1 hr 30 min",
            "P7DT10M", "1 ½ cups (12 oz) flour, sifted", "2-3 large eggs", "1,5 kg potatoes", "1,000 g flour",
            "About 3 dozen", "2 to 4 servings", "8 (1/2-cup) servings", "350 °F", "3 lb 4 oz", "EUR", "19 %",
            "018e95c2-4f00-7000-8000-000000000001", "018e95", "1/3", "90d", "500000",
        ].map { Array($0.utf8) }
    ) { (bytes) throws(Finding) in
        let text = String(decoding: bytes, as: UTF8.self)
        try readAmounts(text)
        try readMoments(text)
        try readIngredient(text)
        if let measurements = try? Measurement.read(text) {
            for measurement in measurements {
                for unit in Unit.allCases {
                    _ = try? Converter.convert(measurement.value, from: measurement.unit, to: unit)
                }
            }
        }
    }

    private static func readAmounts(_ text: String) throws(Finding) {
        for code in ["EUR", "JPY", "KWD"] {
            guard let currency = Currency(code), let money = try? Money(parsing: text, currency: currency) else {
                continue
            }
            let written = DecimalText.text(money.amount, decimals: currency.decimals)
            let again = try? Money(parsing: written, currency: currency)
            try require(again == money, "\(text) in \(code) is written as \(written)")
        }
        if let quantity = try? Quantity(parsing: text) {
            try require((try? Quantity(parsing: quantity.description)) == quantity, "\(text) is written as \(quantity)")
            _ = try? quantity.times(.max, currency: .eur)
        }
        if let rate = try? TaxRate(parsing: text) {
            try require((try? TaxRate(parsing: rate.description)) == rate, "\(text) is written as \(rate)")
        }
        if let id = Identifier(text) {
            try require(Identifier(id.description) == id, "\(text) is written as \(id)")
        }
        _ = Identifier.range(prefix: text)
        _ = try? RetentionPolicy(text)
    }

    private static func readMoments(_ text: String) throws(Finding) {
        if let day = CalendarDay(text) {
            try require(CalendarDay(day.description) == day, "\(text) is written as \(day)")
            _ = day.week
            _ = try? day.adding(months: 1)
            _ = try? day.adding(days: -1)
        }
        if let instant = Instant(text) {
            try require(Instant(instant.description) == instant, "\(text) is written as \(instant)")
        }
        if let duration = RecipeDuration(text) {
            try require(RecipeDuration(duration.iso8601)?.minutes == duration.minutes, "\(text) is \(duration)")
        }
    }

    private static func readIngredient(_ text: String) throws(Finding) {
        let line = IngredientLine(text)
        let yield = RecipeYield(text)
        guard let third = try? Rational(1, 3) else { return }
        for factor in [Rational(1), Rational(2), third, Rational(.max)] {
            _ = try? line.scaled(by: factor)
            _ = yield.scaled(by: factor)
        }
        for system in [Unit.System.metric, .us, .imperial] { _ = try? line.converted(to: system) }
    }
}
