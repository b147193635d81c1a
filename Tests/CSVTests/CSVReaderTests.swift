import CSV
import Testing

func texts(_ bytes: [UInt8], delimiter: CSVDelimiter = .comma) throws(CSVError) -> [[String]] {
    try CSVReader.records(of: bytes, delimiter: delimiter).map { Array($0) }
}

/// The same, with a chunk for each byte.
func textsByteByByte(_ bytes: [UInt8], delimiter: CSVDelimiter = .comma) throws(CSVError) -> [[String]] {
    var reader = CSVReader(delimiter: delimiter)
    var records: [[String]] = []
    for byte in bytes {
        reader.append([byte])
        while let record = try reader.next() { records.append(Array(record)) }
    }
    reader.finish()
    while let record = try reader.next() { records.append(Array(record)) }
    return records
}

@Suite struct CSVReaderTests {
    // Line ends, quotes and blanks, which Swift's characters join, and the edges of RFC 4180.
    @Test(
        arguments: [
            ("", []), ("\n", []), ("\r\n\r\n", []), ("a", [["a"]]), ("a,b", [["a", "b"]]), (",", [["", ""]]),
            ("a,", [["a", ""]]),
            (",\n,", [["", ""], ["", ""]]), ("\"\"", [[""]]), ("\"\"\n", [[""]]), ("\"\"\"\"", [["\""]]),
            ("\"\",\"\"", [["", ""]]),
            ("name,city\r\nAnn,Oslo\r\nBob,Bergen\r\n", [["name", "city"], ["Ann", "Oslo"], ["Bob", "Bergen"]]),
            ("name,city\rAnn,Oslo\rBob,Bergen\r", [["name", "city"], ["Ann", "Oslo"], ["Bob", "Bergen"]]),
            ("name,city\nAnn,Oslo\r\nBob,Bergen\n", [["name", "city"], ["Ann", "Oslo"], ["Bob", "Bergen"]]),
            ("name,city\nAnn,Oslo\nBob,Bergen", [["name", "city"], ["Ann", "Oslo"], ["Bob", "Bergen"]]),
            ("name,note\nRex,\u{301}x\n", [["name", "note"], ["Rex", "\u{301}x"]]),
            ("name,note\n\"\u{301}abc\",1\n", [["name", "note"], ["\u{301}abc", "1"]]),
            ("a\u{301},b\"\u{301}\n", [["a\u{301}", "b\"\u{301}"]]),
            ("a,b\n\n\n1,2\n\n", [["a", "b"], ["1", "2"]]), ("a\r\n\"x\r\ny\"\r\n", [["a"], ["x\r\ny"]]),
            ("\"a\"\"b\",\"\"\"\"\"\"\r\n", [["a\"b", "\"\""]]),
            ("37\u{b0} 36'37.8\"N,x\"\"y", [["37\u{b0} 36'37.8\"N", "x\"\"y"]]),
            (" a , \"b\"\n", [[" a ", " \"b\""]]), ("a,b\n1", [["a", "b"], ["1"]]), ("a\0b,\0", [["a\0b", "\0"]]),
            ("\"a,b\",\"c\nd\"", [["a,b", "c\nd"]]), ("ab\r\r\ncd", [["ab"], ["cd"]]), ("👩‍🍳,李\n", [["👩‍🍳", "李"]]),
        ] as [(String, [[String]])]
    )
    func readsRecords(_ text: String, _ expected: [[String]]) throws {
        let (whole, single) = (try texts(Array(text.utf8)), try textsByteByByte(Array(text.utf8)))
        // By scalars, for == on strings would not tell a letter from its two-part form.
        #expect(
            whole.map { $0.map { Array($0.unicodeScalars) } } == expected.map { $0.map { Array($0.unicodeScalars) } }
        )
        #expect(single == whole)
        #expect(!whole.joined().contains { $0.utf8.last == 0x0d })
    }

    @Test(arguments: CSVDelimiter.allCases) func splitsAtItsDelimiterOnly(_ delimiter: CSVDelimiter) throws {
        let all = CSVDelimiter.allCases.map { String(UnicodeScalar($0.rawValue)) }
        let others = all.filter { $0.utf8.first != delimiter.rawValue }.joined()
        let own = String(UnicodeScalar(delimiter.rawValue))
        let text = "\(others)\(own)x\n\"\(own)\"\(own)y"
        #expect(try texts(Array(text.utf8), delimiter: delimiter) == [[others, "x"], [own, "y"]])
    }

    @Test func tellsTheLineOfEachRecord() throws {
        let text = "a\n\nb\r\n\"c\r\nd\ne\rf\",\"\"\"\r\"\rg\r\r\nh\n\ri"
        let lines = [1, 3, 4, 9, 11, 13]
        #expect(try CSVReader.records(of: Array(text.utf8)).map(\.line) == lines)
        var reader = CSVReader()
        var found: [Int] = []
        for byte in text.utf8 {
            reader.append([byte])
            while let record = try reader.next() { found.append(record.line) }
        }
        reader.finish()
        while let record = try reader.next() { found.append(record.line) }
        #expect(found == lines)
    }

    @Test(
        arguments: [
            ("a,\"b", .unterminatedQuote(line: 1, column: 2)),
            ("a\nb,\"c\nd\n\n", .unterminatedQuote(line: 2, column: 2)),
            ("\"", .unterminatedQuote(line: 1, column: 1)), ("\"a\"\"", .unterminatedQuote(line: 1, column: 1)),
            ("a\n\"b\"c", .textAfterQuote(line: 2, column: 1)), ("a,\"b\" ,c", .textAfterQuote(line: 1, column: 2)),
            ("a\r\n\"x\r\ny\"z", .textAfterQuote(line: 3, column: 1)),
            ("\"a\"\u{301},b", .textAfterQuote(line: 1, column: 1)),
        ] as [(String, CSVError)]
    )
    func refusesStrayQuotes(_ text: String, _ expected: CSVError) {
        #expect(throws: expected) { try texts(Array(text.utf8)) }
        #expect(throws: expected) { try textsByteByByte(Array(text.utf8)) }
        #expect(expected.description.hasPrefix("Line "))
    }

    @Test func givesTheRecordsBeforeAFaultAndThenTheFaultEachTime() throws {
        var reader = CSVReader()
        reader.append(Array("a,b\n\"c\"d\ne,f\n".utf8))
        #expect(try reader.next().map { Array($0) } == ["a", "b"])
        for _ in 0..<3 { #expect(throws: CSVError.textAfterQuote(line: 2, column: 1)) { try reader.next() } }
    }

    @Test func lendsFieldsWithoutUnquotingThem() throws {
        let record = try #require(try CSVReader.records(of: Array("x\nab,\"c\"\"d\",\"\",\n".utf8)).last)
        #expect(record.map { $0 } == ["ab", "c\"d", "", ""])
        #expect((0..<4).map { record.isQuoted($0) } == [false, true, true, false])
        #expect((0..<4).map { String(decoding: record.raw($0), as: UTF8.self) } == ["ab", "c\"\"d", "", ""])
        #expect(record.line == 2)
    }

    @Test func keepsRecordsThatOutliveTheirChunk() throws {
        var reader = CSVReader()
        reader.append(Array("one,1\ntw".utf8))
        let first = try #require(try reader.next())
        #expect(try reader.next() == nil)
        reader.append(Array("o,2\n".utf8))
        let second = try #require(try reader.next())
        reader.append(Array("three,3\n".utf8))
        #expect(try reader.next().map { Array($0) } == ["three", "3"])
        #expect(Array(first) == ["one", "1"])
        #expect(Array(second) == ["two", "2"])
        reader.finish()
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }
}

