import Messages
import Testing

@testable import CLI

struct OrdersCSVTests {
    private static let files = [
        "customers.csv": "id,name,city,country\nA,Ann,Oslo,Norway\nB,Bo,,\nC,Cy,,Chile\n",
        "services.csv": "id,name,price_cents\n1,Bath,1250\n2,Comb,\n",
        "orders.csv": "id,customer_id,date,made,paid\n7,A,2024-01-31,1,0\n8,,2024-02-29,0,1\n",
        "order_rows.csv": "order_id,position,service_id,sum_cents\n7,2,,-50\n7,1,1,1000\n",
    ]

    private func read(_ changes: [String: String?] = [:], currency: Currency = .usd) throws(CLIError) -> OrdersCSV {
        var files: [String: String?] = Self.files
        for (name, text) in changes { files[name] = text }
        let contents = files.compactMapValues { $0.map { Array($0.utf8) } }
        let folder = ImportFolder("/in") { path throws(CLIError) in contents[String(path.dropFirst("/in/".count))] }
        return try OrdersCSV.read(folder, currency: currency)
    }

    private func refusal(_ changes: [String: String?]) -> String {
        let error = #expect(throws: CLIError.self) { try read(changes) }
        #expect(error?.processStatus == .failure)
        return error?.description ?? ""
    }

    @Test func readsTheWholeFolder() throws {
        let read = try read()
        #expect(read.customers.map(\.record.name) == ["Ann", "Bo", "Cy"])
        #expect(read.customers.map(\.record.address) == ["Oslo, Norway", nil, "Chile"])
        #expect(read.customers.map(\.record.reference) == ["A", "B", "C"])
        #expect(read.customers.map(\.line) == [2, 3, 4])
        #expect(read.services.map(\.record.price) == [Money(amount: 1250, currency: .usd), nil])
        #expect(read.orders.map(\.record.date.description) == ["2024-01-31", "2024-02-29"])
        #expect(read.orders.map(\.record.customer) == [read.customers[0].record.id, nil])
        #expect(read.orders.map(\.record.made) == [true, false])
        #expect(read.orders.map(\.record.paid) == [false, true])
        #expect(read.orders[0].record.rows.map(\.sum) == [1000, -50])
        #expect(read.orders[0].record.rows.map(\.service) == [read.services[0].record.id, nil])
        #expect(read.rowCount == 2)
    }

    @Test func makesTheSameOfTheSameFiles() throws {
        let (first, second) = (try read(), try read())
        #expect(first.batch == second.batch)
        #expect(first.orders.map(\.record) == second.orders.map(\.record))
        #expect(try read(currency: .eur).batch != first.batch)
        let changed = try read(["customers.csv": Self.files["customers.csv"]! + "D,Di,,\n"])
        #expect(changed.batch != first.batch)
        #expect(Array(changed.customers.map(\.record).prefix(3)) == first.customers.map(\.record))
    }

    @Test(arguments: ["\r\n", "\r", "\n"])
    func takesAnyLineEndsAndAByteOrderMark(lineEnd: String) throws {
        let changed = Self.files.mapValues { text -> String? in
            "\u{FEFF}" + text.utf8.split(separator: 10).map { String($0)! }.joined(separator: lineEnd)
        }
        #expect(try read(changed).orders.map(\.record) == read().orders.map(\.record))
    }

    @Test func takesOtherDelimitersAndAnotherOrderOfColumns() throws {
        let services = "price_cents;name;id\n1250;Bath;1\n;Comb;2\n"
        #expect(try read(["services.csv": services]).services.map(\.record) == read().services.map(\.record))
    }

    @Test func tellsWhichColumnsItPassesOver() throws {
        let read = try read(["services.csv": "id,name,price_cents,colour\n1,Bath,1250,red\n2,Comb,,\n"])
        #expect(read.notes == ["services.csv: not imported: 'colour'."])
    }

