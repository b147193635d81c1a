import CBOR
import Client
import Glibc
import Messages
import Support
import Testing

/// The `daybook` command and running services.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CommandTests {
    @Test func printsWhatTheSeedsPrinted() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            #expect(try await daybook.run("customers", "add", "Lind").code == 0)
            #expect(try await daybook.run("services", "add", "Bath", "--price", "40.00").code == 0)
            let order = try await daybook.run(
                "orders",
                "add",
                "--customer",
                "Lind",
                "--date",
                "2024-03-31",
                "--made",
                "--row",
                "Bath=40.00",
                "--row",
                "=10.00"
            )
            #expect(order.code == 0)
            #expect(order.text.contains("  -- Unknown -- - 10.00\n  Bath - 40.00\n"))
            #expect(try await daybook.run("orders", "add").code == 0)
            let list = try await daybook.run("orders", "list", variables: ["LC_ALL": "sv_SE.UTF-8"])
            #expect(list.lines.first == "Mar 31, 2024\tLind")
            #expect(list.lines.last?.hasSuffix("\t-- Unknown --") == true)
            let unpaid = try await daybook.run("report", "unpaid")
            #expect(unpaid.lines.first == "Mar 31, 2024\tLind\t50.00 EUR")

            let walk = try await daybook.run("walks", "add", "Rex", "--at", "2024-03-31 18:05")
            #expect(walk.code == 0 && walk.error.contains("Rex"))
            let again = try await daybook.run("walks", "add", "rex", "--quiet")
            #expect(again.error.isEmpty)
            let walks = try await daybook.run("walks", "list", variables: ["LC_ALL": "zh_CN.UTF-8"])
            #expect(walks.lines.first == "Rex" && walks.lines.count == 3)
            #expect(walks.lines.last?.contains("今天") == true)
        }
    }

    @Test func failuresHaveTheirExitCodes() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let id = try await daybook.run("customers", "add", "Lind", "--quiet")
            #expect(id.lines.count == 1 && Identifier(id.lines[0]) != nil)
            _ = try await daybook.run("orders", "add", "--customer", "Lind", "--row", "=10.00")

            let inUse = try await daybook.run("customers", "delete", "Lind", "--yes")
            #expect(inUse.code == 1 && inUse.error.contains("1 order"))
            let blank = try await daybook.run("customers", "add", " \u{200B}")
            #expect(blank.code == 1 && blank.error.contains("name"))
            let nobody = try await daybook.run("customers", "show", "Lindd")
            #expect(nobody.code == 1 && nobody.error.contains("did you mean 'Lind'"))
            _ = try await daybook.run("customers", "edit", "Lind", "--phone", "1")
            let stale = try await daybook.run("customers", "edit", "Lind", "--phone", "2", "--based-on", "1")
            #expect(stale.code == 4 && stale.error.contains("phone"))
            _ = try await daybook.run("customers", "add", "Lind")
            let ambiguous = try await daybook.run("customers", "show", "Lind")
            #expect(ambiguous.code == 2 && ambiguous.error.contains(id.lines[0].suffix(4)))
            try await daybook.stop(.orders)
            let unsure = try await daybook.run("--timeout", "4", "customers", "delete", id.lines[0], "--yes")
            #expect(unsure.code == 3 && unsure.error.contains("cannot check now"))
        }
    }

    @Test func theSameKeyGivesTheFirstReply() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            for verb in [
                ["customers", "add", "Kim"], ["customers", "edit", "Kim", "--name", "Ann"],
                ["orders", "add", "--customer", "Ann", "--row", "=5"], ["customers", "add", "Eve"],
                ["customers", "delete", "Eve", "--yes"],
            ] {
                let key = try await daybook.run("key").lines[0]
                let arguments = (verb + ["--key", key]).map { Array($0.utf8) }
                let first = try await daybook.run(bytes: arguments)
                let again = try await daybook.run(bytes: arguments)
                #expect(first.code == 0, "\(verb): \(first.error)")
                #expect(again.code == 0, "\(verb) again: \(again.error)")
                #expect(again.text == first.text)
            }
            #expect(try await daybook.client.all(Customer.self).map(\.name) == ["Ann"])
            #expect(try await daybook.client.all(Order.self).count == 1)
        }
    }

    @Test func deletingWithoutATerminalNeedsAWord() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            _ = try await daybook.client.send(Put(Customer(name: "Lind")))
            for input in ["</dev/null", "<&-"] {
                let output = try await daybook.shell("daybook customers delete Lind \(input)")
                #expect(output.code > 0)
                #expect(output.bytes.isEmpty)
                #expect(output.error.contains("--yes"))
            }
            #expect(try await daybook.client.all(Customer.self).count == 1)
        }
    }

    @Test func aLongListEndsWithItsReader() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            try await Self.importCustomers(10_000, daybook)
            let head = try await daybook.shell("daybook customers list | head -1; echo ${PIPESTATUS[0]}")
            #expect(head.lines.count == 2 && head.lines[0].contains("Name"))
            #expect(["0", "141"].contains(head.lines[1]))
            #expect(head.error.isEmpty)
            let whole = try await daybook.run("customers", "list", "--format", "jsonl")
            #expect(whole.lines.count == 10_000)
            #expect(!whole.bytes.contains(0x1B))
            let full = try await daybook.shell("daybook customers list >/dev/full")
            #expect(full.code == 1)
            #expect(full.error.split(separator: "\n").count == 1 && full.error.lowercased().contains("no space"))
        }
    }

    /// Far more than a pipe holds, in a few commands.
    private static func importCustomers(_ count: Int, _ daybook: Daybook) async throws {
        let batch = Identifier.make()
        let chunks = count / 1000
        for chunk in 0..<chunks {
            let items = try (0..<1000).map {
                let customer = Customer(name: "Customer \(chunk * 1000 + $0)")
                return try EncodedCBOR(encoding: ImportItem(record: customer, line: $0 + 2))
            }
            let stage = ImportStage(batch: batch, chunk: chunk, entity: Customer.entity, items: items)
            _ = try await daybook.client.send(stage, to: .catalog, timeout: .seconds(20))
        }
        _ = try await daybook.client.send(
            ImportCommit(batch: batch, chunks: chunks),
            to: .catalog,
            timeout: .seconds(30)
        )
    }

    /// What `script` shows the command is a terminal.
    @Test(arguments: [("", true), ("NO_COLOR=", true), ("NO_COLOR=1", false), ("TERM=dumb", false)])
    func coloursOnlyATerminalThatWantsThem(_ assignment: String, _ isColoured: Bool) async throws {
        try await withDaybook(.catalog) { daybook in
            _ = try await daybook.client.send(Put(Customer(name: "Lind")))
            let list = "env TERM=xterm-256color \(assignment) daybook customers list"
            let output = try await daybook.shell("script -qec '\(list)' /dev/null </dev/null")
            #expect(output.text.contains("Lind"))
            #expect(output.bytes.contains(0x1B) == isColoured)
            #expect(try await !daybook.shell("\(list) | cat").bytes.contains(0x1B))
        }
    }

    @Test func aDayIsThatDayInEveryZone() async throws {
        let zones = ["UTC", "Pacific/Kiritimati", "America/Los_Angeles", "Europe/Berlin"]
        try await withDaybook(.orders, .catalog) { daybook in
            for zone in zones {
                let added = try await daybook.run("orders", "add", "--date", "2024-03-31", variables: ["TZ": zone])
                #expect(added.text.contains("Mar 31, 2024"))
            }
            for zone in zones {
                let list = try await daybook.run("orders", "list", variables: ["TZ": zone])
                #expect(list.lines == Array(repeating: "Mar 31, 2024\t-- Unknown --", count: 4))
                let table = try await daybook.run(
                    "orders",
                    "list",
                    "--format",
                    "csv",
                    "--fields",
                    "date",
                    variables: ["TZ": zone]
                )
                #expect(table.text.split(whereSeparator: \.isNewline).dropFirst().allSatisfy { $0 == "2024-03-31" })
            }
        }
    }

    @Test func statusTellsWhoDoesNotAnswer() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            let all = try await daybook.run("status")
            #expect(all.code == 0)
            for service in ServiceName.all { #expect(all.text.contains(service.rawValue)) }
            try await daybook.stop(.walks)
            #expect(try await daybook.run("--timeout", "1", "status").code == 3)
        }
    }
}
