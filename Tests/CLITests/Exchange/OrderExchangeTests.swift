import Measures
import Messages
import Testing

@testable import CLI

/// Records with lists and references, into files and back.
struct OrderExchangeTests {
    private let ann = Customer(id: .test(1), name: "Ann", reference: "A")
    private let bath = SoldService(id: .test(11), name: "Bath")
    private let rex = Dog(id: .test(21), name: "Rex")

    private func read<R: Resolvable>(
        _ text: String,
        _ form: ExchangeForm<R>,
        known: [R] = [],
        _ reading: ImportReading = ImportReading()
    ) throws -> RecordReader<R> {
        var problems = ImportProblems()
        let table = try ImportTable(
            Array(text.utf8),
            file: "f.csv",
            targets: form.targets,
            reading: reading,
            problems: &problems
        )
        let known = KnownRecords(known)
        let kims = [Customer(id: .test(2), name: "Kim"), Customer(id: .test(3), name: "Kim")]
        let referred = [
            ReferredRecords(.customer, known: KnownRecords([ann] + kims)),
            ReferredRecords(.service, known: KnownRecords([bath])),
            ReferredRecords(.dog, known: KnownRecords([rex])),
        ]
        return RecordReader(
            form,
            table,
            known: known,
            referred: Dictionary(referred.map { ($0.referred.entity, $0) }, uniquingKeysWith: { $1 }),
            reading: reading,
            problems: problems
        )
    }

    private func orders(
        _ text: String,
        known: [Order] = [],
        _ reading: ImportReading = ImportReading()
    ) throws -> [Order] {
        let reader = try read(text, .order, known: known, reading)
        #expect(reader.problems.sentences == [])
        return reader.items.map(\.record)
    }

    private func problem(
        _ text: String,
        known: [Order] = [],
        _ reading: ImportReading = ImportReading()
    ) throws -> String {
        let reader = try read(text, .order, known: known, reading)
        #expect(reader.problems.count == 1, "\(reader.problems.sentences)")
        return reader.problems.sentences.first ?? ""
    }

    private func day(_ text: String) throws -> CalendarDay { try CalendarDay(parsing: text) }

    // MARK: Lines

    @Test func aLineIsARowAndLinesOfOneKeyAreAnOrder() throws {
        let text = """
            reference,date,customer,service,sum,payment_date,payment_amount
            1,2024-03-31,Ann,Bath,100.00,2024-04-01,50.00
            2,2024-04-01,A,,7.00,,
            1,,,bath,-25.50,,
            1,2024-03-31,Ann,,0.00,2024-04-02,24.50

            """
        let read = try orders(text)
        #expect(read.map(\.reference) == ["1", "2"])
        #expect(read.map(\.customer) == [ann.id, ann.id])
        #expect(read.map { $0.rows.map(\.sum) } == [[10_000, -2550, 0], [700]])
        #expect(read[0].rows.map(\.service) == [bath.id, bath.id, nil])
        #expect(read.map { ($0.payments ?? []).map(\.amount) } == [[5000, 2450], []])
        #expect(read.map(\.id) == [.imported("order", "1"), .imported("order", "2")])
        // The same file gives the same ids, of rows and payments too.
        #expect(try orders(text) == read)
    }

    @Test func aLineWithoutAKeyIsAnOrderOfItsOwnAndKnownAgain() throws {
        let text = "date;customer;sum\n2024-03-31;Ann;1.234,50\n2024-03-31;Ann;-12,25\n2024-04-01;;0,00\n"
        let read = try orders(text)
        #expect(read.map { $0.rows.map(\.sum) } == [[123_450], [-1225], [0]])
        #expect(Set(read.map(\.id)).count == 3)
        // What stood above others may go, and a corrected sum is a change.
        let corrected = try orders("date;customer;sum\n2024-04-01;;5,00\n2024-03-31;Ann;1.234,50\n", known: read)
        #expect(corrected.map(\.id) == [read[2].id, read[0].id])
        #expect(corrected[0].rows.map(\.id) == read[2].rows.map(\.id))
        #expect(corrected[1] == read[0])
    }