@Suite struct CSVLimitsTests {
    private let limits = CSVLimits(fieldBytes: 8, recordBytes: 20, columns: 4)

    @Test(
        arguments: [
            ("12345678,a\n", nil), ("a\n\"123456\"\n", nil),
            ("a\n123456789", .fieldTooLong(line: 2, column: 1, limit: 8)),
            ("a,\"1234567\"", .fieldTooLong(line: 1, column: 2, limit: 8)),
            ("a,\"12345678", .fieldTooLong(line: 1, column: 2, limit: 8)),
            ("a,\"1234567", .unterminatedQuote(line: 1, column: 2)),
            ("123456,123456,123456", nil), ("1234567,123456,123456", .recordTooLong(line: 1, limit: 20)),
            (",,,\n", nil), ("\n,,,,\n", .tooManyColumns(line: 2, limit: 4)),
        ] as [(String, CSVError?)]
    )
    func refusesWhatIsTooLong(_ text: String, _ expected: CSVError?) throws {
        for size in [1, 3, 1000] {
            var found: CSVError?
            do throws(CSVError) {
                var reader = CSVReader(limits: limits)
                var rest = Array(text.utf8)[...]
                while !rest.isEmpty {
                    reader.append(Array(rest.prefix(size)))
                    rest = rest.dropFirst(size)
                    while try reader.next() != nil {}
                }
                reader.finish()
                while try reader.next() != nil {}
            } catch {
                found = error
            }
            #expect(found == expected, "chunks of \(size)")
        }
    }

