import Messages
import Support
import Testing

/// Orders as people work with them, by the real command and services.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OrdersInUseTests {
    @Test func ordersArePaidBitByBit() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            #expect(try await daybook.run("services", "add", "Bath", "--price", "92.44").code == 0)
            let row = "Bath \"Rex\"=1.5x @19"
            let added = try await daybook.run(
                "orders",
                "add",
                "--date",
                "2024-03-31",
                "--due",
                "2024-04-05",
                "--row",
                row,
                "--made"
            )
            #expect(added.text.contains("Bath, Rex - 138.66 (1.5 x 92.44, 19 %)"), "\(added.text)\(added.error)")
            #expect(added.text.contains("Total:     165.01 EUR"))
            let part = try await daybook.run("orders", "pay", "1", "65.01", "--on", "2024-04-02", "--note", "cash")
            #expect(part.text.contains("Open:      100.00 EUR") && part.text.contains("1. Apr 2, 2024 - 65.01, cash"))
            let unpaid = try await daybook.run("report", "unpaid")
            #expect(unpaid.lines.first == "Mar 31, 2024\t-- Unknown --\t100.00 EUR")
            let paid = try await daybook.run("orders", "pay", "1", "--on", "2024-04-09")
            #expect(paid.text.contains("Paid:      yes, Apr 9, 2024"))
            #expect(try await daybook.run("report", "unpaid").text == "Nothing is unpaid.\n")
            let refused = try await daybook.run("orders", "edit", "1", "--no-paid")
            #expect(refused.code == 1 && refused.error.contains("delete a payment instead"))
            let open = try await daybook.run("orders", "pay", "1", "--delete", "2")
            #expect(open.text.contains("Paid:      no") && open.text.contains("Open:      100.00 EUR"))
        }
    }

    @Test func manyAreSetTogetherOnlyWhenItIsConfirmed() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            for name in ["Lind", "Kim Berg"] { #expect(try await daybook.run("customers", "add", name).code == 0) }
            for (customer, date) in [("Lind", "2024-01-31"), ("Lind", "2024-02-01"), ("Kim Berg", "2024-01-15")] {
                let added = try await daybook.run(
                    "orders",
                    "add",
                    "--customer",
                    customer,
                    "--date",
                    date,
                    "--row",
                    "=10.00"
                )
                #expect(added.code == 0)
            }
            let query = "customer = Lind and date < 2024-02-01"
            let unconfirmed = try await daybook.run("orders", "set", "--paid", "--where", query, input: "")
            #expect(unconfirmed.code == 2 && unconfirmed.error.contains("--yes"), "\(unconfirmed.error)")
            #expect(unconfirmed.error.contains("Jan 31, 2024\tLind\t10.00 EUR\nTogether: 10.00 EUR (1 order)"))
            #expect(try await daybook.run("orders", "list", "--paid").text.isEmpty)
            let set = try await daybook.run("orders", "set", "--paid", "--where", query, "--yes", "--format", "csv")
            #expect(set.text == "orders,changed\r\n1,1\r\n" || set.text == "orders,changed\n1,1\n", "\(set.text)")
            #expect(try await daybook.run("orders", "list", "--paid").text == "Jan 31, 2024\tLind\n")
            let none = try await daybook.run(
                "orders",
                "set",
                "--paid",
                "--where",
                "customer = Lind and total > 99",
                "--yes"
            )
            #expect(none.code == 0 && none.text == "Orders:   0\nChanged:  0\n")
            let wrong = try await daybook.run("orders", "list", "--where", "customer = Lind und paid")
            #expect(wrong.code == 1 && wrong.error.contains("Lind und paid"))
        }
    }

    @Test func aNumberingThatThereIsNotIsRefusedAtTheStart() async throws {
        try await withDaybook { daybook in
            let child = try await daybook.launch(.orders, ["DAYBOOK_ORDER_NUMBERS": "monthly"])
            let error = await #expect(throws: HarnessError.self) { try await child.ready() }
            let sentence = "DAYBOOK_ORDER_NUMBERS is 'monthly': write running or yearly"
            #expect(try #require(error).description.contains(sentence))
            #expect(await child.ended() == .exited(1))
        }
    }

    @Test func numbersAreAccountedFor() async throws {
        try await withDaybook(.catalog) { daybook in
            _ = try await daybook.launch(.orders, ["DAYBOOK_ORDER_NUMBERS": "yearly"])
            for date in ["2024-12-31", "2025-01-01", "2024-06-01"] {
                #expect(try await daybook.run("orders", "add", "--date", date, "--row", "=1.00").code == 0)
            }
            let both = try await daybook.run("orders", "show", "1")
            #expect(both.code == 2 && both.error.contains("order 2024-1") && both.error.contains("order 2025-1"))
            #expect(try await daybook.run("orders", "cancel", "2024-1").text.contains("Cancelled: yes"))
            #expect(try await daybook.run("orders", "delete", "2024-2", "--yes").code == 0)
            let numbers = try await daybook.run(
                "orders",
                "numbers",
                "--year",
                "2024",
                "--fields",
                "label,state",
                "--format",
                "csv"
            )
            #expect(numbers.lines == ["label,state", "2024-1,cancelled", "2024-2,deleted"], "\(numbers.text)")
            let clone = try await daybook.run(
                "orders",
                "clone",
                "2025-1",
                "--date",
                "2024-07-01",
                "--fields",
                "label,total",
                "--format",
                "csv"
            )
            #expect(clone.lines.last == "2024-3,1.00,EUR", "\(clone.text)")
        }
    }
}
