import CSV
import Measures
import Messages
import Testing

@testable import CLI

struct RecordReaderTests {
    private func table<R: Resolvable>(
        _ text: String,
        _ form: ExchangeForm<R>,
        _ reading: ImportReading = ImportReading()
    ) throws -> (ImportTable, ImportProblems) {
        try table(bytes: Array(text.utf8), form, reading)
    }

    private func table<R: Resolvable>(
        bytes: [UInt8],
        _ form: ExchangeForm<R>,
        _ reading: ImportReading = ImportReading()
    ) throws -> (ImportTable, ImportProblems) {
        var problems = ImportProblems()
        let table = try ImportTable(bytes, file: "f.csv", targets: form.targets, reading: reading, problems: &problems)
        return (table, problems)
    }

    private func read<R: Resolvable>(
        _ text: String,
        _ form: ExchangeForm<R>,
        known: [R] = [],
        _ reading: ImportReading = ImportReading()
    ) throws -> RecordReader<R> {
        let (table, problems) = try table(text, form, reading)
        return RecordReader(form, table, known: KnownRecords(known), reading: reading, problems: problems)
    }

    private func customers(
        _ text: String,
        known: [Customer] = [],
        _ reading: ImportReading = ImportReading()
    ) throws
        -> [Customer]
    {
        let reader = try read(text, .customer, known: known, reading)
        #expect(reader.problems.sentences == [])
        return reader.items.map(\.record)
    }

    private func problem<R: Resolvable>(
        _ text: String,
        _ form: ExchangeForm<R>,
        known: [R] = [],
        _ reading: ImportReading = ImportReading()
    ) throws -> String {
        let reader = try read(text, form, known: known, reading)
        #expect(reader.problems.count == 1)
        return reader.problems.sentences.first ?? ""
    }

    // MARK: Bytes

    @Test(arguments: [
        "name,address\r\nAnn,Oslo\r\nBob,Bergen\r\n", "name,address\rAnn,Oslo\rBob,Bergen\r",
        "name,address\nAnn,Oslo\r\nBob,Bergen\n", "name,address\nAnn,Oslo\nBob,Bergen",
        "\u{FEFF}name,address\nAnn,Oslo\nBob,Bergen\n", "\u{FEFF}\"name\",\"address\"\nAnn,Oslo\nBob,Bergen\n",
        "name;address\nAnn;Oslo\nBob;Bergen\n",
    ])
    func takesEveryLineEndAndAByteOrderMark(text: String) throws {
        let read = try customers(text)
        #expect(read.map(\.name) == ["Ann", "Bob"])
        #expect(read.map(\.address) == ["Oslo", "Bergen"])
    }

