import CSV
import Testing

@Suite struct CSVRowReaderTests {
    @Test func findsFieldsByName() throws {
        let (header, rows) = try CSVRowReader.rows(of: Array("name,city,\nAnn,\"Os\"\"lo\",1\n\nBob,,2".utf8))
        #expect(header.names == ["name", "city", ""])
        #expect(header.index(of: "city") == 1)
        #expect(header.index(of: "City") == nil)
        #expect(try header.requiredIndex(of: "name") == 0)
        #expect(throws: CSVError.missingColumn("sum")) { try header.requiredIndex(of: "sum") }
        #expect(rows.map(\.line) == [2, 4])
        #expect(rows[0]["city"] == "Os\"lo")
        #expect(rows[1]["city"] == "")
        #expect(rows[1]["sum"] == nil)
        #expect(rows[1][2] == "2")
        #expect(rows[0].dictionary == ["name": "Ann", "city": "Os\"lo", "": "1"])
    }

    @Test func refusesDuplicateNames() {
        let expected = CSVError.duplicateColumn("b", first: 2, second: 4)
        #expect(throws: expected) { try CSVRowReader.rows(of: Array("a,b,c,b\n".utf8)) }
    }

    @Test(arguments: [("a,b\n1,2\n\"x\ny\",2\n3\n", 5, 1), ("a,b\n1,2,3\n", 2, 3), ("a,b\n1,2,\n", 2, 3)])
    func refusesRaggedRows(_ text: String, _ line: Int, _ found: Int) {
        #expect(throws: CSVError.ragged(line: line, found: found, expected: 2)) {
            try CSVRowReader.rows(of: Array(text.utf8))
        }
    }

    @Test(arguments: ["", "\n", "\r\n\n", "\u{feff}"]) func refusesAFileWithoutHeader(_ text: String) {
        #expect(throws: CSVError.noHeader) { try CSVRowReader.rows(of: Array(text.utf8)) }
    }

    @Test func takesAHeaderAlone() throws {
        let (header, rows) = try CSVRowReader.rows(of: Array("a,b".utf8))
        #expect(header.names == ["a", "b"])
        #expect(rows.isEmpty)
    }

    @Test func waitsForChunks() throws {
        var reader = CSVRowReader()
        #expect(try reader.next() == nil)
        reader.append(Array("name,ci".utf8))
        #expect(try reader.next() == nil)
        #expect(reader.header == nil)
        reader.append(Array("ty\nAnn,Os".utf8))
        #expect(try reader.next() == nil)
        #expect(reader.header?.names == ["name", "city"])
        reader.append(Array("lo".utf8))
        reader.finish()
        #expect(try reader.next()?["city"] == "Oslo")
        #expect(try reader.next() == nil)
    }
}

@Suite struct CSVDelimiterTests {
    @Test(
        arguments: [
            ("a,b\n1,2\n", .comma), ("a;b\n1;2\n", .semicolon), ("a\tb\n1\t2", .tab), ("a|b|c\n1|2|3\n", .pipe),
            ("", nil),
            ("name\nLind, Ann\n", nil),
            ("date;customer;sum\n2024-03-31;Lind;1.234,50\n2024-03-31;Ek;0,00\n", .semicolon),
            ("date;sum\n2024-03-31;1,5\n2024-03-31;2,5\n", .semicolon), ("\"a;b\",c\n1,2\n", .comma),
            ("\"a,b\";c\n1;2\n", .semicolon),
            ("\u{feff}a;b\n", .semicolon), ("a,b,c;d\n1,2,3\n", .comma), ("a;b,c\n1;2\n3;4\n", .semicolon),
            ("a,b\n1,2\n3\n", .comma), ("a;b\n1;\"open\n", .semicolon),
        ] as [(String, CSVDelimiter?)]
    )
    func isDetected(_ text: String, _ expected: CSVDelimiter?) {
        #expect(CSVDelimiter.detect(in: Array(text.utf8)) == expected)
    }

    @Test func isDetectedFromTheBeginningOfALongFile() {
        let text = "a;b;c\n" + String(repeating: "1,5;2,5;\"x;y\"\n", count: 20_000)
        #expect(CSVDelimiter.detect(in: Array(text.utf8)) == .semicolon)
        #expect(CSVDelimiter.detect(in: [0xff, 0xfe, 0x61, 0, 0x3b, 0]) == nil)
    }
}
