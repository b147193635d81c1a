import Client
import Messages
import Support
import Testing

/// Files out and in, by the command and the services as they are.
@Suite(.serialized, .timeLimit(.minutes(2)))
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
}
