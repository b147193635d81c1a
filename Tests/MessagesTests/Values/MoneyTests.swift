import Foundation
import Messages
import Testing

@Suite struct AmountTests {
    @Test(
        arguments: [
            ("12", 2, 1200), ("12.5", 2, 1250), ("12.50", 2, 1250), ("-12.50", 2, -1250), ("+5", 2, 500),
            ("\u{2212}0.20", 2, -20), ("0", 2, 0), ("-0.00", 2, 0), ("007", 2, 700), ("0.01", 2, 1), ("4.35", 2, 435),
            ("1250", 0, 1250), ("-3", 0, -3), ("1.234", 3, 1234), ("1.2", 3, 1200), ("0.0001", 4, 1),
            ("92233720368547758.07", 2, Int64.max), ("-92233720368547758.08", 2, Int64.min),
            ("9223372036854775807", 0, Int64.max), ("-9223372036854775808", 0, Int64.min),
            ("0000000000000000000000000000001", 2, 100),
        ] as [(String, Int, Int64)]
    )
    func readsPlainAmounts(_ text: String, _ decimals: Int, _ expected: Int64) throws {
        #expect(try DecimalText.minorUnits(text, decimals: decimals) == expected)
    }

    @Test(
        arguments: [
            ("", .empty), (" ", .blank(" ")), ("1 000", .blank("1 000")), ("12\n", .blank("12\n")),
            ("1\u{a0}000", .blank("1\u{a0}000")), ("-", .misplacedSign("-")), ("--5", .misplacedSign("--5")),
            ("+-5", .misplacedSign("+-5")), ("5-", .misplacedSign("5-")), ("1.-5", .misplacedSign("1.-5")),
            ("1,000", .comma("1,000")), ("12,50", .comma("12,50")), ("1e3", .exponent("1e3")),
            ("1E3", .exponent("1E3")),
            ("e3", .unexpected("e", in: "e3")), ("12 EUR", .blank("12 EUR")), ("€5", .unexpected("€", in: "€5")),
            ("abc", .unexpected("a", in: "abc")), ("0x10", .unexpected("x", in: "0x10")),
            ("1\u{301}", .unexpected("\u{301}", in: "1\u{301}")), ("1'000", .unexpected("'", in: "1'000")),
            ("٣", .unexpected("٣", in: "٣")), (".5", .misplacedPoint(".5")), ("5.", .misplacedPoint("5.")),
            (".", .misplacedPoint(".")), ("1.2.3", .misplacedPoint("1.2.3")),
            ("1.005", .tooManyDecimals("1.005", allowed: 2)),
            ("1.000", .tooManyDecimals("1.000", allowed: 2)),
            ("92233720368547758.08", .outOfRange("92233720368547758.08")),
            ("-92233720368547758.09", .outOfRange("-92233720368547758.09")),
            ("99999999999999999999999", .outOfRange("99999999999999999999999")),
            ("18446744073709551616", .outOfRange("18446744073709551616")),
        ] as [(String, AmountError)]
    )
    func refusesWhatIsNoPlainAmount(_ text: String, _ expected: AmountError) {
        #expect(throws: expected) { try DecimalText.minorUnits(text, decimals: 2) }
        #expect(expected.found == text)
        #expect(expected.description.hasSuffix("."))
    }

    @Test func clipsLongForeignText() throws {
        let text = String(repeating: "9", count: 100_000) + "x"
        let error = #expect(throws: AmountError.self) { try DecimalText.minorUnits(text, decimals: 2) }
        #expect(error?.found.count == 41)
    }

    @Test(
        arguments: [
            (-123_450, 2, "-1234.50"), (5, 2, "0.05"), (-5, 2, "-0.05"), (0, 2, "0.00"), (100, 2, "1.00"), (7, 0, "7"),
            (-7, 0, "-7"), (1, 3, "0.001"), (Int64.max, 2, "92233720368547758.07"),
            (Int64.min, 2, "-92233720368547758.08"),
            (Int64.min, 4, "-922337203685477.5808"),
        ] as [(Int64, Int, String)]
    )
    func printsAllDecimals(_ amount: Int64, _ decimals: Int, _ expected: String) {
        #expect(DecimalText.text(amount, decimals: decimals) == expected)
    }

    @Test(arguments: 0...18) func comesBackFromItsText(_ decimals: Int) throws {
        let seed = UInt64.random(in: 0 ... .max)
        var source = Seeded(seed)
        for _ in 0..<500 {
            let amount = Int64(bitPattern: source.next()) >> Int64.random(in: 0..<64, using: &source)
            let text = DecimalText.text(amount, decimals: decimals)
            #expect(try DecimalText.minorUnits(text, decimals: decimals) == amount, "seed \(seed), \(text)")
        }
    }
}

@Suite struct MoneyTests {
    private func euros(_ texts: String...) throws -> [Money] {
        try texts.map { try Money(parsing: $0, currency: .eur) }
    }

    // Ten times 0.10, and sums that binary fractions miss.
    @Test func sumsExactly() throws {
        let tens = [Money](repeating: try Money(parsing: "0.10", currency: .eur), count: 10)
        #expect(try Money.sum(tens, currency: .eur).plain == "1.00")
        let thousand = [Money](repeating: try Money(parsing: "19.99", currency: .eur), count: 1000)
        #expect(try Money.sum(thousand, currency: .eur).plain == "19990.00")
        #expect(try Money.sum(euros("4.35", "1.15", "8.20", "\u{2212}0.20"), currency: .eur).plain == "13.50")
    }

