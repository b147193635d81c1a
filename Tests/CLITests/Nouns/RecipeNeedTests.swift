import Measures
import Messages
import Testing

@testable import CLI

struct RecipeNeedTests {
    private let currency = Currency("EUR")!

    private func recipe(_ name: String, _ lines: [String]) -> Recipe {
        Recipe(
            name: name,
            ingredients: lines.map { text in
                let line = IngredientLine(text)
                return Ingredient(
                    line: text,
                    isHeading: line.isHeading ? true : nil,
                    amount: line.amount,
                    unit: line.unit?.symbol,
                    name: line.name,
                    note: line.note
                )
            }
        )
    }

    private func order(_ rows: [(SoldService?, String?)]) throws -> Order {
        Order(
            date: CalendarDay("2024-03-31")!,
            currency: currency,
            rows: try rows.map { service, quantity in
                OrderRow(service: service?.id, quantity: try quantity.map { try Quantity(parsing: $0) }, sum: 0)
            }
        )
    }

    @Test func addsUpWhatIsOfOneNameAndKind() throws {
        let loaf = recipe("Rye loaf", ["500 g rye flour", "1/3 cup water", "Salt", "2-3 eggs"])
        let rolls = recipe("Rolls", ["For the dough:", "1 kg Rye Flour", "1 tbsp water", "1 egg"])
        let loafSold = SoldService(name: "Loaf", recipe: loaf.id)
        let rollsSold = SoldService(name: "Rolls", recipe: rolls.id)
        let orders = [
            try order([(loafSold, "3"), (nil, nil)]), try order([(rollsSold, nil), (SoldService(name: "Bath"), "1")]),
        ]
        let need = RecipeNeed(orders: orders, services: [loafSold, rollsSold], recipes: [loaf, rolls])
        #expect(
            need.lines.map(\.text) == ["1 egg", "6–9 eggs", "2 ½ kg Rye Flour", "17 tbsp water", "Salt"]
                || need.lines.map(\.text) == ["1 egg", "6–9 eggs", "2.5 kg Rye Flour", "17 tbsp water", "Salt"]
        )
        let flour = try #require(need.lines.first { $0.unit == .kilogram })
        #expect(flour.amount == Amount(try Rational(5, 2)))
        #expect(flour.recipes == ["Rolls", "3 x Rye loaf"])
        let salt = try #require(need.lines.last)
        #expect(!salt.isAddedUp && salt.recipes == ["3 x Rye loaf"])
        #expect(need.closing == "For 2 orders; 2 rows have no recipe.")
    }

    @Test func massAndVolumeOfOneNameStayApart() throws {
        let one = recipe("A", ["100 g honey", "2 cups honey"])
        let sold = SoldService(name: "A", recipe: one.id)
        let need = RecipeNeed(orders: [try order([(sold, nil)])], services: [sold], recipes: [one])
        #expect(need.lines.map(\.text) == ["100 g honey", "2 cup honey"])
        #expect(need.closing == "For 1 order.")
    }

    @Test func whatNoNumberHoldsStandsByItself() throws {
        let one = recipe("A", ["9000000000000000000 g sand", "9000000000000000000 g sand", "1 egg"])
        let sold = SoldService(name: "A", recipe: one.id)
        let need = RecipeNeed(orders: [try order([(sold, "2")])], services: [sold], recipes: [one])
        #expect(need.lines.filter { !$0.isAddedUp }.count == 2)
        #expect(need.lines.contains { $0.text == "2 egg" })
    }

    @Test func nothingOrderedNeedsNothing() {
        let need = RecipeNeed(orders: [], services: [], recipes: [])
        #expect(need.lines.isEmpty && need.closing == "For 0 orders.")
    }
}