    @Test func partsFieldsByBytes() throws {
        let read = try customers("name,info\nRex,\u{301}x\n\"\u{301}abc\",1\n")
        #expect(
            read.map { Array($0.name.unicodeScalars) } == [
                Array("Rex".unicodeScalars), Array("\u{301}abc".unicodeScalars),
            ]
        )
        #expect(read.map { $0.info.map { Array($0.unicodeScalars) } } == [["\u{301}", "x"], ["1"]])
    }

    @Test func refusesOtherEncodingsAndSaysWhere() throws {
        let utf16 = try table(
            bytes: [0xff, 0xfe] + "name\nAnn\n".utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] },
            .customer
        )
        #expect(utf16.0.rows.isEmpty)
        #expect(utf16.1.sentences == ["f.csv: The file is encoded in UTF-16LE: save it as UTF-8."])
        let latin = try table(bytes: Array("name\nAnn\nBj".utf8) + [0xf6] + Array("rn\n".utf8), .customer)
        #expect(latin.0.rows.isEmpty)
        #expect(latin.1.sentences.first?.hasPrefix("f.csv, line 3, column 1: byte 0xf6 is not UTF-8") == true)
    }

    // MARK: Columns

    @Test func findsColumnsByNameTitleAndMap() throws {
        let text = "Kunde,E-MAIL,x=y,Other\nAnn,a@b,46,z\n"
        var reading = ImportReading()
        reading.map = [ColumnMapping("Kunde=name")!, ColumnMapping("x=y=phone")!]
        let reader = try read(text, .customer, reading)
        #expect(reader.items.map(\.record.name) == ["Ann"])
        #expect(reader.items.map(\.record.email) == ["a@b"])
        #expect(reader.items.map(\.record.phone) == ["46"])
        #expect(reader.table.notes == ["f.csv: not imported: 'Other'."])
    }

    @Test(arguments: [
        ("Kund=name", "Did you mean 'Kunde'?"), ("Kunde=nam", "there is no field 'nam'"),
        ("Kunde=name", "the columns 'email' and 'E-mail' are both email"),
    ])
    func refusesColumnsThatCannotBeToldApart(map: String, sentence: String) throws {
        var reading = ImportReading()
        reading.map = [ColumnMapping(map)!]
        let error = #expect(throws: CLIError.self) { try read("Kunde,email,E-mail\nAnn,a,b\n", .customer, reading) }
        #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
        // The map decides, and the others are passed over.
        reading.map = [ColumnMapping("Kunde=name")!, ColumnMapping("E-mail=email")!]
        let reader = try read("Kunde,email,E-mail\nAnn,a,b\n", .customer, reading)
        #expect(reader.items.map(\.record.email) == ["b"])
        #expect(reader.table.notes == ["f.csv: not imported: 'email'."])
    }

    // MARK: Which record

    private let ann = Customer(id: .test(1), version: 4, name: "Ann Berg", phone: "1", reference: "A")
    private let kims = [Customer(id: .test(2), name: "Kim"), Customer(id: .test(3), name: "Kim")]

    @Test(arguments: ["reference,phone\nA,2\n", "name,phone\nANN BERG,2\n", "id,phone\n\(Identifier.test(1)),2\n"])
    func changesTheRecordThatIsThere(text: String) throws {
        let read = try customers(text, known: [ann] + kims)
        #expect(read.map(\.id) == [ann.id])
        // A change of the version that was read, so that what others change meanwhile is kept.
        #expect(read.map(\.version) == [4])
        #expect(read.map(\.phone) == ["2"])
    }

    @Test func leavesFieldsWithoutAColumnAndEmptiesBlankOnes() throws {
        let read = try customers("reference,phone\nA,\n", known: [ann])
        #expect(read.map(\.name) == ["Ann Berg"])
        #expect(read.map(\.phone) == [nil])
    }

    @Test func makesTheSameIdsOfTheSameKeys() throws {
        let first = try customers("name\nAnn\nBo\n")
        #expect(try customers("phone,name\n1,BO\n2,ann\n").map(\.id) == first.reversed().map(\.id))
        #expect(try customers("reference,name\nALFKI,Ann\n").map(\.id) == [.imported("customer", "ALFKI")])
        #expect(try customers(text(first), known: first) == first)
    }

    private func text(_ customers: [Customer]) throws -> String {
        let capture = try Capture()
        try capture.presentation(.csv).list(customers, of: ExchangeForm.customer.exported)
        return try capture.text()
    }

    @Test func tellsWhichRowsCannotBeToldApart() throws {
        #expect(
            try problem("name\nAnn\nBo\nann\n", .customer)
                == "f.csv, line 4, column 1 (name), 'ann': Line 2 is about the same customer already. Tell them apart by a "
                + "column reference."
        )
        #expect(
            try problem("phone,name\n1,Kim\n", .customer, known: kims)
                == "f.csv, line 2, column 2 (name), 'Kim': There are 2 customers with this name: tell which by a column id."
        )
        #expect(try problem("id,name\n17,Ann\n", .customer).contains("like --map 'id=reference'"))
        #expect(try problem("phone\n17\n", .customer).contains("Nothing says which customer it is"))
        #expect(try problem("reference\nZ\n", .customer, known: [ann]).contains("a new one needs a column name"))
    }

    // MARK: Amounts

    private let comma = """
        name;price
        a;1.234,50
        b;1.000
        c;-12,25
        d;0,00
        e;4.711,98 €

        """

    @Test(arguments: [DecimalMark.comma, nil])
    func readsDecimalCommasForAWholeColumn(decimal: DecimalMark?) throws {
        var reading = ImportReading()
        reading.decimal = decimal
        let reader = try read(comma, .service, reading)
        #expect(reader.problems.sentences == [])
        #expect(reader.items.map(\.record.price?.amount) == [123_450, 100_000, -1225, 0, 471_198])
    }

    @Test func takesACommaInACommaFileForWhatTheColumnSays() throws {
        #expect(
            try problem("name,price\na,\"1,000\"\nb,\"1,5\"\n", .service)
                .hasPrefix("f.csv, line 2, column 2 (price), '1,000': ")
        )
        var reading = ImportReading()
        reading.decimal = .point
        #expect(try read("name,price\na,\"1,000\"\n", .service, reading).items.map(\.record.price?.amount) == [100_000])
    }

    @Test func refusesColumnsThatMayBeMeantEitherWay() throws {
        #expect(
            try problem("name,price\na,5\nb,1.000\nc,2.000\n", .service)
                == "f.csv, line 3, column 2 (price), '1.000': Nothing in this column tells whether the mark parts "
                + "thousands or decimals: say --decimal , or --decimal ."
        )
        #expect(
            try problem("name,price\na,1.5\nb,\"1,5\"\n", .service)
                .contains("line 3, column 2 (price), '1,5': Its decimal mark is not that of '1.5' on line 2")
        )
    }

    @Test func namesTheCurrencyThatIsNone() throws {
        let text = try problem("name,price,price_currency\na,1.50,EUX\n", .service)
        #expect(text.hasPrefix("f.csv, line 2, column 3 (price_currency), 'EUX': "))
    }

    // MARK: Out and back

    private let names = ["=1+1", "+46 70 123", "-2+3", "@home", "-- note", "Ann", "'=1", "''@", "it's"]

    private func services() -> [SoldService] {
        names.enumerated().map { index, name in
            SoldService(
                id: .test(UInt64(index)),
                name: name,
                info: index == 0 ? "two\nlines, \"quoted\"; \t=1" : nil,
                price: index < 4
                    ? Money(amount: [-500, -123_456, 0, 1][index], currency: index == 3 ? .usd : .eur) : nil
            )
        }
    }

    @Test(arguments: [OutputFormat.csv, .json, .jsonl], [false, true])
    func bringsBackWhatWentOut(format: OutputFormat, isSafe: Bool) throws {
        let capture = try Capture()
        var presentation = capture.presentation(format)
        presentation.isSpreadsheetSafe = isSafe
        try presentation.list(services(), of: ExchangeForm.service.exported)
        var reading = ImportReading()
        reading.isSpreadsheetSafe = isSafe
        let reader = try read(try capture.text(), .service, reading)
        #expect(reader.problems.sentences == [])
        #expect(reader.items.map(\.record) == services())
    }

    @Test func writesNoFormulaIntoASpreadsheetAndLeavesNumbers() throws {
        let capture = try Capture()
        var presentation = capture.presentation(.csv)
        presentation.isSpreadsheetSafe = true
        try presentation.list(services(), of: ExchangeForm.service.exported)
        let text = try capture.text()
        #expect(text.utf8.starts(with: [0xef, 0xbb, 0xbf]))
        let (_, rows) = try CSVRowReader.rows(of: Array(text.utf8))
        #expect(rows.prefix(4).map { $0["price"] } == ["-5.00", "-1234.56", "0.00", "0.01"])
        for row in rows {
            let first = try #require(row["name"]?.utf8.first)
            #expect(!"=+-@\t\r".utf8.contains(first))
        }
        // Whoever forgets to say so is told.
        let (table, _) = try table(text, .service)
        #expect(table.notes.count == 1 && table.notes[0].contains("give --spreadsheet-safe"))
    }

    @Test func saysWhereJSONIsWrong() throws {
        let text =
            "[\n  {\"name\": \"a\"},\n  {\"name\": \"b\", \"price\": {\"amount\": \"1,5\", \"currency\": \"EUR\"}}\n]"
        #expect(try problem(text, .service).hasPrefix("f.csv, line 3, column price, '1,5': "))
        #expect(try problem("[{\"name\": [1]}]", .customer).contains("line 1, column 'name': it must be a text"))
        #expect(try problem("[\n{\"name\": \"a\"}\n", .customer).contains("f.csv, line 3: a comma or ] is missing"))
        #expect(try problem("{\"name\": \"a\"}\n7\n", .customer).contains("line 2: a record is an object"))
    }
}
