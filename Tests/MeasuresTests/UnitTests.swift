import Messages
import Testing

@testable import Measures

@Suite struct UnitTests {
    @Test func isNamedByItsOwnSymbol() {
        for unit in Unit.allCases where unit.kind != .temperature { #expect(Unit(named: unit.symbol) == unit) }
    }

    @Test(arguments: ["c", "C", "t", "T", "G", "o", "", " ", "cups of", "teaspoonful"])
    func isNotNamedByABareLetterOrAnyWord(_ name: String) { #expect(Unit(named: name) == nil) }

    @Test func knowsNamesInAnyCaseWithPoints() {
        #expect(Unit(named: "Tbsp.") == .tablespoon)
        #expect(Unit(named: "FL. OZ.") == .fluidOunce)
        #expect(Unit(named: "c. à soupe") == .metricTablespoon)
        #expect(Unit(named: "L") == .liter)
    }

    @Test func hasTheFactorsOfTheStandards() throws {
        #expect(Unit.pound.factor == (try Rational(45_359_237, 100_000)))
        #expect(Unit.cup.factor == (try Rational(2_365_882_365, 10_000_000)))
        #expect(Unit.imperialFluidOunce.factor == (try Rational(284_130_625, 10_000_000)))
        #expect(Unit.allCases.allSatisfy { ($0.factor == nil) == ($0.kind == .count || $0.kind == .temperature) })
    }
}
