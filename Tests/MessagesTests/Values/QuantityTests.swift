import CBOR
import Messages
import Testing

struct QuantityTests {
    @Test(
        arguments: [
            ("2", 2_000_000, "2"), ("1.50", 1_500_000, "1.5"), ("-0.25", -250_000, "-0.25"), ("0", 0, "0"),
            ("0.000001", 1, "0.000001"), ("10", 10_000_000, "10"),
            ("9223372036854.775807", Int64.max, "9223372036854.775807"),
        ] as [(String, Int64, String)]
    )
    func readsAndPrintsTheShortestForm(text: String, millionths: Int64, printed: String) throws {
        let quantity = try Quantity(parsing: text)
        #expect(quantity.millionths == millionths)
        #expect(quantity.description == printed)
        #expect(try CBORDecoder().decode(Quantity.self, from: CBOREncoder().encode(quantity)) == quantity)
    }

    @Test(arguments: ["", "1e3", "0.0000001", "1,5", "1/2", "9223372036854.775808"])
    func refusesWhatIsNoDecimalNumber(text: String) {
        #expect(throws: AmountError.self) { try Quantity(parsing: text) }
    }

    @Test(
        arguments: [
            ("2", 4000, 8000), ("0.333", 1000, 333), ("0.5", 1, 1), ("-0.5", 1, -1), ("0.499999", 1, 0),
            ("1.5", -1, -2),
            ("3", 3333, 9999), ("0", 500, 0),
        ] as [(String, Int64, Int64)]
    )
    func costsTheProductRoundedHalfAwayFromZero(text: String, price: Int64, sum: Int64) throws {
        #expect(try Quantity(parsing: text).times(price, currency: .eur) == sum)
    }

    @Test func refusesAProductBeyondAnAmount() throws {
        let quantity = try Quantity(parsing: "2")
        #expect(throws: AmountError.sumOutOfRange(.eur)) { try quantity.times(.max, currency: .eur) }
        #expect(throws: AmountError.sumOutOfRange(.eur)) { try quantity.times(.min, currency: .eur) }
    }
}