    // Rows that take away, and rows of nothing.
    @Test func keepsMinusAndZero() throws {
        #expect(try Money.sum(euros("100.00", "\u{2212}25.50", "0.00"), currency: .eur).plain == "74.50")
        #expect(try Money.sum(euros("-10.00"), currency: .eur).plain == "-10.00")
        #expect(try Money.sum([], currency: .eur).plain == "0.00")
        #expect(try Money.sum(euros("74.50", "-10.00"), currency: .eur).description == "64.50 EUR")
        #expect(throws: AmountError.outOfRange("92233720368547758.08")) {
            try Money(parsing: "92233720368547758.08", currency: .eur)
        }
    }

    @Test func refusesToWrap() throws {
        let (most, least) = (Money(amount: .max, currency: .usd), Money(amount: .min, currency: .usd))
        let cent = Money(amount: 1, currency: .usd)
        #expect(throws: AmountError.sumOutOfRange(.usd)) { try most.adding(cent) }
        #expect(throws: AmountError.sumOutOfRange(.usd)) { try least.subtracting(cent) }
        #expect(throws: AmountError.sumOutOfRange(.usd)) { try least.negated() }
        #expect(try most.negated().amount == -Int64.max)
        #expect(try most.adding(least).amount == -1)
        // On the way it is past the end, but the total is not.
        #expect(try Money.sum([most, cent, most, least, least], currency: .usd).amount == -1)
    }

    @Test func neverMixesCurrencies() throws {
        let (euro, dollar) = (Money(amount: 100, currency: .eur), Money(amount: 100, currency: .usd))
        #expect(throws: AmountError.differentCurrencies(.eur, .usd)) { try euro.adding(dollar) }
        #expect(throws: AmountError.differentCurrencies(.eur, .usd)) { try euro.subtracting(dollar) }
        #expect(throws: AmountError.differentCurrencies(.eur, .usd)) { try Money.sum([euro, dollar], currency: .eur) }
        #expect(try euro.subtracting(euro) == .zero(.eur))
        #expect(euro != dollar)
    }

    @Test func followsTheDecimalsOfTheCurrency() throws {
        #expect(try Money(parsing: "1250", currency: Currency(code: "JPY")).amount == 1250)
        #expect(throws: AmountError.tooManyDecimals("12.5", allowed: 0)) {
            try Money(parsing: "12.5", currency: Currency(code: "JPY"))
        }
        #expect(try Money(parsing: "1.005", currency: Currency(code: "KWD")).amount == 1005)
        #expect(try Money(parsing: "1.0005", currency: Currency(code: "CLF")).plain == "1.0005")
    }

    @Test func codesAsAnInteger() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let money = Money(amount: -123_450, currency: .eur)
        let json = try encoder.encode(money)
        #expect(String(decoding: json, as: UTF8.self) == #"{"amount":-123450,"currency":"EUR"}"#)
        #expect(try JSONDecoder().decode(Money.self, from: json) == money)
        for bad in [#"{"amount":1.5,"currency":"EUR"}"#, #"{"amount":1,"currency":"eur"}"#, #"{"amount":1}"#] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Money.self, from: Data(bad.utf8)) }
        }
    }
}

@Suite struct CurrencyTests {
    @Test(arguments: [("EUR", 2), ("USD", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4), ("AED", 2), ("ZWG", 2), ("ISK", 0)])
    func knowsTheDecimals(_ code: String, _ decimals: Int) throws {
        let currency = try Currency(code: code)
        #expect(currency.code == code)
        #expect(currency.decimals == decimals)
        #expect(Currency(code) == currency)
    }

    @Test func listsEachCodeOnceInOrder() {
        let codes = Currency.all.map(\.code)
        #expect(codes == Set(codes).sorted())
        #expect(codes.allSatisfy { code in code.utf8.count == 3 && code.utf8.allSatisfy { 0x41...0x5a ~= $0 } })
        #expect(codes.allSatisfy { Currency($0)?.code == $0 })
        #expect(Currency.all == Currency.all.sorted())
        #expect(Currency.all.contains(.eur) && Currency.all.contains(.usd))
        #expect(Set(Currency.all.map(\.decimals)) == [0, 2, 3, 4])
    }

    @Test(
        arguments: [
            ("eur", "EUR"), ("Euro", "EUR"), ("€", "EUR"), ("EUX", "EUR"), ("ERU", "EUR"), ("EU", "EUR"),
            ("EURR", "EUR"),
            ("GPB", "GBP"), ("USS", "USD"), ("$", "USD"), ("SKE", "SEK"), ("yen", "JPY"), ("ZRA", "ZAR"), ("XXX", nil),
            ("", nil),
            ("QQQ", nil), ("a very long text that is no code", nil),
        ] as [(String, String?)]
    )
    func suggestsTheNearest(_ text: String, _ suggestion: String?) {
        let error = #expect(throws: AmountError.self) { try Currency(code: text) }
        #expect(error == .unknownCurrency(text, suggestion: suggestion.flatMap { Currency($0) }))
        #expect(error?.description.contains(suggestion.map { "did you mean \($0)?" } ?? "ISO 4217") == true)
        #expect(Currency(text) == nil)
    }
}
