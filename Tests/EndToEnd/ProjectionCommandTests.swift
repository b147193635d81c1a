import Client
import Glibc
import Messages
import Support
import Testing

/// `daybook projection`, `daybook verify` and `daybook up --keep-events`, with the real executables.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProjectionCommandTests {
    private static let noDifference = "service,differences\ncatalog,0\norders,0\nreporting,0\nwalks,0\n"

    /// What rebuilds print, and that the books are as they were.
    private static func rebuild(_ daybook: Daybook) async throws {
        let reports =
            "daybook report totals --by customer --format csv && daybook report unpaid --format csv "
            + "&& daybook report walks --by dog --format csv"
        let before = try await daybook.shell(reports)
        try #require(before.code == 0, "\(before.error)")
        for (service, sources) in [
            ("reporting", ["catalog", "orders", "walks"]), ("orders", ["catalog"]), ("catalog", ["orders"]),
            ("walks", ["catalog"]),
        ] {
            let output = try await daybook.run("projection", "rebuild", service, limit: .seconds(60))
            #expect(output.code == 0, "\(output.text)\(output.error)")
            #expect(output.lines.count == sources.count)
            for (line, source) in zip(output.lines, sources) {
                #expect(line.hasPrefix("\(service): \(source) identical (hash "))
                #expect(!line.hasSuffix(" 0 rows)"))
            }
            let hashes = try await daybook.run(
                "projection",
                "hash",
                service,
                "--format",
                "csv",
                "--fields",
                "source,hash"
            )
            for (line, source) in zip(output.lines, sources) {
                let hash = line.split(separator: "(hash ").last?.prefix(16) ?? ""
                #expect(hashes.lines.contains("\(source),\(hash)"), "\(hashes.text)")
            }
        }
        #expect(try await daybook.shell(reports).text == before.text)
        let verified = try await daybook.run("verify", "--format", "csv", "--fields", "service,differences")
        #expect(verified.code == 0 && verified.text == noDifference, "\(verified.text)\(verified.error)")
    }

    @Test func aRebuildAfterADaysWorkGivesTheSame() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            for line in [
                "customers add Lind", "customers add Berg", "services add Bath --price 40",
                "orders add --customer Lind --row Bath=40.00 --made --date 2024-03-31",
                "orders add --customer Berg --row Bath=30.00 --made --date 2024-04-01",
                "orders edit 1 --paid", "customers edit Lind --name 'Ada Lind'", "customers delete Berg --force --yes",
                "walks add Rex",
            ] {
                let output = try await daybook.shell("daybook \(line)")
                try #require(output.code == 0, "\(line): \(output.error)")
            }
            try await Self.rebuild(daybook)
        }
    }

    /// The place of before may be one in a log that is no more: the rebuild ends all the same.
    @Test func aRebuildRightAfterAStoreWasPutBackEnds() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try #require(try await daybook.run("customers", "add", "Lind").code == 0)
            try #require(try await daybook.run("report", "unpaid").code == 0)
            for round in 0..<4 {
                for service in [ServiceName.reporting, .catalog] { try await daybook.stop(service) }
                try File.write([], to: "\(daybook.home)/catalog.db.restored")
                try await daybook.start([.catalog, .reporting])
                let output = try await daybook.run("projection", "rebuild", "reporting", "--source", "catalog")
                #expect(output.code == 0, "round \(round): \(output.text)\(output.error)")
            }
        }
    }

    @Test func aRebuildAfterAnImportGivesTheSame() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            let imported = try await daybook.shell(
                """
                set -e; mkdir "$HOME/books"; cd "$HOME/books"
                { echo id,name,city,country; for n in $(seq 90); do echo "C$n,Customer $n,Umeå,SE"; done; } > customers.csv
                { echo id,name,price_cents; for n in $(seq 70); do echo "$n,Service $n,1$n"; done; } > services.csv
                { echo id,customer_id,date,made,paid
                  for n in $(seq 800); do
                    echo "$n,C$((n % 90 + 1)),2024-0$((n % 9 + 1))-1$((n % 10)),true,$([ $((n % 3)) = 0 ] && echo true || echo false)"
                  done; } > orders.csv
                daybook walks add Rex Frieda --at '2024-03-31 10:00' --for 45min
                { echo order_id,position,service_id,sum_cents
                  for n in $(seq 800); do for p in 1 2; do echo "$n,$p,$(((n + p) % 70 + 1)),$((n * 7 + p))"; done; done
                } > order_rows.csv
                daybook import --orders-csv . --currency EUR
                """,
                limit: .seconds(60)
            )
            try #require(imported.code == 0, "\(imported.error)")
            try await Self.rebuild(daybook)
        }
    }

    @Test func aRebuildMendsWhatWasWrongAndSaysSo() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let customer = try await daybook.client.send(Put(Customer(name: "Lind")))
            _ = try await daybook.client.send(UnpaidReport(), after: customer.positions)
            try await daybook.stop(.reporting)
            try await Self.change(daybook, "reporting", "UPDATE names SET name = 'Berg'")
            try await daybook.start(.reporting)
            let mended = try await daybook.run("projection", "rebuild", "reporting", "--source", "catalog")
            #expect(mended.code == 1 && mended.text.hasPrefix("reporting: catalog differs (hash "), "\(mended.text)")
            #expect(mended.error == "Error: What reporting knew of catalog was not what the log tells; now it is.\n")
            let again = try await daybook.run("projection", "rebuild", "reporting", "--source", "catalog")
            #expect(again.code == 0 && again.text.hasPrefix("reporting: catalog identical (hash "), "\(again.text)")
        }
    }

    /// Changes the store of a service that is stopped.
    private static func change(_ daybook: Daybook, _ service: String, _ statement: String) async throws {
        let script = """
            import os, sqlite3
            store = sqlite3.connect(os.environ["DAYBOOK_HOME"] + "/\(service).db")
            # The last byte of a blob, changed.
            store.create_function("flipped", 1, lambda body: body[:-1] + bytes([body[-1] ^ 1]))
            assert store.execute(\"\"\"\(statement)\"\"\").rowcount == 1
            store.commit()
            """
        let changed = try await daybook.shell("python3 - <<'END'\n\(script)\nEND")
        try #require(changed.code == 0, "\(changed.error)")
    }

    @Test func verifyFindsOneChangedByte() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            for number in 1...3 { #expect(try await daybook.run("customers", "add", "Customer \(number)").code == 0) }
            try await daybook.stop(.catalog)
            try await Self.change(daybook, "catalog", "UPDATE event SET body = flipped(body) WHERE sequence = 2")
            try await daybook.start(.catalog)
            let verified = try await daybook.run("verify")
            #expect(verified.code == 1)
            #expect(verified.text.contains("catalog: event 2 is not what was written"), "\(verified.text)")
            #expect(verified.error.contains("The log and the records of catalog don't agree"))
            #expect(try await daybook.run("verify", "orders", "reporting", "walks").code == 0)
        }
    }

    @Test func whatIsOlderThanTheLimitIsSaidToBeNoLongerKept() async throws {
        try await withDaybook { daybook in
            let up = try await daybook.run("up", "--keep-events", "1kB", limit: .seconds(40))
            do {
                try #require(up.code == 0, "\(up.error)")
                try await Self.checkTrimmed(daybook)
            } catch {
                _ = try await daybook.run("down")
                throw error
            }
            #expect(try await daybook.run("down").code == 0)
        }
    }

    private static func checkTrimmed(_ daybook: Daybook) async throws {
        let again = try await daybook.run("up", "--keep-events", "2kB")
        #expect(again.code == 0 && again.error.contains("--keep-events has no effect on what runs"))
        let key = try await daybook.run("key").lines[0]
        #expect(try await daybook.run("customers", "add", "Lind", "--key", key).code == 0)
        for number in 1...30 { _ = try await daybook.client.send(Put(Customer(name: "customer \(number)"))) }
        var floor: Int64 = 0
        while floor == 0 { floor = try await daybook.client.send(VerifyLog(), to: .catalog).value.floor }

        let history = try await daybook.run("history", "customers", "Lind")
        #expect(history.code == 0 && history.text == "")
        #expect(history.error.hasPrefix("Older events are no longer kept: they go back to "))
        let undo = try await daybook.run("undo", key, "--yes")
        #expect(
            undo.code == 1 && undo.error.contains("is older than what is kept: events go back to 20"),
            "\(undo.error)"
        )
        let verified = try await daybook.run(
            "verify",
            "catalog",
            "--format",
            "csv",
            "--fields",
            "differences,first,last"
        )
        #expect(verified.code == 0 && verified.text.hasPrefix("differences,first,last\n0,"), "\(verified.text)")
        #expect(!verified.text.contains("\n0,1,"))
        // What lists the last commands finds that of the last one, though the hundred before it are not there.
        let last = try await daybook.run("undo", "--yes")
        #expect(last.code == 0 && last.text == "Undone: 1 customer created.\n", "\(last.error)")
    }
}
