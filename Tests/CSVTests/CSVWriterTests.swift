import CSV
import Testing

@Suite struct CSVWriterTests {
    private func written(_ rows: [[CSVWriter.Cell]], _ writer: CSVWriter = CSVWriter()) -> String {
        var writer = writer
        for row in rows { writer.write(row) }
        return String(decoding: writer.take(), as: UTF8.self)
    }

    @Test(
        arguments: [
            ([], ""), ([""], "\"\"\n"), (["", ""], ",\n"), (["a", "b"], "a,b\n"), (["a b", " c "], "a b, c \n"),
            (["a,b", "c;d"], "\"a,b\",c;d\n"), (["a\"b"], "\"a\"\"b\"\n"), (["a\nb", "c\rd"], "\"a\nb\",\"c\rd\"\n"),
            (["\u{feff}a"], "\"\u{feff}a\"\n"), (["=1+1"], "=1+1\n"), ([",\u{301}"], "\",\u{301}\"\n"),
        ] as [([String], String)]
    )
    func quotesOnlyWhereNeeded(_ cells: [String], _ expected: String) {
        let found = written([cells.map { .text($0) }])
        #expect(Array(found.utf8) == Array(expected.utf8))
    }

    @Test func endsLinesAsAsked() {
        #expect(written([[.text("a")], [.text("b")]], CSVWriter(lineEnd: .crlf)) == "a\r\nb\r\n")
        #expect(written([[.text("a;b"), .text("c,d")]], CSVWriter(delimiter: .semicolon)) == "\"a;b\";c,d\n")
    }

    @Test func givesEachByteOnce() {
        var writer = CSVWriter()
        writer.write([.text("a")])
        #expect(writer.take() == Array("a\n".utf8))
        #expect(writer.take().isEmpty)
        writer.write([.number("1")])
        #expect(writer.take() == Array("1\n".utf8))
    }

    // A text that begins like a formula, beside amounts with a minus.
    @Test func keepsFormulasFromSpreadsheetsAndSumsAsTheyAre() throws {
        let names = [
            "=1+1", "+46 70 123", "-2+3", "@home", "\t=1", "\r\n=1", "-- note", "Ann", "'=1", "'Ann", "=\u{301}", "\n",
            "'",
        ]
        let sums = ["-5.00", "-1234.56"]
        let rows = names.enumerated().map { [CSVWriter.Cell.text($1), .number(sums[$0 % 2])] }

        let safe = try texts(Array(written(rows, CSVWriter(spreadsheetSafe: true)).utf8))
        #expect(!safe.contains { "=+-@\t\r\n".utf8.contains($0[0].utf8.first ?? 0) })
        #expect(safe.map { $0[1] } == rows.indices.map { sums[$0 % 2] })
        #expect(safe.map { Array(SpreadsheetText.unneutralised($0[0]).utf8) } == names.map { Array($0.utf8) })
        #expect(safe[7][0] == "Ann")

        let plain = written(rows)
        let read = try texts(Array(plain.utf8))
        #expect(read.map { Array($0[0].utf8) } == names.map { Array($0.utf8) })
        let again = written(read.map { [.text($0[0]), .number($0[1])] })
        #expect(Array(again.utf8) == Array(plain.utf8))
    }

    @Test(arguments: [
        ("=1", "'=1"), ("'=1", "''=1"), ("''-", "'''-"), ("Ann", "Ann"), ("'Ann", "'Ann"), ("", ""), ("'", "'"),
        ("''", "''"),
        ("a=1", "a=1"), (" =1", " =1"), ("=\u{301}", "'=\u{301}"), ("'\u{301}=", "'\u{301}="),
    ])
    func neutralisesByOneRule(_ text: String, _ expected: String) {
        #expect(Array(SpreadsheetText.neutralised(text).utf8) == Array(expected.utf8))
        #expect(Array(SpreadsheetText.unneutralised(expected).utf8) == Array(text.utf8))
    }
}

@Suite struct CSVRoundTripTests {
    private static let pieces = [
        "a", "Ann", "12.50", "-", "=", "'", "+", "@", "\t", ",", ";", "|", "\"", "\"\"", "\n", "\r", "\r\n", " ", "ä",
        "\u{301}",
        "李", "👩‍🍳", "\u{feff}", "\0",
    ]

    @Test(arguments: CSVDelimiter.allCases, [false, true])
    func readsBackWhatIsWritten(_ delimiter: CSVDelimiter, _ safe: Bool) throws {
        let seed = UInt64.random(in: 0 ... .max)
        var source = Seeded(seed)
        for round in 0..<150 {
            let columns = Int.random(in: 1...5, using: &source)
            let rows = (0..<Int.random(in: 0...6, using: &source)).map { _ in
                (0..<columns).map { _ in
                    (0..<Int.random(in: 0...4, using: &source)).map { _ in
                        Self.pieces.randomElement(using: &source) ?? ""
                    }.joined()
                }
            }
            var writer = CSVWriter(
                delimiter: delimiter,
                lineEnd: Bool.random(using: &source) ? .lf : .crlf,
                spreadsheetSafe: safe
            )
            for row in rows { writer.write(row.map { .text($0) }) }
            let bytes = writer.take()

            var reader = CSVReader(delimiter: delimiter)
            var read: [[String]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let size = Int.random(in: 1...20, using: &source)
                reader.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
                while let record = try reader.next() { read.append(Array(record)) }
            }
            reader.finish()
            while let record = try reader.next() { read.append(Array(record)) }
            if safe { read = read.map { $0.map(SpreadsheetText.unneutralised) } }
            try #require(
                read.map { $0.map { Array($0.utf8) } } == rows.map { $0.map { Array($0.utf8) } },
                "seed \(seed), round \(round)"
            )
        }
    }

    @Test func meetsAnyBytesTheSameWholeAndInPieces() {
        let seed = UInt64.random(in: 0 ... .max)
        var source = Seeded(seed)
        let alphabet = Array(",,\"\"\n\r;ab\u{e4}".utf8) + [0xff, 0xef, 0xbb, 0xbf, 0xfe, 0]
        for round in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...24, using: &source)).map { _ in
                alphabet.randomElement(using: &source) ?? 0
            }
            let whole = Result { () throws(CSVError) in try texts(bytes) }
            let single = Result { () throws(CSVError) in try textsByteByByte(bytes) }
            #expect(whole == single, "seed \(seed), round \(round), \(bytes)")
            _ = CSVDelimiter.detect(in: bytes)
        }
    }
}