    @Test(
        arguments: [
            (
                "customers.csv", "id,name,city,country\nA,Ann,,\nA,Bo,,\n",
                "customers.csv, line 3, column 1 (id), 'A': Line 2 has this id already."
            ),
            ("customers.csv", "id,name,city,country\n ,Ann,,\n", "customers.csv, line 2, column 1 (id): It is blank"),
            ("customers.csv", "id,name,city,country\nA,\u{200B},,\n", "line 2, column 2 (name)"),
            (
                "customers.csv", "id,name,city,country\nA,Ann\n",
                "customers.csv, line 2: found 2 fields where the header has 4"
            ),
            ("customers.csv", "", "customers.csv: The file is empty"),
            (
                "customers.csv", "id,Name,city,country\n",
                "customers.csv, line 1: there is no column 'name'; rename 'Name'?"
            ),
            ("customers.csv", "id,name,city,country,id\n", "Columns 1 and 5 are both named"),
            (
                "customers.csv", "id,name,city,country\nA,\"Ann,,\n",
                "customers.csv, line 2, column 2: a quote is opened"
            ),
            ("customers.csv", nil, "customers.csv is missing in '/in'."),
            (
                "services.csv", "id,name,price_cents\n1,Bath,12.50\n",
                "services.csv, line 2, column 3 (price_cents), '12.50': It must be whole cents"
            ),
            (
                "orders.csv", "id,customer_id,date,made,paid\n7,A,2024-01-31,1,0\n8,A,2024-13-01,1,0\n",
                "orders.csv, line 3, column 3 (date), '2024-13-01': There is no month 13"
            ),
            (
                "orders.csv", "id,customer_id,date,made,paid\n7,Z,2024-01-31,1,0\n",
                "orders.csv, line 2, column 2 (customer_id), 'Z': There is no such id in customers.csv."
            ),
            (
                "orders.csv", "id,customer_id,date,made,paid\n7,A,2024-01-31,yes,0\n",
                "line 2, column 4 (made), 'yes': Write 1 or 0."
            ),
            (
                "order_rows.csv", "order_id,position,service_id,sum_cents\n9,1,1,1\n",
                "order_rows.csv, line 2, column 1 (order_id), '9': There is no such id in orders.csv."
            ),
            (
                "order_rows.csv", "order_id,position,service_id,sum_cents\n7,1,9,1\n",
                "line 2, column 3 (service_id), '9': There is no such id in services.csv."
            ),
            (
                "order_rows.csv", "order_id,position,service_id,sum_cents\n7,1,1,1e3\n",
                "column 4 (sum_cents), '1e3': It must be whole cents"
            ),
            (
                "order_rows.csv", "order_id,position,service_id,sum_cents\n7,1,1,9223372036854775808\n",
                "beyond the largest amount"
            ),
            (
                "order_rows.csv", "order_id,position,service_id,sum_cents\n7,1,1,1\n7,1,1,2\n",
                "line 3, column 2 (position), '1': The order has this position on line 2 already."
            ),
            (
                "order_rows.csv", "order_id,position,service_id,sum_cents\n7,1,1,9223372036854775807\n7,2,1,1\n",
                "orders.csv, line 2: the order's rows add up to more"
            ),
        ] as [(String, String?, String)]
    )
    func saysWhereAFileIsWrong(file: String, text: String?, sentence: String) {
        let description = refusal([file: text])
        #expect(description.hasPrefix("Nothing was imported:"))
        #expect(description.contains(sentence), "\(description)")
    }

    @Test func namesAByteThatIsNotUTF8() {
        let bytes = Array("id,name,city,country\nA,J".utf8) + [0xf6] + Array(",,\n".utf8)
        let folder = ImportFolder("/in") { path throws(CLIError) in
            path == "/in/customers.csv"
                ? bytes : Self.files[String(path.dropFirst("/in/".count))].map { Array($0.utf8) }
        }
        let error = #expect(throws: CLIError.self) { try OrdersCSV.read(folder, currency: .usd) }
        #expect(error?.description.contains("customers.csv, line 2, column 2: byte 0xf6 is not UTF-8") == true)
    }

    /// What refers to a file that can't be read is not called missing.
    @Test func blamesOnlyTheFileThatIsWrong() {
        let description = refusal(["customers.csv": "", "services.csv": nil])
        #expect(description.contains("there are 2 problems"), "\(description)")
    }

    @Test func listsTwentyProblemsByFileAndLine() {
        let rows = (0..<30).map { "o\($0),A,2024-02-30,1,0" } + ["x,A"]
        let description = refusal([
            "orders.csv": "id,customer_id,date,made,paid\n" + rows.joined(separator: "\n"),
            "order_rows.csv": "order_id,position,service_id,sum_cents\n",
            "customers.csv": "id,name,city,country\nA,Ann,,\nB\nC, ,,\n",
        ])
        let lines = description.split(separator: "\n")
        #expect(lines.count == 22)
        #expect(lines[0] == "Nothing was imported: there are 33 problems.")
        #expect(lines[1].hasPrefix("  customers.csv, line 3: found 1 fields"))
        #expect(lines[2].hasPrefix("  customers.csv, line 4, column 2 (name)"))
        #expect(lines[3].hasPrefix("  orders.csv, line 2, column 3 (date), '2024-02-30'"))
        #expect(lines[21] == "  and 13 more")
    }

    @Test func wantsACurrencyWithCents() {
        let error = #expect(throws: CLIError.self) { try read(currency: Currency("JPY")!) }
        #expect(error?.processStatus == .usage)
    }

    @Test(.enabled(if: File.isFolder(Northwind.path), "there is no folder shared/data/northwind beside the checkout"))
    func readsNorthwindToTheCent() throws {
        let read = try OrdersCSV.read(ImportFolder(Northwind.path), currency: .usd)
        #expect(read.customers.count == 93)
        #expect(read.services.count == 77)
        #expect(read.orders.count == 830)
        #expect(read.rowCount == 2155)
        #expect(read.orders.flatMap(\.record.rows).reduce(0) { $0 + $1.sum } == 126_579_329)
        let ids = read.customers.map(\.record.id) + read.services.map(\.record.id) + read.orders.map(\.record.id)
        #expect(Set(ids + read.orders.flatMap(\.record.rows).map(\.id)).count == 93 + 77 + 830 + 2155)
    }
}

/// The real data beside the checkout, which is not part of it.
enum Northwind {
    static let path =
        #filePath.split(separator: "/").dropLast(5).reduce("") { $0 + "/" + $1 } + "/shared/data/northwind"
}
