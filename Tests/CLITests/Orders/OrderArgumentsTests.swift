import ArgumentParser
import Messages
import Testing

@testable import CLI

struct OrderArgumentsTests {
    @Test(arguments: [
        ("Bath=10.00", "Bath", 1000), ("Bath=10", "Bath", 1000), ("a=b=-2.5", "a=b", -250), ("=4.35", nil, 435),
        (" =4.35", nil, 435), ("8.20", nil, 820), ("-0.20", nil, -20), ("+5", nil, 500), ("=0", nil, 0),
        ("Bath\u{301}=1", "Bath\u{301}", 100), ("92233720368547758.07", nil, Int64.max),
    ])
    func readsRows(text: String, service: String?, sum: Int64) throws {
        let row = RowText(text)
        #expect(row.service == service)
        #expect(try row.values(in: .eur).sum == sum)
    }

    @Test(arguments: [
        ("Bath=1.005", "too many decimals"), ("Bath=1e3", "exponent"), ("3 baths", "A row is SERVICE=SUM"),
        ("Bath=", "No amount was given"), ("Bath=abc", "holds a"), ("=1,50", "comma"), ("Bath= 1", "blank"),
        ("=92233720368547758.08", "beyond the largest"), ("", "No amount was given"), ("=--1", "sign"),
    ])
    func refusesSumsThatAreNoAmounts(text: String, reason: String) {
        let error = #expect(throws: CLIError.self) { try RowText(text).values(in: .eur) }
        #expect(error?.processStatus == .usage)
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("'\(text)'") == true)
    }

    @Test(
        arguments: [
            ("Bath=2 x 40.00 @19", "Bath", nil, "2", 4000, 1900), ("Bath=1.5x10", "Bath", nil, "1.5", 1000, nil),
            ("Bath=2x", "Bath", nil, "2", nil, nil), ("Bath = 3 × 1 @ 5.5%", "Bath ", nil, "3", 100, 550),
            ("\"a tip\"=-2 x 0.50", nil, "a tip", "-2", 50, nil), ("Bath \"Rex\"=2*1@0", "Bath", "Rex", "2", 100, 0),
            ("6\" pot=1x1", "6\" pot", nil, "1", 100, nil), ("Bath", "Bath", nil, "1", nil, nil),
            ("Örtchen \"Rex\"", "Örtchen", "Rex", "1", nil, nil), ("xylem", "xylem", nil, "1", nil, nil),
        ] as [(String, String?, String?, String, Int64?, Int?)]
    )
    func readsRowsOfQuantityAndPrice(
        text: String,
        service: String?,
        label: String?,
        quantity: String,
        price: Int64?,
        tax: Int?
    ) throws {
        let row = RowText(text)
        let values = try row.values(in: .eur)
        #expect(row.service == service && row.label == label)
        #expect(values.quantity?.description == quantity && values.price == price && values.sum == nil)
        #expect(values.tax == (tax == nil ? .usual : .rate(tax.flatMap(TaxRate.init(hundredths:)))))
    }

    @Test(arguments: ["Bath=x40", "Bath=2 x 40 x 3", "Bath=10@", "Bath=10@nineteen", "Bath=10@101", "Bath=0.0000001x1"])
    func refusesRowsThatCantBeReckoned(text: String) {
        let error = #expect(throws: CLIError.self) { try RowText(text).values(in: .eur) }
        #expect(error?.description.hasPrefix("Row '\(text)': ") == true)
    }

    @Test func takesTheServicesOwnPriceAndTheUsualTax() throws {
        var bath = Sample.bath
        bath.price = Money(amount: 4000, currency: .eur)
        let usual = TaxRate(hundredths: 1900)
        let row = try RowText("Bath=1.5x").row(id: .test(1), of: bath, in: .eur, usualTax: usual)
        #expect(
            row
                == OrderRow(
                    id: .test(1),
                    service: bath.id,
                    quantity: Quantity(millionths: 1_500_000),
                    unitPrice: 4000,
                    taxRate: usual,
                    sum: 6000
                )
        )
        let one = try RowText("Bath").row(id: .test(1), of: bath, in: .eur, usualTax: usual)
        #expect(one == (try RowText("Bath=1x").row(id: .test(1), of: bath, in: .eur, usualTax: usual)))
        #expect(one.sum == 4000)
        let free = try RowText("Bath=5@none").row(id: .test(1), of: bath, in: .eur, usualTax: usual)
        #expect(free.taxRate == nil && free.sum == 500)
        for (text, currency, service) in [
            ("Bath=2x", Currency.usd, bath), ("Bath=2x", .eur, Sample.bath), ("=2x", .eur, nil), ("Bath", .usd, bath),
            ("Bath", .eur, Sample.bath),
        ] {
            #expect(throws: CLIError.self) {
                try RowText(text).row(id: .test(1), of: service, in: currency, usualTax: nil)
            }
        }
    }

    @Test(arguments: [
        ("2024-03-31", "2024-03-31"), ("today", "2024-03-01"), ("Yesterday", "2024-02-29"),
        ("2024-02-29", "2024-02-29"),
    ])
    func readsDays(text: String, day: String) throws {
        let today = CalendarDay("2024-03-01")!
        #expect(try DayText.day(text, option: "--date", today: today).description == day)
    }

    @Test(arguments: [
        ("2024-02-30", "the last of that month is 2024-02-29"), ("2024-13-01", "no month 13"),
        ("31.3.2024", "Or write today"), ("", "Or write today"), ("2024-3-1", "Or write today"),
    ])
    func refusesDaysThatDoNotExist(text: String, reason: String) {
        let error = #expect(throws: CLIError.self) { try DayText.day(text, option: "--date") }
        #expect(error?.processStatus == .usage)
        #expect(error?.description.hasPrefix("--date: ") == true)
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func refusesAPeriodThatEndsBeforeItBegins() throws {
        let period = try PeriodOptions.parse(["--from", "2024-02-01", "--to", "2024-01-31"])
        let error = #expect(throws: CLIError.self) { _ = try period.days() }
        #expect(error?.description == "--to is 2024-01-31, before --from, which is 2024-02-01: turn the two around.")
        let one = try PeriodOptions.parse(["--from", "2024-02-01", "--to", "2024-02-01"]).days()
        #expect(one.from == one.to)
    }

    @Test(arguments: [
        ("018e95c2-4f00-7a31-9c2e-5b0d8f1a0003", 3), ("2", 1), ("#3", 2), ("bath", 2), ("BATH", 2), ("claw", 1),
        ("0003", 3), ("1a0001", 1),
    ])
    func findsTheRowThatIsMeant(text: String, id: UInt64) throws {
        // Shown: 1 just a sum (3), 2 Bath (2)... by names: none, Bath, Claw trim.
        let order = Sample.order(rows: [
            Sample.row(1, Sample.claws, 1), Sample.row(2, Sample.bath, 2), Sample.row(3, nil, 3),
        ])
        let expected: UInt64 = ["2": 2, "#3": 1][text] ?? id
        #expect(order.rows[try order.indexOfRow(text)].id == .test(expected))
    }

    @Test func asksWhichOfTwoRowsIsMeant() {
        let order = Sample.order(rows: [Sample.row(1, Sample.bath, 1), Sample.row(2, Sample.bath, 2)])
        let error = #expect(throws: CLIError.self) { try order.indexOfRow("bath") }
        #expect(error?.processStatus == .usage)
        #expect(error?.description.contains("0001  row 1  Bath - 0.01") == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [("Bth", "did you mean 'Bath'?"), ("4", "No row of order 12 '4'."), ("", "No row")])
    func findsNoRow(text: String, sentence: String) {
        let order = Sample.order(rows: [Sample.row(1, Sample.bath, 1), Sample.row(2, Sample.bath, 2)])
        let error = #expect(throws: CLIError.self) { try order.indexOfRow(text) }
        #expect(error?.processStatus == .failure)
        #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        [], ["--clear", "sum", "--sum", "1"], ["--service", "Bath", "--clear", "service"],
    ])
    func refusesRowEditsThatMakeNoSense(arguments: [String]) {
        #expect(throws: (any Error).self) { try OrderRowsEdit.parse(["12", "1"] + arguments) }
    }

    @Test func refusesAnEditOfNothing() {
        #expect(throws: (any Error).self) { try OrdersEdit.parse(["12"]) }
        #expect(throws: (any Error).self) { try OrdersEdit.parse(["12", "--paid", "--no-paid"]) }
    }
}
