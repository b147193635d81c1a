import Messages
import Support
import Testing

@testable import Measures

@Suite struct MeasuresPropertyTests {
    private func rational(_ seeded: inout SeededGenerator) throws -> Rational {
        try Rational(
            .random(in: 1...5000, using: &seeded),
            [1, 2, 3, 4, 5, 6, 8, 10, 100, 1000].randomElement(using: &seeded)!
        )
    }

    @Test func scalingUpAndDownGivesTheStart() throws {
        var seeded = SeededGenerator("scaling up and down")
        for _ in 0..<2000 {
            let (start, factor) = (try rational(&seeded), try rational(&seeded))
            let amount = try #require(Amount(start))
            let there = try #require(try amount.scaled(by: factor))
            #expect(try there.scaled(by: Rational(1).divided(by: factor)) == amount)
        }
    }

    /// What is printed exactly reads back as the same amount; all else as what was printed.
    @Test func whatIsPrintedReadsBack() throws {
        var seeded = SeededGenerator("printing and reading")
        let units: [Measures.Unit?] = [nil] + Unit.allCases.filter { $0.kind != .temperature }.map { $0 }
        for _ in 0..<5000 {
            let value = try rational(&seeded)
            let unit = units.randomElement(using: &seeded)!
            let mark = DecimalMark.allCases.randomElement(using: &seeded)!
            let format = AmountFormat(mark: mark, prefersDecimals: .random(using: &seeded))
            let printed = format.text(value, unit: unit)
            let line = IngredientLine("\(printed) \(unit?.symbol ?? "") things")
            let read = try #require(line.amount?.lower, "\(printed) \(unit?.symbol ?? "-")")
            #expect(line.unit == unit)
            #expect(line.name == "things")
            let isExact = [1, 2, 4, 5, 10, 20, 25, 50, 100].contains(value.denominator)
            if isExact { #expect(read == value, "\(printed) \(unit?.symbol ?? "-")") }
            let difference = read < value ? try value.subtracting(read) : try read.subtracting(value)
            #expect(difference <= (try Rational(1, 200)))
        }
    }

    @Test func aRangeThatIsPrintedReadsBack() throws {
        for unit in [Unit.cup, .gram, .metricTablespoon] {
            let amount = try #require(Amount(try Rational(3, 2), try Rational(9, 4)))
            let printed = AmountFormat().text(amount, unit: unit)
            #expect(IngredientLine("\(printed) \(unit.symbol) x").amount == amount)
        }
    }

    @Test func aScaledLineReadsAsTheScaledAmount() throws {
        var seeded = SeededGenerator("scaled lines")
        let lines = [
            "2 cups flour", "1 ½ cups milk, warm", "250 g (8 oz) rice", "2-3 EL Öl", "Mehl 500 g",
            "1 (14 oz) can beans",
        ]
        for _ in 0..<500 {
            let line = IngredientLine(lines.randomElement(using: &seeded)!)
            let factor = Rational(.random(in: 1...20, using: &seeded))
            let scaled = IngredientLine(try line.scaled(by: factor).text)
            #expect(scaled.amount == (try line.amount?.scaled(by: factor)))
            #expect(scaled.unit == line.unit)
            #expect(scaled.name == line.name)
        }
    }
}

/// Foreign text of every kind: nothing crashes, and nothing takes more than a few looks at each character.
@Suite struct ForeignLineTests {
    private func readAll(_ text: String) {
        let line = IngredientLine(text)
        #expect(line.text == text)
        #expect((line.unread == nil) == !line.amountRanges.isEmpty)
        for range in line.amountRanges { _ = text[range] }
        _ = try? line.scaled(by: Rational(3))
        _ = try? line.converted(to: .metric)
        _ = try? line.converted(to: .us)
        _ = RecipeYield(text).scaled(by: Rational(3))
        _ = RecipeDuration(text)
        _ = try? Measurement.read(text)
        _ = try? Measurement.number(text)
    }

    @Test func readsRandomBytes() {
        var seeded = SeededGenerator("random bytes")
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...60, using: &seeded)).map { _ in
                UInt8.random(in: 0...255, using: &seeded)
            }
            readAll(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test func readsRandomPiecesOfLines() {
        var seeded = SeededGenerator("random pieces")
        let pieces = [
            "1", "2", "14", "½", "1/2", "⁄", "/", "-", "–", " ", "  ", "\u{a0}", ",", ".", "1,000", "0,5", "(", ")",
            "[", "cup",
            "cups", "g", "oz", "lb", "EL", "x", "×", "plus", "and", "+", "or", "to", "bis", "of", "de", "can", "cloves",
            "flour", "大さじ", "克", "°", "%", "\"", "-ounce", "\n", "\r", ":", "\u{301}", "¹", "₄", "99999999999999999999",
            "P", "T", "H", "M", "PT", "min", "h", "dozen", "Serves", "Â", "👩‍🍳", "e\u{301}", "\u{200b}", "large", "(n)",
            "ca.",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...14, using: &seeded)
            readAll(
                (0..<count).map { _ in pieces.randomElement(using: &seeded)! }.joined(
                    separator: [" ", ""].randomElement(using: &seeded)!
                )
            )
        }
    }

    @Test(
        arguments: [
            "(", ")", "()", "1", "1 ", "½", "1/", "1,", "1.", "1-", "- ", " ", "\n", "\n1", "a", "a ", "1 g ", "1 g, ",
            "1 clove, ",
            "x 1 clove, ", "plus ", "1 plus ", "1 cup plus ", "or 1 ", "大さじ", "大さじ1", "克", "\u{301}", "a\u{301}",
            "1 g/",
            "(1 g ", "(plus 1 g) ", "1 x ", "1 (1 ", ", ", "Â\u{a0}", "PT1H", "1 h ", "dozen ", "P0", "about ", "~",
            "• ", "¹",
        ]
    )
    func readsRepeatedPieces(_ piece: String) {
        readAll(String(repeating: piece, count: 4000 / piece.unicodeScalars.count))
        readAll("1 cup x " + String(repeating: piece, count: 4000 / piece.unicodeScalars.count) + " 1 g y")
    }
}