    @Test func linesOfOneOrderDoNotDiffer() throws {
        #expect(
            try problem("reference,date,sum\n1,2024-03-31,1\n1,2024-04-01,2\n")
                == "f.csv, line 3, column 2 (date), '2024-04-01': It is '2024-03-31' on line 2, which is about the same "
                + "order."
        )
    }

    @Test func saysWhichOrderANewOneCannotBe() throws {
        #expect(try problem("reference,sum\n1,2\n").contains("a new one needs a column date"))
        #expect(try problem("customer,sum\nAnn,2\n").contains("give one of id, reference, date"))
    }

    // MARK: Rows

    private func order() throws -> Order {
        var order = Order(
            id: .test(100),
            version: 3,
            date: try day("2024-03-31"),
            customer: ann.id,
            customerName: "Ann",
            currency: .usd,
            rows: [
                OrderRow(id: .test(101), service: bath.id, serviceName: "Bath", sum: 100),
                OrderRow(id: .test(102), quantity: Quantity(millionths: 2_000_000), unitPrice: 50, sum: 100),
            ],
            payments: [Payment(id: .test(103), date: try day("2024-04-01"), amount: 20)],
            reference: "R"
        )
        try order.settle(after: nil)
        return order
    }

    @Test func changesTheRowsThatAreNamedOrThoseInTheirPlaces() throws {
        let order = try order()
        let named = try orders("reference,row_id,sum\nR,\(order.rows[1].id),1.00\nR,,9.00\n", known: [order])
        #expect(named[0].rows.map(\.id) == [order.rows[1].id, order.rows[0].id])
        #expect(named[0].rows.map(\.sum) == [100, 900])
        let placed = try orders("reference,sum\nR,7.00\nR,1.00\nR,3.00\n", known: [order])
        #expect(placed[0].rows.prefix(2).map(\.id) == order.rows.map(\.id))
        #expect(placed[0].rows.map(\.sum) == [700, 100, 300])
        // What the file has no columns for stays, and so does the version.
        #expect(placed[0].payments == order.payments)
        #expect(placed[0].version == 3)
        let others = try orders("reference,note\nR,new\n", known: [order])
        #expect(others[0].rows == order.rows)
        #expect(others[0].note == "new")
    }

    @Test func theSumOfARowIsGivenOrFollows() throws {
        let head = "date,quantity,unitPrice,taxRate,sum\n2024-03-31,"
        #expect(try orders(head + "1.5,2.01,19,\n")[0].rows[0].sum == 302)
        #expect(try orders(head + "1.5,2.01,19%,3.02\n")[0].rows[0].taxRate == TaxRate(hundredths: 1900))
        #expect(try problem(head + "1.5,2.01,,3.01\n").contains("column 5 (sum), '3.01': It is not 1.5 x 2.01"))
        #expect(try problem(head + "3,,,\n").contains("column 5 (sum): It is blank: give it, or a quantity"))
        #expect(try problem(head + ",2.00,,\n").contains("column 2 (quantity): It is blank"))
        #expect(try problem(head + "1.1234567,1.00,,\n").contains("column 2 (quantity), '1.1234567'"))
        #expect(try problem(head + "1,1.00,101,\n").contains("column 4 (taxRate), '101'"))
        #expect(try problem(head + "1.125,1.00,,\n").contains("say --decimal"))
    }

    @Test(arguments: ["1.005", "1e3", "92233720368547758.08"])
    func refusesAmountsThatAreNone(text: String) throws {
        var reading = ImportReading()
        reading.decimal = .point
        #expect(try problem("date,sum\n2024-03-31,\(text)\n", reading).contains("line 2, column 2 (sum), '\(text)'"))
    }

    @Test func anOrderHasOneCurrency() throws {
        #expect(try orders("date,currency,sum\n2024-03-31,JPY,500\n")[0].rows[0].sum == 500)
        #expect(try orders("date,sum,row_sum_currency\n2024-03-31,5.00,USD\n")[0].currency == .usd)
        #expect(
            try problem("date,currency,sum,row_sum_currency\n2024-03-31,EUR,5.00,USD\n")
                .contains("column 4 (row_sum_currency), 'USD': The other amounts are in EUR")
        )
    }

    // MARK: References

    @Test func refusesWhatNobodyIsCalledUnlessItIsToBeMade() throws {
        let text = "date,customer,service,sum\n2024-03-31,Bo,Trim,1\n2024-04-01,BO,bath,2\n"
        let refused = try read(text, .order).problems.sentences
        #expect(refused.count == 3)
        #expect(
            refused.first
                == "f.csv, line 2, column 2 (customer), 'Bo': There is no such customer: import customers first, or make "
                + "what is named and missing by --add-missing."
        )
        var reading = ImportReading()
        reading.addsMissing = true
        let reader = try read(text, .order, reading)
        #expect(reader.problems.sentences == [])
        let new = reader.referred.flatMap { records in records.new.map { "\(records.referred.entity) \($0.name)" } }
        #expect(Set(new) == ["customer Bo", "service Trim"])
        // As an import of customers makes it of the name.
        let bo = Identifier.imported("customer-name", "bo")
        #expect(reader.items.map(\.record.customer) == [bo, bo])
    }

    @Test func aReferenceIsOneRecord() throws {
        #expect(
            try problem("date,customer\n2024-03-31,Kim\n")
                .contains("There are 2 customers called so: tell which by a column customerId.")
        )
        #expect(try orders("date,customer,customerId\n2024-03-31,Kim,\(Identifier.test(3))\n")[0].customer == .test(3))
        #expect(
            try problem("date,customerId,customer\n2024-03-31,\(Identifier.test(3)),Ann\n")
                .contains("The customer of column 2 (customerId) is 'Kim': correct one")
        )
        #expect(
            try problem("date,customerId\n2024-03-31,\(Identifier.test(9))\n").contains(
                "There is no customer of this id"
            )
        )
    }

    // MARK: Dates

    @Test(arguments: [
        ("dmy", "31.3.2024"), ("dmy", "31/03/2024"), ("dmy", "31. 3. 2024"), ("mdy", "3/31/2024"),
        ("mdy", "03-31-2024"),
        ("ymd", "2024/3/31"), ("ymd", "2024.03.31"), ("dmy", "2024-03-31"), ("mdy", "2024-03-31"),
    ])
    func readsDatesInTheOrderThatWasSaid(order: String, text: String) throws {
        var reading = ImportReading()
        reading.dates = DateOrder(rawValue: order)
        #expect(try orders("date,sum\n\(text),1\n", reading).map(\.date) == [day("2024-03-31")])
    }

    @Test func neverGuessesTheOrderOfADate() throws {
        #expect(
            try problem("date,sum\n31.3.2024,1\n")
                == "f.csv, line 2, column 1 (date), '31.3.2024': Write it like 2024-03-31, or say in which order dates "
                + "are: --dates dmy, mdy or ymd."
        )
        var reading = ImportReading()
        reading.dates = .mdy
        #expect(
            try problem("date,sum\n3/31/2024,1\n31/3/2024,1\n", reading).contains(
                "line 3, column 1 (date), '31/3/2024'"
            )
        )
        for text in ["3/31/24", "3/31.2024", "3//31/2024", "x3/31/2024", "3/31"] {
            #expect(try problem("date,sum\n\(text),1\n", reading).contains("all four digits of the year"))
        }
        #expect(
            try problem("date,sum\n2024-13-01,1\n").contains(
                "line 2, column 1 (date), '2024-13-01': There is no month 13"
            )
        )
    }

    // MARK: Walks and recipes

    @Test func aWalkIsKnownByItsStartAndHasALineForEachDog() throws {
        let text = "start,end,dog\n2024-03-31T18:05:00Z,2024-03-31T18:50:00Z,Rex\n2024-03-31T18:05:00Z,,Bo\n"
        var reading = ImportReading()
        reading.addsMissing = true
        let reader = try read(text, .walk, reading)
        #expect(reader.problems.sentences == [])
        let walks = reader.items.map(\.record)
        #expect(walks.map(\.dogs.count) == [2])
        let again = try read(text, .walk, known: walks, reading)
        #expect(again.items.map(\.record) == walks)
        let blank = try read("start,dog\n2024-03-31T18:05:00Z,\n", .walk).problems.sentences
        #expect(blank.first?.contains("A walk is with at least one dog") == true, "\(blank)")
        let early = try read("start,end,dog\n2024-03-31T18:05:00Z,2024-03-31T18:00:00Z,Rex\n", .walk).problems.sentences
        #expect(
            early.first?.contains("column 2 (end), '2024-03-31T18:00:00Z': The walk ends before") == true,
            "\(early)"
        )
    }

    @Test func saysWhichItemOfAListIsWrongInJSON() throws {
        let text = """
            [
              {"date": "2024-03-31", "rows": [{"sum": "1.00"}, {"sum": {"amount": "1.0x", "currency": "EUR"}}]}
            ]
            """
        #expect(try problem(text).hasPrefix("f.csv, line 2, column row_sum, item 2, '1.0x': "))
        #expect(try problem("[{\"date\": \"2024-03-31\", \"rows\": [7]}]").contains("line 1, column 'rows'"))
        let empty = try orders("[{\"reference\": \"R\", \"rows\": []}]", known: [order()])
        #expect(empty[0].rows == [])
        #expect(empty[0].payments?.count == 1)
    }

    // MARK: Out and back

    private func export<R: Resolvable>(
        _ records: [R],
        _ form: ExchangeForm<R>,
        _ format: OutputFormat,
        isSafe: Bool
    ) throws
        -> String
    {
        let capture = try Capture()
        var presentation = capture.presentation(format)
        presentation.isSpreadsheetSafe = isSafe
        if format == .csv {
            try presentation.list(records.flatMap(form.lines), of: form.exportedLines)
        } else {
            try presentation.list(records, of: form.exported)
        }
        return try capture.text()
    }

    /// As the service stores them, without what it sets of its own.
    private func anyOrders(_ seed: UInt64) throws -> [Order] {
        var random = Dice(state: seed)
        let texts = ["=1+1", "-2", "two\nlines", "a \"b\"; c, d", "'@", "Ann"]
        return try (0..<30).map { number in
            let currency = [Currency.eur, .usd, Currency("JPY")!].randomElement(using: &random)!
            var order = Order(
                id: .test(UInt64(1000 + number)),
                date: CalendarDay(daysSince1970: Int.random(in: -5000...40_000, using: &random))!,
                currency: currency
            )
            if Bool.random(using: &random) { (order.customer, order.customerName) = (ann.id, "Ann") }
            if Bool.random(using: &random) { order.due = try day("2024-05-01") }
            order.note = Bool.random(using: &random) ? texts.randomElement(using: &random) : nil
            order.reference = number % 3 == 0 ? "R\(number)" : nil
            order.made = Bool.random(using: &random)
            order.cancelled = Bool.random(using: &random) ? true : nil
            order.taxIncluded = Bool.random(using: &random) ? true : nil
            order.printed = Bool.random(using: &random) ? Instant(microseconds: 1_700_000_000_123_456) : nil
            for index in 0..<Int.random(in: 0...4, using: &random) {
                var row = OrderRow(id: .test(UInt64(10_000 + number * 10 + index)), sum: 0)
                row.sum = Int64.random(in: -99_999...99_999, using: &random) * Int64.random(in: 0...1, using: &random)
                if Bool.random(using: &random) { (row.service, row.serviceName) = (bath.id, "Bath") }
                row.text = Bool.random(using: &random) ? texts.randomElement(using: &random) : nil
                row.taxRate = Bool.random(using: &random) ? TaxRate(hundredths: 550) : nil
                if Bool.random(using: &random) {
                    row.quantity = Quantity(millionths: Int64.random(in: -3_000_000...3_000_000, using: &random))
                    row.unitPrice = Int64.random(in: -5000...5000, using: &random)
                }
                order.rows.append(row)
            }
            for index in 0..<Int.random(in: 0...2, using: &random) {
                let id = Identifier.test(UInt64(20_000 + number * 10 + index))
                let payment = Payment(id: id, date: order.date, amount: [-500, 1, 700][index], note: order.note)
                order.payments = (order.payments ?? []) + [payment]
            }
            if number % 5 == 0 {
                order.walks = [
                    BilledWalk(walk: .test(31), dog: rex.id, row: order.rows.first?.id, number: 12),
                    BilledWalk(walk: .test(32), dog: rex.id),
                ]
            }
            try order.settle(after: nil)
            return order
        }
    }

    @Test(arguments: [OutputFormat.csv, .json, .jsonl], [false, true])
    func bringsBackWhatWentOut(format: OutputFormat, isSafe: Bool) throws {
        let seed = UInt64.random(in: 0...9999)
        let before = try anyOrders(seed)
        let text = try export(before, .order, format, isSafe: isSafe)
        var reading = ImportReading()
        reading.isSpreadsheetSafe = isSafe
        // Into empty books: what the service sets follows.
        let new = try orders(text, reading).map { order in
            var order = order
            try order.settle(after: nil)
            return order
        }
        #expect(new == before, "seed \(seed)")
        #expect(try orders(text, known: before, reading) == before, "seed \(seed)")
        #expect(try export(new, .order, format, isSafe: isSafe) == text, "seed \(seed)")
    }

    @Test(arguments: [OutputFormat.csv, .json])
    func bringsBackARecipe(format: OutputFormat) throws {
        let recipe = Recipe(
            id: .test(41),
            name: "Leek soup",
            prepTime: "20 min",
            yield: "Serves 4",
            source: "=book",
            ingredients: [
                Ingredient(id: .test(42), line: "For the soup", isHeading: true),
                Ingredient(id: .test(43), line: "1,5 kg leek, \"green\""),
            ],
            steps: [RecipeStep(id: .test(44), text: "Cut.\nCook.")]
        )
        let form = ExchangeForm<Recipe>.recipe
        let text = try export([recipe], form, format, isSafe: false)
        let read = try self.read(text, form)
        #expect(read.problems.sentences == [])
        #expect(read.items.map(\.record) == [recipe])
    }
}

private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ mixed >> 31
    }
}