    @Test func refusesAnEndlessFieldBeforeItIsHeld() throws {
        var reader = CSVReader()
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
        var chunks = 0
        let error = #expect(throws: CSVError.self) {
            while chunks < 1000 {
                reader.append(chunk)
                chunks += 1
                _ = try reader.next()
            }
        }
        #expect(error == .fieldTooLong(line: 1, column: 1, limit: 1 << 20))
        #expect(chunks == 17)
    }

    @Test func holdsLimitsWithinReason() {
        let odd = CSVLimits(fieldBytes: .min, recordBytes: .max, columns: 0)
        #expect(odd == CSVLimits(fieldBytes: 1, recordBytes: 1 << 30, columns: 1))
        let usual = CSVLimits()
        #expect((usual.fieldBytes, usual.recordBytes, usual.columns) == (1_048_576, 4_194_304, 1000))
    }

    @Test func takesAThousandColumnsAndNoMore() throws {
        let row = [UInt8](repeating: UInt8(ascii: ","), count: 999)
        #expect(try CSVReader.records(of: row).first?.count == 1000)
        #expect(throws: CSVError.tooManyColumns(line: 1, limit: 1000)) { try CSVReader.records(of: row + row) }
    }
}

@Suite struct CSVEncodingTests {
    private let mark: [UInt8] = [0xef, 0xbb, 0xbf]

    // As spreadsheets write it in front.
    @Test(arguments: ["name,city\nAnn,Oslo\n", "\"name\",\"city\"\nAnn,Oslo\n"])
    func passesOverTheByteOrderMark(_ text: String) throws {
        let bytes = mark + Array(text.utf8)
        #expect(try texts(bytes) == [["name", "city"], ["Ann", "Oslo"]])
        #expect(try textsByteByByte(bytes) == [["name", "city"], ["Ann", "Oslo"]])
        #expect(try CSVRowReader.rows(of: bytes).rows.map { $0["name"] } == ["Ann"])
        #expect(try CSVReader.records(of: bytes).map(\.line) == [1, 2])
    }

    @Test func takesAMarkAloneForNothing() throws {
        #expect(try texts(mark) == [])
        #expect(try textsByteByByte(mark) == [])
        #expect(try texts(mark + mark) == [["\u{feff}"]])
    }

    @Test(
        arguments: [
            ([0xff, 0xfe, 0x6e, 0x00, 0x61, 0x00], "UTF-16LE"), ([0xfe, 0xff, 0x00, 0x6e], "UTF-16BE"),
            ([0xff, 0xfe], "UTF-16LE"),
            ([0xff, 0xfe, 0, 0, 0x6e, 0, 0, 0], "UTF-32LE"), ([0, 0, 0xfe, 0xff, 0, 0, 0, 0x6e], "UTF-32BE"),
        ] as [([UInt8], String)]
    )
    func namesOtherEncodings(_ bytes: [UInt8], _ encoding: String) {
        #expect(throws: CSVError.encoding(encoding)) { try texts(bytes) }
        #expect(throws: CSVError.encoding(encoding)) { try textsByteByByte(bytes) }
    }

    @Test func namesTheLineOfLatin1() {
        let bytes = Array("name,city\nAnn,Oslo\n\"x\r\ny\",\"z\nBj".utf8) + [0xf6] + Array("rn\"\nBob,Rom\n".utf8)
        let expected = CSVError.notUTF8(line: 5, column: 2, byte: 0xf6)
        #expect(throws: expected) { try texts(bytes) }
        #expect(throws: expected) { try textsByteByByte(bytes) }
        #expect(expected.description.contains("0xf6"))
    }

    @Test(
        arguments: [
            [0x80], [0xc3], [0xc0, 0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff],
            [0xf0, 0x9f, 0x90],
        ] as [[UInt8]]
    )
    func refusesInvalidBytesWhereverTheyStand(_ bytes: [UInt8]) {
        let expected = CSVError.notUTF8(line: 2, column: 2, byte: bytes[0])
        for end in ["", ",c", "\n", "x,\n"] {
            let whole = Array("a,b\nä,".utf8) + bytes + Array(end.utf8)
            #expect(throws: expected) { try texts(whole) }
            #expect(throws: expected) { try textsByteByByte(whole) }
        }
        let quoted = Array("a,b\nä,\"".utf8) + bytes + Array("\"".utf8)
        #expect(throws: expected) { try texts(quoted) }
    }
}
