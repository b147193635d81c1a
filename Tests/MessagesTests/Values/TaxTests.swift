import Messages
import Testing

struct TaxTests {
    private static let full = TaxRate(hundredths: 1900)
    private static let reduced = TaxRate(hundredths: 700)

    private func summary(_ amounts: [(Int64, TaxRate?)], isIncluded: Bool = false) throws -> TaxSummary {
        try TaxSummary(amounts.map { (amount: $0.0, rate: $0.1) }, isIncluded: isIncluded, currency: .eur)
    }

    @Test func roundsOnceARate() throws {
        // 138.66 at 19 %: row by row, ten of 13.866 would come to something else.
        let one = try summary([(13_866, Self.full)])
        #expect((one.net, one.tax, one.gross) == (13_866, 2635, 16_501))
        let split = try summary([(4622, Self.full), (4622, Self.full), (4622, Self.full)])
        #expect((split.net, split.tax, split.gross) == (13_866, 2635, 16_501))
        #expect(split.shares == [878, 878, 879])
    }

    @Test func keepsRatesApart() throws {
        let summary = try summary([(1000, Self.full), (1000, nil), (1000, Self.reduced), (50, Self.full)])
        #expect(summary.lines.map(\.rate) == [nil, Self.reduced, Self.full])
        #expect(summary.lines.map(\.tax) == [0, 70, 200])
        #expect(summary.lines.map(\.gross) == [1000, 1070, 1250])
        #expect((summary.net, summary.tax, summary.gross) == (3050, 270, 3320))
        #expect(summary.hasRates)
    }

    @Test func findsTheTaxThatIsIncluded() throws {
        let summary = try summary([(16_501, Self.full), (107, Self.reduced)], isIncluded: true)
        #expect(summary.lines.map(\.net) == [100, 13_866])
        #expect(summary.lines.map(\.tax) == [7, 2635])
        #expect(summary.gross == 16_608)
    }

    @Test func roundsHalvesAwayFromZero() throws {
        let half = try #require(TaxRate(hundredths: 5000))
        #expect(try summary([(1, half)]).tax == 1)
        #expect(try summary([(-1, half)]).tax == -1)
    }

    @Test func withoutRatesIsOnlyTheSum() throws {
        let summary = try summary([(100, nil), (-30, nil)])
        #expect((summary.net, summary.tax, summary.gross, summary.hasRates) == (70, 0, 70, false))
        #expect(try self.summary([]).lines.isEmpty)
    }

    @Test func refusesASumBeyondAnAmount() {
        #expect(throws: AmountError.sumOutOfRange(.eur)) { try summary([(.max, Self.full)]) }
        #expect(throws: AmountError.sumOutOfRange(.eur)) { try summary([(.max, nil), (1, Self.full)]) }
    }

    @Test func sharesAddUpAndAreWithinOneUnit() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = Seeded(seed)
        for _ in 0..<500 {
            let isIncluded = Bool.random(using: &random)
            let rates = [nil, Self.reduced, Self.full, TaxRate(hundredths: Int.random(in: 0...10_000, using: &random))]
            let amounts = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                (Int64.random(in: -100_000...100_000, using: &random), rates.randomElement(using: &random) ?? nil)
            }
            let summary = try summary(amounts, isIncluded: isIncluded)
            #expect(summary.shares.reduce(0, +) == summary.tax, "seed \(seed)")
            #expect(summary.net + summary.tax == summary.gross, "seed \(seed)")
            #expect(amounts.map(\.0).reduce(0, +) == (isIncluded ? summary.gross : summary.net), "seed \(seed)")
            for line in summary.lines {
                let shares = zip(amounts, summary.shares).filter { $0.0.1 == line.rate }.map(\.1)
                #expect(shares.reduce(0, +) == line.tax, "seed \(seed)")
            }
            for ((amount, rate), share) in zip(amounts, summary.shares) {
                let alone = try self.summary([(amount, rate)], isIncluded: isIncluded).tax
                #expect(abs(alone - share) <= 1, "seed \(seed)")
            }
        }
    }

    @Test(arguments: [
        ("19", 1900), ("19%", 1900), ("19 %", 1900), ("5.5", 550), ("5.5\u{A0}%", 550), ("0", 0), ("100", 10_000),
    ])
    func readsARate(text: String, hundredths: Int) throws {
        #expect(try TaxRate(parsing: text).hundredths == hundredths)
    }

    @Test(arguments: ["", "%", "-1", "100.01", "19,5", "7.125", "19 %%"])
    func refusesWhatIsNoRate(text: String) {
        #expect(throws: AmountError.self) { try TaxRate(parsing: text) }
    }
}
