import Client
import Messages
import Support
import Testing

/// Files out and in, by the command and the services as they are.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ExchangeTests {
    private static func sequence(_ daybook: Daybook) async throws -> Int64 {
        try await daybook.client.send(StatusRequest(), to: .catalog).value.sequence
    }

    @Test func whatGoesOutComesBackAndChangesNothingTwice() async throws {
        try await withDaybook(.catalog) { first in
            let file = "\(first.folder)/services.csv"
            let input = "name;price;info\nBath;1.234,50;=1+1\nClaws;-12,25;\n"
            let imported = try await first.run("import", "services", "-", input: input)
            #expect(imported.code == 0, "\(imported.error)")
            #expect(imported.text == "imported 2 services\n")
            let before = try await Self.sequence(first)
            let again = try await first.run("import", "services", "-", input: input)
            #expect(again.text == "nothing changed: 2 services are already there\n")
            #expect(try await Self.sequence(first) == before)

            for options in [[], ["--spreadsheet-safe"]] {
                let script = "daybook export services \(options.joined()) -o '\(file)'"
                let exported = try await first.shell(script)
                #expect(exported.code == 0, "\(exported.error)")
                let same = try await first.shell("daybook import services '\(file)' \(options.joined())")
                #expect(same.text == "nothing changed: 2 services are already there\n", "\(same.error)")
            }
            let plain = try await first.run("export", "services")
            #expect(plain.lines.count == 3)
            try await withDaybook(.catalog) { second in
                let taken = try await second.run("import", "services", "-", input: plain.text)
                #expect(taken.text == "imported 2 services\n", "\(taken.error)")
                #expect(try await second.run("export", "services").bytes == plain.bytes)
                let json = try await first.run("export", "services", "--format", "json")
                let unchanged = try await second.run("import", "services", "-", input: json.text)
                #expect(unchanged.text == "nothing changed: 2 services are already there\n", "\(unchanged.error)")
            }
        }
    }

    @Test func changesOnlyAfterAYesAndOnlyWhatTheFileHas() async throws {
        try await withDaybook(.catalog) { daybook in
            _ = try await daybook.run("customers", "add", "Ann", "--email", "a@b", "--phone", "1")
            let file = "Kunde,phone\nANN,2\n"
            let asked = try await daybook.run("import", "customers", "-", "--map", "Kunde=name", input: file)
            #expect(asked.code != 0 && asked.error.contains("--yes"), "\(asked.error)")
            let dry = try await daybook.run("import", "customers", "-", "--map", "Kunde=name", "--dry-run", input: file)
            #expect(dry.text == "would change 1 customer; nothing was stored\n", "\(dry.error)")
            let before = try await Self.sequence(daybook)
            let done = try await daybook.run("import", "customers", "-", "--map", "Kunde=name", "--yes", input: file)
            #expect(done.text == "changed 1 customer\n", "\(done.error)")
            #expect(try await Self.sequence(daybook) == before + 1)
            let exported = try await daybook.run("export", "customers")
            #expect(exported.lines.last?.hasSuffix(",ANN,a@b,2,,,") == true, "\(exported.text)")
        }
    }

    @Test func storesAllOrNothing() async throws {
        try await withDaybook(.catalog) { daybook in
            let bad = "name,price\na,1.00\nb,2024-13\nc,3.00\n"
            let refused = try await daybook.run("import", "services", "-", input: bad)
            #expect(refused.code != 0 && refused.text.isEmpty)
            #expect(refused.error.contains("standard input, line 3, column 2 (price), '2024-13'"), "\(refused.error)")
            #expect(try await Self.sequence(daybook) == 0)
            let good = "name,price\na,1.00\nb,2.00\nc,3.00\n"
            #expect(try await daybook.run("import", "services", "-", input: good).text == "imported 3 services\n")
            #expect(try await daybook.run("export", "services").lines.count == 4)

            let latin = try await daybook.shell("printf 'name\\nBj\\xf6rn\\n' | daybook import customers -")
            #expect(latin.code != 0 && latin.error.contains("line 2, column 1: byte 0xf6"), "\(latin.error)")
            #expect(try await daybook.run("export", "customers").lines.count == 1)
        }
    }

    @Test func aKilledServiceKeepsAllOrNothingOfALargeFile() async throws {
        try await withDaybook(.catalog) { daybook in
            let count = 100_000
            let rows = (0..<count).map { "n\($0),\($0).00\n" }.joined()
            let file = "\(daybook.folder)/large.csv"
            try File.write(Array(("name,price\n" + rows + "last,x\n").utf8), to: file)
            let bad = try await daybook.run("import", "services", file, limit: .seconds(60))
            #expect(bad.code != 0 && bad.error.contains("line \(count + 2), column 2 (price), 'x'"), "\(bad.error)")
            #expect(try await Self.sequence(daybook) == 0)

            try File.write(Array(("name,price\n" + rows).utf8), to: file)
            let run = try await daybook.start(
                program: "\(Environment.programs)/daybook",
                ["import", "services", file]
            )
            // As soon as something is uploaded, which is in the store and no record yet.
            let waiting = try await daybook.shell(
                """
                python3 -c '
                import os, sqlite3
                store = sqlite3.connect(os.environ["DAYBOOK_HOME"] + "/catalog.db", timeout=20)
                while store.execute("SELECT count(*) FROM staged").fetchone()[0] == 0: pass
                '
                """
            )
            #expect(waiting.code == 0, "\(waiting.error)")
            try await daybook.kill(.catalog)
            #expect(await run.ended(within: .seconds(30)) != .exited(0))
            try await daybook.start(.catalog)
            #expect(try await Self.sequence(daybook) == 0)
            #expect(try await daybook.run("export", "services").lines.count == 1)
        }
    }

    // MARK: Orders and walks

    private static let kinds = ["customers", "types", "recipes", "services", "dogs", "walks", "orders"]

    private static func head(_ daybook: Daybook, _ service: ServiceName) async throws -> Int64 {
        try await daybook.client.send(StatusRequest(), to: service).value.sequence
    }

    @Test func ordersComeWithWhatTheyNameOrNotAtAll() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let bad =
                "date,customer,service,sum\n2024-03-31,Ann,Bath,100.00\n2024-13-01,Bo,,-25.50\n2024-04-02,Ann,,0.00\n"
            let refused = try await daybook.run("import", "orders", "-", "--add-missing", input: bad)
            #expect(refused.code != 0 && refused.text.isEmpty)
            #expect(
                refused.error.contains("standard input, line 3, column 1 (date), '2024-13-01': There is no month 13"),
                "\(refused.error)"
            )
            #expect(try await Self.head(daybook, .catalog) == 0)
            #expect(try await Self.head(daybook, .orders) == 0)

            let good = bad.replacing("2024-13-01", with: "2024-12-01")
            let dry = try await daybook.run("import", "orders", "-", "--add-missing", "--dry-run", input: good)
            #expect(dry.text == "would import 2 customers, 1 service, 3 orders; nothing was stored\n", "\(dry.error)")
            #expect(try await Self.head(daybook, .catalog) == 0)
            let done = try await daybook.run("import", "orders", "-", "--add-missing", input: good)
            #expect(done.text == "imported 2 customers, 1 service, 3 orders\n", "\(done.error)")
            let before = try await Self.head(daybook, .orders)
            let again = try await daybook.run("import", "orders", "-", "--add-missing", input: good)
            #expect(again.text == "nothing changed: 3 orders are already there\n", "\(again.error)")
            #expect(try await Self.head(daybook, .orders) == before)
            let listed = try await daybook.run("orders", "list", "--format", "csv", "--fields", "date,customer,total")
            #expect(
                listed.lines.dropFirst() == [
                    "2024-03-31,Ann,100.00,EUR", "2024-04-02,Ann,0.00,EUR", "2024-12-01,Bo,-25.50,EUR",
                ]
            )
        }
    }

    @Test func everyKindComesBackByteForByteElsewhere() async throws {
        try await withDaybook(.catalog, .orders, .walks) { first in
            let script = """
                set -e
                daybook customers add Ann
                daybook recipes add 'Leek soup' --ingredient '1,5 kg leek' --ingredient '=2 l water'
                daybook services add Bath --price=-12.25 --recipe 'Leek soup'
                daybook orders add --customer Ann --date 2024-03-31 --row 'Bath=2 x 40.00 @19' --row 'Bath=-25.50' --row Bath=0 \
                    '--note=-- note'
                daybook orders pay 1 20.00 --note cash
                daybook orders add --date 2024-02-29
                daybook dogs add Rex --owner Ann
                daybook walks add Rex Frieda --at '2024-03-31 18:05' --for 45min --note '@home'
                """
            let made = try await first.shell(script)
            #expect(made.code == 0, "\(made.error)")
            for zone in ["Pacific/Kiritimati", "America/Los_Angeles"] {
                try await withDaybook(.catalog, .orders, .walks) { second in
                    for options in ["", "--spreadsheet-safe", "--format json"] {
                        let isSafe = options.contains("safe") ? options : ""
                        for kind in Self.kinds {
                            let file = "\(first.folder)/\(kind)"
                            let out = try await first.shell(
                                "daybook export \(kind) \(options) -o '\(file)'",
                                variables: ["TZ": zone]
                            )
                            #expect(out.code == 0, "\(out.error)")
                            // There is none to import.
                            if kind == "types" { continue }
                            let back = try await second.shell(
                                """
                                daybook import \(kind) '\(file)' \(isSafe) && daybook export \(kind) \(options) | cmp - '\(file)'
                                """
                            )
                            #expect(back.code == 0, "\(kind) \(options): \(back.error)\(back.text)")
                            #expect(options.isEmpty || back.text.hasPrefix("nothing changed"), "\(back.text)")
                        }
                    }
                }
            }
        }
    }

    @Test func aKillBetweenTheServicesIsFinishedByTheSameCommand() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let rows = (0..<3000).map { "2024-03-31,c\($0 % 50),\($0).25\n" }.joined()
            let file = "\(daybook.folder)/orders.csv"
            try File.write(Array(("date,customer,sum\n" + rows).utf8), to: file)
            let run = try await daybook.start(
                program: "\(Environment.programs)/daybook",
                ["import", "orders", file, "--add-missing"]
            )
            // Catalog's part is stored, and that of Orders on its way.
            let waiting = try await daybook.shell(
                """
                python3 -c '
                import os, sqlite3
                store = sqlite3.connect(os.environ["DAYBOOK_HOME"] + "/catalog.db", timeout=20)
                while store.execute("SELECT count(*) FROM customers").fetchone()[0] == 0: pass
                '
                """
            )
            #expect(waiting.code == 0, "\(waiting.error)")
            try await daybook.kill(.orders)
            _ = await run.ended(within: .seconds(30))
            try await daybook.start(.orders)
            let stored = try await Self.head(daybook, .orders)
            #expect(stored == 0 || stored == 3000)
            let again = try await daybook.run("import", "orders", file, "--add-missing", limit: .seconds(60))
            #expect(again.code == 0, "\(again.error)")
            #expect(try await Self.head(daybook, .orders) == 3000)
            #expect(try await Self.head(daybook, .catalog) == 50)
        }
    }
}
