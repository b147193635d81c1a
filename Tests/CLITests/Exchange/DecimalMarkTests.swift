import Measures
import Messages
import Testing

@testable import CLI

struct DecimalMarkTests {
    @Test(
        arguments: [
            ("1.234,50", DecimalMark.comma, false), ("1,234.50", .point, false), ("-12,25", .comma, false),
            ("4.711,98 €", .comma, false), ("1,5", .comma, false), ("0.125", .point, false),
            ("1234.567", .point, false),
            ("1.234.567", .comma, false), ("1 234.567", .point, false), ("1.000", nil, true), ("-12,345", nil, true),
            ("1000", nil, false), ("", nil, false), ("1,234.567,8", nil, false),
        ] as [(String, DecimalMark?, Bool)]
    )
    func tellsTheMarkOnlyWhereThereIsNoOther(text: String, mark: DecimalMark?, isAmbiguous: Bool) {
        let found = DecimalMark.evidence(in: text)
        #expect(found.mark == mark && found.isAmbiguous == isAmbiguous)
    }

    @Test(
        arguments: [
            ("1.234,50", DecimalMark.comma, 123_450), ("1.000", .comma, 100_000), ("-12,25", .comma, -1225),
            ("0,00", .comma, 0), ("4.711,98 €", .comma, 471_198), ("€ -5", .comma, -500), ("-€5.25", .point, -525),
            ("EUR 1,234.5", .point, 123_450), ("1 234,5", .comma, 123_450), ("1'234.50", .point, 123_450),
            ("1\u{A0}234\u{202F}", .comma, 123_400), ("1.00", .comma, nil), ("1,00", .point, nil),
            ("12.34.567", .comma, nil),
            ("1.234'567,8", .comma, nil), ("$5", .point, nil), ("1e3", .point, nil), ("1.005", .point, nil),
            ("1,000", .comma, nil), ("9223372036854775807", .point, nil), ("5-", .point, nil),
        ] as [(String, DecimalMark, Int64?)]
    )
    func readsAmountsByTheMark(text: String, mark: DecimalMark, cents: Int64?) {
        #expect((try? AmountCell.money(text, decimal: mark, currency: .eur).amount) == cents)
    }

    @Test func decidesForAWholeColumn() throws {
        func verdict(_ texts: String...) -> DecimalEvidence.Verdict {
            var evidence = DecimalEvidence()
            for (row, text) in texts.enumerated() { evidence.add(text, row: row) }
            return evidence.verdict
        }
        guard case .decided(.comma) = verdict("1.234,50", "1.000", "-12,25", "0,00") else {
            Issue.record("a decimal comma")
            return
        }
        guard case .decided(.point) = verdict("5", "") else {
            Issue.record("nothing to decide")
            return
        }
        guard case .ambiguous(let place) = verdict("5", "1.000", "2,000") else {
            Issue.record("either may be meant")
            return
        }
        #expect(place == (1, "1.000"))
        guard case .contradiction(let second, let first) = verdict("1,5", "1.000", "2.5") else {
            Issue.record("both marks")
            return
        }
        #expect(second == (2, "2.5") && first == (0, "1,5"))
    }
}
