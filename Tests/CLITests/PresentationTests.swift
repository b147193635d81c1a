import Messages
import Testing

@testable import CLI

struct PresentationTests {
    private let two = [
        Sale.example(
            1,
            name: "Björn",
            rows: [
                Sale.Row(name: "Bath", sum: Money(amount: 1000, currency: .eur)),
                Sale.Row(name: "Claw trim", sum: Money(amount: -250, currency: .eur)),
            ]
        ),
        Sale.example(22, name: nil),
    ]

    private func printed(
        _ format: OutputFormat,
        fields: [String]? = nil,
        isQuiet: Bool = false,
        style: Style = .plain
    ) throws -> String {
        let capture = try Capture(style: style)
        try capture.presentation(format, fields: fields, isQuiet: isQuiet).list(two, of: .sale)
        return try capture.text()
    }

    @Test func alignsATable() throws {
        #expect(
            try printed(.table) == """
                Id    No.  Name   Day              Total  Paid
                6e01    1  Björn  2024-03-31   12.50 EUR  no
                6e16   22         2024-03-31  275.00 EUR  yes

                """
        )
    }

    @Test func writesPrettyJSON() throws {
        #expect(
            try printed(.json, fields: ["id", "name", "total", "tip", "rows"]) == """
                [
                  {
                    "id": "018e95c2-4f00-7a31-9c2e-5b0d8f1a6e01",
                    "name": "Björn",
                    "total": {"amount": "12.50", "currency": "EUR"},
                    "tip": null,
                    "rows": [
                      {
                        "name": "Bath",
                        "sum": {"amount": "10.00", "currency": "EUR"}
                      },
                      {
                        "name": "Claw trim",
                        "sum": {"amount": "-2.50", "currency": "EUR"}
                      }
                    ]
                  },
                  {
                    "id": "018e95c2-4f00-7a31-9c2e-5b0d8f1a6e16",
                    "name": null,
                    "total": {"amount": "275.00", "currency": "EUR"},
                    "tip": null,
                    "rows": []
                  }
                ]

                """
        )
    }

    @Test func writesAJSONObjectOnEachLine() throws {
        #expect(
            try printed(.jsonl, fields: ["number", "day", "time", "paid", "total"]) == """
                {"number":1,"day":"2024-03-31","time":"2024-03-31T18:05:09Z","paid":false,\
                "total":{"amount":"12.50","currency":"EUR"}}
                {"number":22,"day":"2024-03-31","time":"2024-03-31T18:05:09Z","paid":true,\
                "total":{"amount":"275.00","currency":"EUR"}}

                """
        )
    }

    @Test func writesAnAmountAsTwoColumnsOfCSV() throws {
        #expect(
            try printed(.csv, fields: ["number", "name", "total", "tip"]) == """
                number,name,total,total_currency,tip,tip_currency
                1,Björn,12.50,EUR,,
                22,,275.00,EUR,,

                """
        )
    }

    @Test func writesAListAsJSONInACellOfCSV() throws {
        let text = try printed(.csv, fields: ["rows"])
        #expect(text.hasPrefix("rows\n\"[{\"\"name\"\":\"\"Bath\"\",\"\"sum\"\":{\"\"amount\"\":\"\"10.00\"\""))
    }

    @Test func printsOnlyIdsWhenQuiet() throws {
        #expect(
            try printed(.table, isQuiet: true) == """
                018e95c2-4f00-7a31-9c2e-5b0d8f1a6e01
                018e95c2-4f00-7a31-9c2e-5b0d8f1a6e16

                """
        )
    }

    @Test func showsARecordWithItsRows() throws {
        let capture = try Capture()
        try capture.presentation().show(two[0], of: .sale)
        #expect(
            try capture.text() == """
                Id:     018e95c2-4f00-7a31-9c2e-5b0d8f1a6e01
                No.:    1
                Name:   Björn
                Day:    2024-03-31
                Time:   2024-03-31T18:05:09Z
                Total:  12.50 EUR
                Paid:   no
                Rows:
                  Bath       10.00 EUR
                  Claw trim  -2.50 EUR

                """
        )
    }

    @Test func showsARecordAsOneObject() throws {
        let capture = try Capture()
        try capture.presentation(.json, fields: ["number", "rows"]).show(two[1], of: .sale)
        #expect(try capture.text() == "{\n  \"number\": 22,\n  \"rows\": []\n}\n")
    }

    @Test(arguments: [(OutputFormat.json, "[]\n"), (.jsonl, ""), (.csv, "name\n"), (.table, "Name\n")])
    func printsAnEmptyList(format: OutputFormat, expected: String) throws {
        let capture = try Capture()
        try capture.presentation(format, fields: ["name"]).list([], of: .sale)
        #expect(try capture.text() == expected)
    }

    @Test func refusesAnUnknownFieldBeforeAnythingIsPrinted() throws {
        let capture = try Capture()
        #expect(throws: CLIError.self) { try capture.presentation(.csv, fields: ["nmae"]).list(two, of: .sale) }
        let error = #expect(throws: CLIError.self) { try Noun.sale.selected(["nmae"]) }
        #expect(error?.description == "Sales have no field 'nmae'; did you mean 'name'?")
        #expect(error?.processStatus == .usage)
        #expect(try capture.text() == "")
    }

    @Test func cutsTextToATerminalsWidth() throws {
        let narrow = Style(usesColour: false, columns: 30)
        let capture = try Capture(style: narrow)
        let sale = Sale.example(1, name: "A name that is much too long for it")
        try capture.presentation(fields: ["number", "name", "paid"]).list([sale], of: .sale)
        let lines = try capture.text().split(separator: "\n")
        #expect(lines.last == "  1  A name that is muc…  no")
    }

    @Test func escapesWhatWouldSteerATerminal() throws {
        let sale = Sale.example(1, name: "red\u{1B}[31m\nnext")
        for format in OutputFormat.texts where format != .csv {
            let capture = try Capture()
            try capture.presentation(format).list([sale], of: .sale)
            #expect(!(try capture.text()).utf8.contains(0x1B))
        }
    }

    @Test func writesBoldHeadingsOnlyWhereColoursAre() throws {
        #expect(try printed(.table, style: Style(usesColour: true, columns: 80)).hasPrefix("\u{1B}[1mId"))
        #expect(!(try printed(.table)).utf8.contains(0x1B))
    }

    @Test(
        arguments: [
            (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": "1"], false),
            (["TERM": "xterm", "NO_COLOR": ""], true), (["TERM": "dumb"], false), ([:], false),
        ] as [([String: String], Bool)]
    )
    func followsTheEnvironment(environment: [String: String], usesColour: Bool) {
        #expect(Style.of(terminalColumns: 80, environment: environment).usesColour == usesColour)
    }

    @Test func showsMoreDigitsWhereIdsEndAlike() {
        let low: [UInt64] = [0xA000_1111, 0xB000_1111, 0xB001_1111]
        #expect(CellText.idDigits(low.map { Identifier(high: 0, low: $0) }) == 8)
        #expect(CellText.idDigits([]) == 4)
    }

    @Test func printsRowsBehindTheDecidingOnesAsTheyArrive() throws {
        let capture = try Capture()
        var writer = try capture.presentation(fields: ["number"]).rowWriter(Noun.sale)
        for number in 1...1000 { try writer.write(.example(number, name: nil)) }
        #expect(try capture.text() == "")
        try writer.write(.example(1001, name: nil))
        #expect(try capture.text().hasSuffix("1000\n1001\n"))
        try writer.write(.example(123_456, name: nil))
        #expect(try capture.text() == "123456\n")
    }

    @Test func groupsLinesUnderTheirHeadings() throws {
        var noun = Noun.sale
        noun.lines = Lines(section: { $0.name }, line: { "\($0.number)" })
        let capture = try Capture()
        let rows = [Sale.example(1, name: "Rex"), .example(2, name: "Rex"), .example(3, name: "Ida")]
        try capture.presentation().list(rows, of: noun)
        #expect(try capture.text() == "Rex\n1\n2\nIda\n3\n")
    }
}
