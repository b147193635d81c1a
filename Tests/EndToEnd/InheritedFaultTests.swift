import Client
import Messages
import Support
import Testing

/// What the desktop applications that Daybook grew out of got wrong, each with the right behaviour.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct InheritedFaultTests {
    /// There a cancelled form stayed in the shared context, and the next save stored it.
    @Test func whatWasRefusedDoesNotLeakIntoTheNextSave() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let refused = try await daybook.run("orders", "add", "--row", "=10.00", "--row", "=1.005")
            #expect(refused.code == 2 || refused.code == 1)
            #expect(try await daybook.client.refusal(of: Put(Order.of(nil, .max, 1))).status == .invalid)
            #expect(try await daybook.run("orders", "add", "--row", "=3.00").code == 0)
            let orders = try await daybook.client.all(Order.self)
            #expect(orders.map { $0.rows.map(\.sum) } == [[300]])
            // Neither a record nor an event, and the number was not used up.
            #expect(orders.map(\.number) == [1])
            #expect(try await daybook.client.send(StatusRequest(), to: .orders).value.sequence == 1)
        }
    }

    /// There anything but a number in the field for the sum ended the program.
    @Test(arguments: ["abc", "", "1e3", "1.005", "0x10", "١٢", "1,000.00", "--5", "9223372036854775808"])
    func aSumThatIsNoAmountIsRefusedWithASentence(text: String) async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let answer = try await daybook.run("orders", "add", "--row", "Bath=\(text)")
            #expect(answer.code != 0 && answer.text.isEmpty)
            #expect(answer.error.hasPrefix("Error: "), "\(answer.error)")
            #expect(try await daybook.client.all(Order.self).isEmpty)
        }
    }

    /// There the cascade stood on the wrong side: deleting an order's row took the order, deleting a type its recipes.
    @Test func aDeleteTakesWhatBelongsToTheRecordAndNothingElse() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            let customer = try await client.send(Put(Customer(name: "Lind"))).value
            let service = try await client.send(Put(SoldService(name: "Bath"))).value
            var order = try await client.send(Put(Order.of(customer, 100, 200, service: service))).value
            order.rows.removeFirst()
            order = try await client.send(Put(order)).value
            #expect(order.rows.count == 1 && order.total == 200)
            let type = try await client.send(Put(RecipeType(name: "Soup"))).value
            let ingredients = [Ingredient(line: "2 leeks"), Ingredient(line: "1 l water")]
            let recipe = try await client.send(Put(Recipe(name: "Soup", type: type.id, ingredients: ingredients))).value
            #expect(recipe.typeName == "Soup")
            _ = try await client.send(Delete<RecipeType>(id: type.id))
            let left = try await client.send(Get<Recipe>(id: recipe.id)).value
            #expect(left.type == nil && left.typeName == nil && left.ingredients.map(\.line) == ingredients.map(\.line))
            _ = try await client.send(Delete<Order>(id: order.id))
            #expect(try await client.send(Get<Customer>(id: customer.id)).value == customer)
            #expect(try await client.send(Get<SoldService>(id: service.id)).value == service)
        }
    }

    /// There the list went on showing the old name until the program was started anew.
    @Test func aRenameReachesTheOrdersListAtOnce() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let customer = try await daybook.client.send(Put(Customer(name: "Lind"))).value
            _ = try await daybook.client.send(Put(Order.of(customer, 100, made: true)))
            let renamed = try await daybook.run("customers", "edit", "Lind", "--name", "Lindqvist")
            #expect(renamed.code == 0)
            let positions = try await daybook.client.send(List<Customer>()).positions
            _ = try await daybook.client.send(List<Order>(), after: positions)
            #expect(try await daybook.run("orders", "list").text == "Mar 31, 2024\tLindqvist\n")
            #expect(try await daybook.run("report", "unpaid").lines.first == "Mar 31, 2024\tLindqvist\t1.00 EUR")
        }
    }

    /// There a row vanished from the screen though saving had failed.
    @Test func whatCouldNotBeDeletedIsNotSaidToBeDeleted() async throws {
        try await withDaybook(.walks) { daybook in
            #expect(try await daybook.run("walks", "add", "Rex").code == 0)
            try await daybook.stop(.walks)
            let failed = try await daybook.run("walks", "delete", "1", "--yes", variables: ["DAYBOOK_TIMEOUT": "1"])
            #expect(failed.code == 3 && failed.text.isEmpty)
            try await daybook.start(.walks)
            #expect(try await daybook.run("walks", "list").lines.count == 2)
            let done = try await daybook.run("walks", "delete", "1", "--yes")
            #expect(done.code == 0 && done.text.contains("Deleted"))
            #expect(try await daybook.run("walks", "list").text.isEmpty)
        }
    }

    /// There two customers of one name were one line of the report.
    @Test func twoOfOneNameStayTwo() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let first = try await daybook.client.send(Put(Customer(name: "Kim Berg"))).value
            let second = try await daybook.client.send(Put(Customer(name: "Kim Berg"))).value
            _ = try await daybook.client.send(Put(Order.of(first, 1000, made: true)))
            _ = try await daybook.client.send(Put(Order.of(second, 500, made: true)))
            let before = try await daybook.run("report", "totals", "--by", "customer").lines.filter {
                $0.contains("Kim Berg")
            }
            #expect(before.count == 2 && Set(before).count == 2)
            let rename = try await daybook.run("customers", "edit", first.id.description, "--name", "Kim Dahl")
            #expect(rename.code == 0)
            let report = try await daybook.run("report", "totals", "--by", "customer").lines
            #expect(report.contains { $0.contains("Kim Berg") && $0.contains("5.00") })
            #expect(report.contains { $0.contains("Kim Dahl") && $0.contains("10.00") })
            let ambiguous = try await daybook.run("orders", "add", "--customer", "Kim")
            #expect(ambiguous.code == 2 && ambiguous.error.contains("Kim Dahl"))
        }
    }
}
