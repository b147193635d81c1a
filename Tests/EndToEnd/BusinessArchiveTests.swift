import Client
import Glibc
import Messages
import Support
import Synchronization
import Testing

/// The whole business in one file, out of the services as they are and into empty ones.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct BusinessArchiveTests {
    private static let services: [ServiceName] = [.catalog, .orders, .walks]

    /// A little of everything, with a past.
    private static let work = """
        set -e
        daybook customers add Ann --email ann@example.org
        daybook customers add 'Björn Åkesson'
        daybook customers add Eva
        daybook types add Soup
        daybook recipes add 'Leek soup' --type Soup --ingredient '1,5 kg leek' --ingredient '2 l water'
        daybook services add Bath --price 18 --recipe 'Leek soup'
        daybook services add Trim --price 9.50
        for n in 1 2 3 4 5 6; do
            daybook orders add --customer Ann --date 2024-03-0$n --row "Bath=$n x 40.00 @19" --row Trim=-2.50 --made
        done
        daybook orders add --customer Björn --date 2024-03-31 --row Trim=0
        daybook orders pay 1 20.00 --note cash
        daybook orders edit 2 --paid --note changed
        daybook orders delete 3 --yes
        daybook orders delete 4 --yes
        daybook undo --yes
        daybook customers edit Ann --name 'Anna Berg'
        daybook customers erase Eva --yes
        daybook dogs add Rex --owner Anna
        daybook walks add Rex Frieda --at '2024-03-31 18:05' --for 45min
        DAYBOOK_WALKS_SERVICE=Bath DAYBOOK_WALKS_PRICE=7 daybook orders add --from-walks Anna
        """

    /// What people see of the books.
    private static let looks = [
        "customers list --format json", "services list --format json", "recipes list --format json",
        "orders list --format json", "dogs list --format json", "walks list --format json", "orders show 1",
        "orders show 2",
        "orders numbers", "history customers Anna", "history orders 4", "report unpaid",
        "report totals --by month", "report totals --by service", "report statement Anna",
        "report totals --by customer --as-of 8", "events --source orders --format jsonl",
    ]

    private static func look(_ daybook: Daybook) async throws -> [String] {
        var seen: [String] = []
        for look in looks {
            let output = try await daybook.shell("daybook \(look)")
            #expect(output.code == 0, "\(look): \(output.error)")
            // The log's own name is another one.
            seen.append("\(look)\n" + (look.hasPrefix("events") ? withoutEpochs(output.lines) : output.text))
        }
        return seen
    }

    private static func withoutEpochs(_ lines: [String]) -> String {
        lines.map { line in
            guard let id = line.firstRange(of: "\"id\":\""), let end = line[id.upperBound...].firstIndex(of: ":") else {
                return line
            }
            return String(line[..<id.upperBound] + line[end...])
        }.joined(separator: "\n")
    }

    /// The members of an archive by name, and its manifest without what is each archive's own.
    private static func members(_ daybook: Daybook, _ path: String) async throws -> String {
        let output = try await daybook.shell(
            """
            python3 -c '
            import hashlib, json, sys, tarfile
            tar = tarfile.open(sys.argv[1])
            for entry in sorted(tar.getmembers(), key=lambda entry: entry.name):
                content = tar.extractfile(entry).read()
                if entry.name == "manifest.json":
                    manifest = json.loads(content)
                    for service in manifest["services"]:
                        for member in service["members"]:
                            found = tar.extractfile(member["path"]).read()
                            assert hashlib.sha256(found).hexdigest() == member["sha256"], member
                            assert len(found) == member["bytes"], member
                        print(service["service"], service["sequence"], [reaction["sequence"] for reaction in service["reactions"]])
                else:
                    print(entry.name, entry.size, hashlib.sha256(content).hexdigest())
            ' '\(path)'
            """
        )
        #expect(output.code == 0, "\(output.error)")
        return output.text
    }

    private static func sequences(_ daybook: Daybook) async throws -> [Int64] {
        var sequences: [Int64] = []
        for service in services {
            sequences.append(try await daybook.client.send(StatusRequest(), to: service).value.sequence)
        }
        return sequences
    }

    @Test func anotherInstallationIsTheSameBusiness() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { first in
            let made = try await first.shell(Self.work)
            #expect(made.code == 0, "\(made.error)")
            let picture = try await first.run(
                "recipes",
                "image",
                "set",
                "Leek soup",
                "\(Environment.checkout)/Tests/PicturesTests/Samples/orientation-6.jpg"
            )
            #expect(picture.code == 0, "\(picture.error)")
            let path = "\(first.folder)/business.tar"
            let exported = try await first.run("export", "--all", path)
            #expect(
                exported.code == 0 && exported.text.hasPrefix("exported 3 customers, 2 services"),
                "\(exported.error)"
            )
            let members = try await Self.members(first, path)
            #expect(members.contains("orders/deleted_orders.cbor"))
            let seen = try await Self.look(first)
            let undone = try await first.run("undo", "--yes")

            try await withDaybook(.catalog, .orders, .reporting, .walks) { second in
                let imported = try await second.shell("cat '\(path)' | daybook import --all -")
                #expect(imported.code == 0 && imported.text.hasPrefix("imported 3 customers"), "\(imported.error)")
                // Reports are made anew from the new logs.
                let after = try await second.shell(
                    "until daybook status --format csv | grep -q reporting; do sleep 0.1; done"
                )
                #expect(after.code == 0)
                let caughtUp = try await second.shell("daybook report unpaid > /dev/null && sleep 1.5")
                #expect(caughtUp.code == 0, "\(caughtUp.error)")
                for (was, now) in zip(seen, try await Self.look(second)) { #expect(now == was) }
                for service in Self.services {
                    #expect(try await second.client.send(VerifyLog(), to: service).value.differences == 0)
                }
                let again = try await second.shell("daybook export --all - > '\(second.folder)/again.tar'")
                #expect(again.code == 0, "\(again.error)")
                let same = try await Self.members(second, "\(second.folder)/again.tar").split(separator: "\n")
                #expect(same == members.split(separator: "\n"))
                #expect(try await second.run("undo", "--yes").text == undone.text)
                // Numbers go on.
                let next = try await second.shell(
                    "daybook orders add --date 2024-04-01 --quiet >/dev/null; daybook orders numbers | tail -1"
                )
                let other = try await first.shell(
                    "daybook orders add --date 2024-04-01 --quiet >/dev/null; daybook orders numbers | tail -1"
                )
                #expect(next.text.split(separator: " ").first == other.text.split(separator: " ").first)
            }
        }
    }

    @Test func isOneStateWhileOthersWrite() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { first in
            let made = try await first.shell(Self.work)
            #expect(made.code == 0, "\(made.error)")
            let customer = try await first.client.send(List<Customer>(limit: 1)).value.rows[0]
            let isDone = Mutex(false)
            let writing = Task {
                var written = 0
                while !isDone.withLock({ $0 }) {
                    let date = try CalendarDay(parsing: "2024-03-31")
                    var order = try await first.client.send(
                        Put(Order(date: date, customer: customer.id, currency: .eur, rows: [OrderRow(sum: 100)]))
                    ).value
                    order.note = "changed"
                    _ = try await first.client.send(Put(order))
                    if written % 3 == 0 { _ = try await first.client.send(Delete<Order>(id: order.id)) }
                    written += 1
                }
                return written
            }
            var paths: [String] = []
            for number in 0..<5 {
                let path = "\(first.folder)/\(number).tar"
                let exported = try await first.run("export", "--all", path)
                #expect(exported.code == 0, "\(exported.error)")
                paths.append(path)
            }
            isDone.withLock { $0 = true }
            #expect(try await writing.value > 0)
            for path in paths {
                try await withDaybook(.catalog, .orders, .walks) { second in
                    // The whole log is checked against the records.
                    let imported = try await second.run("import", "--all", path)
                    #expect(imported.code == 0, "\(imported.error)")
                }
            }
        }
    }

    @Test func takesNothingOfADamagedArchiveOrIntoBooksThatAreThere() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { first in
            let made = try await first.shell(Self.work)
            #expect(made.code == 0, "\(made.error)")
            let path = "\(first.folder)/business.tar"
            #expect(try await first.run("export", "--all", path).code == 0)
            let own = try await Self.sequences(first)
            let into = try await first.run("import", "--all", path)
            #expect(into.code == 1 && into.error.contains("catalog is not empty: its log has"), "\(into.error)")
            #expect(try await Self.sequences(first) == own)
            let bytes = try #require(File.read(path))
            try await withDaybook(.catalog, .orders, .walks) { second in
                let bad = "\(second.folder)/bad.tar"
                func refused(_ bytes: [UInt8], _ reason: String) async throws {
                    try File.write(bytes, to: bad)
                    let refused = try await second.run("import", "--all", bad)
                    #expect(refused.code == 1 && refused.error.contains(reason), "\(refused.error)")
                    #expect(try await Self.sequences(second) == [0, 0, 0])
                }
                // One bit in the middle of an event.
                let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "customer.created".utf8) })
                var damaged = bytes
                damaged[place + 3] ^= 1
                try await refused(damaged, "catalog/event.cbor is damaged")
                try await refused(Array(bytes.prefix(bytes.count / 2)), "Nothing was imported")
                try await refused(Array("no archive, whatever its name says".utf8), "can't be read as a tar archive")
                let version = try #require(bytes.indices.first { bytes[$0...].starts(with: "\"version\": 1".utf8) })
                var newer = bytes
                newer[version + 11] = UInt8(ascii: "7")
                try await refused(newer, "is of format 7")
                #expect(
                    try await second.run("import", "--all", "\(second.folder)/none.tar").error.contains(
                        "There is no file"
                    )
                )
                // With one service that is not empty nothing goes anywhere.
                _ = try await second.run("dogs", "add", "Rex")
                let partly = try await second.run("import", "--all", path)
                #expect(partly.code == 1 && partly.error.contains("walks is not empty"), "\(partly.error)")
                #expect(try await Self.sequences(second) == [0, 0, 1])
            }
            try await withDaybook(.catalog, .orders) { third in
                // Nor where one doesn't answer.
                let away = try await third.run("import", "--all", path, "--timeout", "1")
                #expect(away.code == 3, "\(away.error)")
                #expect(try await third.client.send(StatusRequest(), to: .catalog).value.sequence == 0)
                let out = try await third.run("export", "--all", "\(third.folder)/x.tar", "--timeout", "1")
                #expect(out.code == 3 && File.read("\(third.folder)/x.tar") == nil, "\(out.error)")
            }
        }
    }

    @Test func aKillIsFinishedByTheSameCommand() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { first in
            let made = try await first.shell(Self.work)
            #expect(made.code == 0, "\(made.error)")
            let rows = (0..<3000).map { "2024-03-31,c\($0 % 50),\($0).25\n" }.joined()
            let file = "\(first.folder)/orders.csv"
            try File.write(Array(("date,customer,sum\n" + rows).utf8), to: file)
            let filled = try await first.run("import", "orders", file, "--add-missing", limit: .seconds(60))
            #expect(filled.code == 0, "\(filled.error)")
            let path = "\(first.folder)/business.tar"
            #expect(try await first.run("export", "--all", path).code == 0)
            let own = try await Self.sequences(first)
            try await withDaybook(.catalog, .orders, .walks) { second in
                let run = try await second.start(program: "\(Environment.programs)/daybook", ["import", "--all", path])
                let waiting = try await second.shell(
                    """
                    python3 -c '
                    import os, sqlite3
                    store = sqlite3.connect(os.environ["DAYBOOK_HOME"] + "/catalog.db", timeout=20)
                    while store.execute("SELECT count(*) FROM customers").fetchone()[0] == 0: pass
                    '
                    """
                )
                #expect(waiting.code == 0, "\(waiting.error)")
                try await second.kill(.orders)
                _ = await run.ended(within: .seconds(60))
                try await second.start(.orders)
                let half = try await Self.sequences(second)
                #expect(half[0] == own[0] && (half[1] == 0 || half[1] == own[1]))
                let again = try await second.run("import", "--all", path, limit: .seconds(60))
                #expect(again.code == 0, "\(again.error)")
                #expect(try await Self.sequences(second) == own)
                let third = try await second.run("import", "--all", path, limit: .seconds(60))
                #expect(third.code == 0 && third.text.hasPrefix("nothing changed"), "\(third.error)")
                for service in Self.services {
                    #expect(try await second.client.send(VerifyLog(), to: service).value.differences == 0)
                }
            }
        }
    }
}
