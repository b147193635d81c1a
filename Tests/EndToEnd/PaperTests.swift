import Messages
import Support
import Testing

/// Orders and reports on paper, by the real command, services and `daybook-paper`; PDF is read back by Poppler.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PaperTests {
    /// Writes the configuration file that says whose books these are.
    private func configure(_ daybook: Daybook) async throws {
        let business =
            #"{"business": {"name": "Daybook Bakery", "address": ["Mill Lane 3", "0182 Oslo"], "bank": "IBAN NO93"}}"#
        let made = try await daybook.shell(
            "mkdir -p ~/.config/daybook && echo '\(business)' > ~/.config/daybook/config.json"
        )
        #expect(made.code == 0)
    }

    private func text(_ file: String, of daybook: Daybook) async throws -> String {
        let read = try await daybook.shell("pdftotext -layout '\(file)' -")
        #expect(read.code == 0, "\(read.error)")
        // Poppler writes as many blanks between columns as there is room, and none where there is little.
        return read.text.split(separator: " ").joined(separator: " ").replacing(" %", with: "%")
    }

    /// An order with two rates, a customer with an address, and a payment.
    private func anOrder(_ daybook: Daybook) async throws {
        let setup = try await daybook.shell(
            """
            set -e
            daybook customers add 'Zoë Lefèvre' --address $'Rue de l’Église 4\\n75011 Paris'
            daybook services add Bath --price 92.44
            daybook orders add --customer 'Zoë Lefèvre' --date 2024-03-31 --due 2024-04-14 --note 'By the back door' \
              --row 'Bath "Rex"=1.5x @19' --row 'Bath=1.00 @7'
            daybook orders pay 1 20.00 --on 2024-04-02 --note cash
            """
        )
        #expect(setup.code == 0, "\(setup.error)")
    }

    @Test func anOrderPrintedTwiceIsTheSameFile() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            try await configure(daybook)
            try await anOrder(daybook)
            let first = try await daybook.run("orders", "print", "1")
            #expect(first.code == 0 && first.error.isEmpty, "\(first.error)")
            #expect(first.bytes.starts(with: Array("%PDF-".utf8)))
            let file = "\(daybook.folder)/order.pdf"
            let second = try await daybook.run("orders", "print", "1", "--output", file)
            #expect(second.code == 0 && second.bytes.isEmpty && second.error.contains("order.pdf"))
            #expect(File.read(file) == first.bytes)

            let paper = try await text(file, of: daybook)
            for expected in [
                "Order 1", "Daybook Bakery", "Mill Lane 3", "Zoë Lefèvre", "Rue de l’Église 4", "75011 Paris",
                "Date: Mar 31, 2024", "Due: Apr 14, 2024", "1 Bath, Rex 1.5 92.44 19% 138.66", "2 Bath 7% 1.00",
                "Net 139.66", "Total 166.08", "7% 1.00 0.07 1.07", "19% 138.66 26.35 165.01",
                "Apr 2, 2024 cash 20.00",
                "To be paid 146.08", "By the back door", "Daybook Bakery · IBAN NO93", "1/1",
            ] {
                #expect(paper.contains(expected), "\(expected) is not in: \(paper)")
            }
            let shown = try await daybook.run("orders", "show", "1")
            for expected in ["Net:       139.66 EUR", "Total:     166.08 EUR", "Open:      146.08 EUR"] {
                #expect(shown.text.contains(expected), "\(expected) is not in: \(shown.text)")
            }
            let kept = try await daybook.run("orders", "delete", "1", "--yes")
            #expect(kept.code == 1 && kept.error.contains("only cancelled"), "\(kept.error)")
            #expect(try await daybook.run("orders", "cancel", "1").code == 0)
            let cancelled = try await daybook.run("orders", "print", "1", "--format", "html")
            #expect(cancelled.text.contains("<h2>Cancelled</h2>"))
        }
    }

    /// All are looked up before the first is printed; each has a file of its own.
    @Test func severalOrdersHaveFilesOfTheirOwn() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            try await configure(daybook)
            try await anOrder(daybook)
            let more = try await daybook.shell("daybook orders add --row =5.00; mkdir \"$HOME/papers\"")
            #expect(more.code == 0, "\(more.error)")
            let missing = try await daybook.shell(
                "daybook orders print 1 2 9 --output \"$HOME/papers\"; ls \"$HOME/papers\""
            )
            #expect(missing.text.isEmpty && missing.error.contains("9"), "\(missing.text)\(missing.error)")
            #expect(try await daybook.client.all(Order.self).allSatisfy { $0.printed == nil })
            for output in ["--output \"$HOME/one.pdf\"", "--output -"] {
                let one = try await daybook.shell("daybook orders print 1 2 \(output)")
                #expect(one.code == 2 && one.error.contains("has to be a folder"), "\(one.error)")
            }
            let all = try await daybook.shell("cd \"$HOME/papers\" && daybook orders print 1 2 1 | cat; ls")
            #expect(all.text == "order-1.pdf\norder-2.pdf\n", "\(all.text)\(all.error)")
            #expect(try await daybook.client.all(Order.self).allSatisfy { $0.printed != nil })
        }
    }

    @Test func whatCannotBePrintedIsNotMarked() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            try await anOrder(daybook)
            let nameless = try await daybook.run("orders", "print", "1")
            #expect(nameless.code == 1 && nameless.error.contains("config.json"), "\(nameless.error)")
            try await configure(daybook)
            let libexec = ["DAYBOOK_LIBEXEC": daybook.folder]
            let missing = try await daybook.run("orders", "print", "1", variables: libexec)
            #expect(missing.code == 1 && missing.error.contains("\(daybook.folder)/daybook-paper, which is missing"))
            let nowhere = try await daybook.run("orders", "print", "1", "-o", "\(daybook.folder)/no/folder.pdf")
            #expect(nowhere.code == 1 && nowhere.error.contains("No such file"), "\(nowhere.error)")
            let unknown = try await daybook.run("orders", "print", "7")
            #expect(unknown.code == 1 && unknown.bytes.isEmpty)
            let isPrinted = {
                let shown = try await daybook.run("orders", "show", "1", "--fields", "printed", "--format", "json")
                #expect(shown.code == 0)
                return shown.text.contains(#""printed": "2"#)
            }
            #expect(try await !isPrinted())

            // A program that fails without reading, and one that warns.
            for (script, code) in [
                ("echo 'no fonts here' >&2; exit 1", 1), ("cat >/dev/null; echo boxes >&2; echo %PDF", 0),
            ] {
                let written = try await daybook.shell(
                    "cd '\(daybook.folder)' && printf '#!/bin/sh\\n%s\\n' \"$SCRIPT\" > daybook-paper && chmod +x daybook-paper",
                    variables: ["SCRIPT": script]
                )
                #expect(written.code == 0)
                let printed = try await daybook.run("orders", "print", "1", variables: libexec)
                #expect(printed.code == Int32(code), "\(printed.error)")
                #expect(printed.error == (code == 0 ? "boxes\n" : "Error: no fonts here\n"))
                #expect(printed.text == (code == 0 ? "%PDF\n" : ""))
            }
            #expect(try await isPrinted())
        }
    }

    @Test func aTerminalGetsChartsAndNoPDF() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            try await configure(daybook)
            try await anOrder(daybook)
            #expect(try await daybook.run("orders", "edit", "1", "--made").code == 0)
            // script(1) runs a command on a terminal of its own.
            @Sendable func terminal(
                _ command: String,
                _ variables: [String: String] = [:]
            ) async throws -> Daybook.Output {
                try await daybook.shell(
                    "cd '\(daybook.folder)' && script -qec 'stty cols 50; \(command)' /dev/null </dev/null",
                    variables: ["TERM": "xterm"].merging(variables) { $1 }
                )
            }
            let printed = try await terminal("daybook orders print 1")
            #expect(printed.code == 0 && printed.text.contains("order-1.pdf") && !printed.text.contains("%PDF"))
            let file = try #require(File.read("\(daybook.folder)/order-1.pdf"))
            #expect(file == (try await daybook.run("orders", "print", "1")).bytes)
            for command in ["daybook orders print 1 -o -", "daybook orders list --format pdf"] {
                let refused = try await terminal(command)
                #expect(refused.code == 2 && refused.text.contains("PDF is nothing for a terminal"), "\(refused.text)")
            }
            let chart = try await terminal("daybook report unpaid --chart")
            #expect(chart.text.hasPrefix("\u{1B}[1mUnpaid by customer, EUR\u{1B}[0m\r\n"), "\(chart.text)")
            // 50 cells, less the name, the number and two gaps.
            #expect(chart.text.contains("Zoë Lefèvre  146.08  " + String(repeating: "█", count: 29) + "\r\n"))
            let plain = try await terminal("daybook report unpaid --chart", ["LANG": "C", "NO_COLOR": "1"])
            #expect(
                plain.text.hasPrefix(
                    "Unpaid by customer, EUR\r\nZoë Lefèvre  146.08  #############################\r\n"
                )
            )
        }
    }

    @Test func reportsArePagesAndPictures() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            try await configure(daybook)
            try await anOrder(daybook)
            let more = try await daybook.shell(
                """
                set -e
                daybook orders add --date 2024-01-05 --row =30.00 --made
                daybook orders add --date 2024-01-06 --row =5.00 --made --currency USD
                daybook orders edit 1 --made
                """
            )
            #expect(more.code == 0, "\(more.error)")
            let file = "\(daybook.folder)/totals.pdf"
            let options = ["--from", "2024-01-01", "--to", "2024-12-31", "--made"]
            let totals = try await daybook.shell(
                "daybook report totals --by month \(options.joined(separator: " ")) --format pdf --output '\(file)'"
            )
            #expect(totals.code == 0, "\(totals.error)")
            let paper = try await text(file, of: daybook)
            for expected in [
                "Totals by month", "Jan 1, 2024 – Dec 31, 2024", "Only orders that are made.", "2024-03 1 ",
                " 166.08 EUR", "Net", "Tax",
                "Total 196.08 EUR", "Total 5.00 USD", "Totals by month, EUR", "Totals by month, USD", "of orders.",
                "Daybook Bakery",
            ] {
                #expect(paper.contains(expected), "\(expected) is not in: \(paper)")
            }
            let unpaid = try await daybook.run("report", "unpaid", "--format", "html")
            #expect(unpaid.text.contains("<h1>Unpaid orders</h1>") && unpaid.text.contains(">146.08 EUR</td>"))
            let picture = try await daybook.run("report", "unpaid", "--format", "svg")
            #expect(picture.text.hasPrefix("<?xml") && picture.text.contains(">146.08</text>"))
            let chart = try await daybook.run("report", "unpaid", "--chart")
            #expect(
                chart.lines.map { $0.prefix(24) }
                    == [
                        "Unpaid by customer, EUR", "Zoë Lefèvre    146.08  █", "-- Unknown --   30.00  █",
                        "Unpaid by customer, USD", "-- Unknown --  5.00  ███", "Total: 176.08 EUR", "Total: 5.00 USD",
                        "3 orders",
                    ].map { $0.prefix(24) },
                "\(chart.text)"
            )
            let statement = try await daybook.run("report", "statement", "Zoë", "--period", "2024", "--format", "html")
            for expected in [
                "<h1>Account statement</h1>", "<p>Zoë Lefèvre</p>", "<td>Order 1</td><td class=\"number\">166.08</td>",
                "<td>Payment for order 1</td><td class=\"number\">-20.00</td><td class=\"number\">146.08</td>",
            ] {
                #expect(statement.text.contains(expected), "\(expected) is not in: \(statement.text)")
            }
            let refused = try await daybook.run("customers", "add", "Lind", "--format", "svg")
            #expect(refused.code == 2 && refused.error.contains("report totals"))
            #expect(!(try await daybook.run("customers", "list").text.contains("Lind")))
            let list = try await daybook.run("customers", "list", "--format", "pdf")
            #expect(list.code == 0 && list.bytes.starts(with: Array("%PDF-".utf8)), "\(list.error)")
        }
    }
}
