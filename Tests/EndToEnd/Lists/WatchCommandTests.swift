import Client
import Glibc
import LiveList
import Messages
import Support
import Testing

/// `--watch` with the real services: JSON lines in a pipe, a table on a terminal.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WatchCommandTests {
    /// Starts a command whose output goes to the lines.
    private func start(_ command: String, _ lines: Lines, _ daybook: Daybook) async throws -> ChildProcess {
        try await daybook.start(program: "/bin/sh", ["-c", "exec daybook \(command) > \(lines.path)"])
    }

    @Test func aPipeGetsTheSnapshotAndEachBatch() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            var ada = try await client.send(Put(Customer(name: "Ada"))).value
            let order = try await client.send(Put(Order.of(ada, 100))).value
            _ = try await client.send(Put(Order.of(nil, 100)))
            let lines = try Lines("\(daybook.folder)/lines")
            let command = "orders list --customer Ada --fields number,customer --watch"
            _ = try await start(command, lines, daybook)
            let row = #"{"number":\#(order.number),"customer":"Ada"}"#
            #expect(
                try await lines.next()
                    == [#"{"snapshot":{"sections":[{"key":null,"rows":[\#(row)]}]},"number":0}"#]
            )
            ada.name = "Åsa"
            _ = try await client.send(Put(ada))
            let batch = try #require(try await lines.next().first)
            #expect(
                batch.hasPrefix(#"{"batch":{"sections":{"delete":[],"insert":[]},"delete":[],"insert":[],"move":[],"#)
            )
            #expect(
                batch.hasSuffix(
                    #""update":[{"from":[0,0],"to":[0,0],"row":{"number":\#(order.number),"customer":"Åsa"}}]},"#
                        + #""base":0,"number":1}"#
                )
            )
        }
    }

    /// The service is killed while somebody watches, and something was written before it could be opened again.
    @Test func aRestartIsShownAsAResyncAndASnapshot() async throws {
        try await withDaybook(.catalog) { daybook in
            _ = try await daybook.client.send(Put(Customer(name: "Ada")))
            let lines = try Lines("\(daybook.folder)/lines")
            _ = try await start("customers list --fields name --format jsonl --watch", lines, daybook)
            _ = try await lines.next()
            try await daybook.kill(.catalog)
            try await daybook.start(.catalog)
            _ = try await daybook.client.send(Put(Customer(name: "Bob")))
            let told = try await lines.next(until: { $0.contains("Bob") })
            #expect(told.first?.hasPrefix(#"{"resync":""#) == true, "\(told)")
        }
    }

    @Test func theUnpaidReportIsALiveList() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            let ada = try await client.send(Put(Customer(name: "Ada"))).value
            var order = try await client.send(Put(Order.of(ada, 1250, made: true)))
            _ = try await client.send(UnpaidReport(), after: order.positions)
            let lines = try Lines("\(daybook.folder)/lines")
            _ = try await start("report unpaid --from 2024-01-01 --watch --fields customer,total", lines, daybook)
            let row = #"{"customer":"Ada","total":{"amount":"12.50","currency":"EUR"}}"#
            let snapshot = try #require(try await lines.next().first)
            #expect(snapshot.hasPrefix(#"{"snapshot":{"sections":[{"key":null,"rows":[\#(row)]}]},"#))
            order.value.paid = true
            _ = try await client.send(Put(order.value))
            let batch = try #require(try await lines.next().first)
            #expect(batch.contains(#""sections":{"delete":[0],"insert":[]},"delete":[[0,0]]"#))
        }
    }

    @Test func aListByAQueryIsALiveList() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            var order = try Order.of(nil, 1250, made: true)
            order.note = "by the back door"
            order = try await client.send(Put(order)).value
            _ = try await client.send(Put(try Order.of(nil, 1250, made: true)))
            let lines = try Lines("\(daybook.folder)/lines")
            let query = "note ~ \"BACK DOOR\" and not paid and total > 5"
            _ = try await start("orders list --where '\(query)' --watch --fields label", lines, daybook)
            let snapshot = try #require(try await lines.next().first)
            #expect(
                snapshot.hasPrefix(#"{"snapshot":{"sections":[{"key":null,"rows":[{"label":"1"}]}]},"#),
                "\(snapshot)"
            )
            order.payments = [Payment(date: order.date, amount: 1250)]
            _ = try await client.send(Put(order))
            let batch = try #require(try await lines.next().first)
            #expect(batch.contains(#""delete":[[0,0]]"#), "\(batch)")
        }
    }

    /// Stopped while much is written, and continued: what it missed costs nobody anything, and it ends equal.
    @Test func aStoppedWatcherEndsEqual() async throws {
        try await withDaybook(.catalog) { daybook in
            let lines = try Lines("\(daybook.folder)/lines")
            let watching = try await start("customers list --fields name --watch", lines, daybook)
            _ = try await lines.next()
            watching.signal(SIGSTOP)
            for number in 0..<300 { _ = try await daybook.client.send(Put(Customer(name: "Customer \(number)"))) }
            watching.signal(SIGCONT)
            _ = try await daybook.client.send(Put(Customer(name: "the last")))
            let told = try await lines.next(until: { $0.contains("the last") })
            let names = told.joined().split(separator: #"{"name":""#).dropFirst().compactMap {
                $0.split(separator: "\"").first
            }
            #expect(Set(names).count == 301)
        }
    }

    @Test(arguments: ["--format csv", "--format json", "--quiet"]) func otherFormsAreRefused(
        _ form: String
    ) async throws {
        try await withDaybook(.catalog) { daybook in
            let output = try await daybook.shell("daybook customers list --watch \(form)")
            #expect(output.code == 2 && output.error.contains("--watch"))
        }
    }

    @Test func aServiceThatIsDownIsToldAtOnce() async throws {
        try await withDaybook { daybook in
            let output = try await daybook.shell("daybook customers list --watch --timeout 0.5")
            #expect(output.code == 3)
        }
    }

    @Test func thePartsOfARecordAreLinesOfTheirOwn() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            let bath = try await client.send(Put(SoldService(name: "Bath"))).value
            var order = try await client.send(Put(try Order.of(nil, 1250, service: bath))).value
            _ = try await client.send(Put(try Order.of(nil, 77)))
            let row = #"{"position":1,"service":"Bath","sum":{"amount":"12.50","currency":"EUR"}}"#
            for command in ["orders show 1", "orders rows list 1"] {
                let lines = try Lines("\(daybook.folder)/\(command.filter { $0 != " " })")
                _ = try await start("\(command) --fields position,service,sum --watch", lines, daybook)
                let snapshot = try #require(try await lines.next().first)
                #expect(snapshot.hasPrefix(#"{"snapshot":{"sections":[{"key":null,"rows":[\#(row)]}]}"#))
                order.rows.append(OrderRow(sum: 5))
                order = try await client.send(Put(order)).value
                var batch = try #require(try await lines.next().first)
                #expect(batch.contains(#""insert":[{"to":[0,0],"row":{"position":2,"service":null"#))
                order.rows.removeLast()
                order = try await client.send(Put(order)).value
                batch = try #require(try await lines.next().first)
                #expect(batch.contains(#""delete":[[0,0]]"#))
            }
            let recipe = try await client.send(Put(Recipe(name: "Soup", ingredients: [Ingredient(line: "leek")]))).value
            let commands = ["recipes show Soup", "recipes ingredients list Soup"]
            var told: [Lines] = []
            for command in commands {
                told.append(try Lines("\(daybook.folder)/\(command.filter { $0 != " " })"))
                _ = try await start("\(command) --fields position,text --watch", told[told.count - 1], daybook)
            }
            for lines in told {
                #expect(try await lines.next().first?.contains(#"[{"position":1,"text":"leek"}]"#) == true)
            }
            _ = try await client.send(Delete<Recipe>(id: recipe.id))
            for lines in told { #expect(try await lines.next().first?.contains(#""delete":[[0,0]]"#) == true) }
        }
    }

    @Test func walksAreInSectionsOfTheirDogs() async throws {
        try await withDaybook(.walks) { daybook in
            for dog in ["Rex", "Ada", "Rex"] { _ = try await daybook.shell("daybook walks add \(dog)") }
            let lines = try Lines("\(daybook.folder)/lines")
            // The form of a pipe has no fields that a terminal would not have.
            _ = try await start("walks list --watch", lines, daybook)
            let snapshot = try #require(try await lines.next().first)
            let keys = snapshot.split(separator: #""key":"#).dropFirst().map { $0.prefix(5) }
            #expect(keys == [#""Ada""#, #""Rex""#])
            let mine = try Lines("\(daybook.folder)/mine")
            _ = try await start("walks list --dog Ada --fields number --watch", mine, daybook)
            #expect(
                try await mine.next() == [#"{"snapshot":{"sections":[{"key":null,"rows":[{"number":2}]}]},"number":0}"#]
            )
            _ = try await daybook.shell("daybook walks add Ada")
            #expect(try await mine.next().first?.contains(#""insert":[{"to":[0,1],"row":{"number":4}}]"#) == true)
        }
    }

    /// What was stored before the command is in what it shows first.
    @Test func reportsAreWatchedFromWhatIsStored() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            let ada = try await client.send(Put(Customer(name: "Ada"))).value
            for number in 0..<20 {
                _ = try await client.send(Put(try Order.of(ada, 100, made: true)))
                let lines = try Lines("\(daybook.folder)/totals\(number)")
                _ = try await start("report totals --by customer --fields label,orders --watch", lines, daybook)
                let row = #"{"label":"Ada","orders":\#(number + 1)}"#
                #expect(try await lines.next().first?.contains("[\(row)]") == true)
            }
            try await daybook.kill(.orders)
            let output = try await daybook.shell("daybook report unpaid --watch --timeout 0.5")
            #expect(output.code == 3 && output.error.contains("--stale"))
        }
    }

    /// Of those with the largest sums, in a pipe: what comes among them pushes another out, and what does not makes no line.
    @Test func theLargestAreALiveListOfTheirOwn() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            var customers: [String: Customer] = [:]
            for name in ["Ada", "Bob", "Cid"] {
                customers[name] = try await client.send(Put(Customer(name: name))).value
            }
            _ = try await client.send(Put(try Order.of(customers["Ada"], 300)))
            _ = try await client.send(Put(try Order.of(customers["Bob"], 200)))
            let lines = try Lines("\(daybook.folder)/lines")
            _ = try await start("report top --limit 2 --fields label,total --watch", lines, daybook)
            func row(_ name: String, _ total: String) -> String {
                #"{"label":"\#(name)","total":{"amount":"\#(total)","currency":"EUR"}}"#
            }
            #expect(
                try await lines.next() == [
                    #"{"snapshot":{"sections":[{"key":null,"rows":[\#(row("Ada", "3.00")),\#(row("Bob", "2.00"))]}]},"number":0}"#
                ]
            )
            _ = try await client.send(Put(try Order.of(customers["Cid"], 100)))
            _ = try await client.send(Put(try Order.of(customers["Cid"], 900)))
            #expect(
                try await lines.next() == [
                    #"{"batch":{"sections":{"delete":[],"insert":[]},"delete":[[0,1]],"insert":[{"to":[0,0],"row":"#
                        + #"\#(row("Cid", "10.00"))}],"move":[],"update":[]},"base":0,"number":1}"#
                ]
            )
            _ = try await client.send(Put(try Order.of(customers["Ada"], 701)))
            let batch = try #require(try await lines.next().first)
            #expect(batch.contains(#""move":[{"from":[0,1],"to":[0,0],"row":\#(row("Ada", "10.01"))}]"#), "\(batch)")
        }
    }

    /// A change of an order before the others moves all balances behind it.
    @Test func aStatementsBalancesAreToldAsTheyChange() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            let ada = try await client.send(Put(Customer(name: "Ada"))).value
            var first = try await client.send(Put(try Order.of(ada, 300, made: true))).value
            _ = try await client.send(Put(try Order.of(ada, 200, made: true)))
            let lines = try Lines("\(daybook.folder)/lines")
            _ = try await start("report statement Ada --fields label,balance --watch", lines, daybook)
            func row(_ label: String, _ balance: String) -> String {
                #"{"label":"\#(label)","balance":{"amount":"\#(balance)","currency":"EUR"}}"#
            }
            #expect(
                try await lines.next() == [
                    #"{"snapshot":{"sections":[{"key":null,"rows":[\#(row("1", "3.00")),\#(row("2", "5.00"))]}]},"number":0}"#
                ]
            )
            first.payments = [Payment(date: try CalendarDay(year: 2024, month: 4, day: 1), amount: 100)]
            first.rows.append(OrderRow(sum: 50))
            _ = try await client.send(Put(first))
            #expect(
                try await lines.next() == [
                    #"{"batch":{"sections":{"delete":[],"insert":[]},"delete":[],"insert":[{"to":[0,2],"row":\#(row("1", "4.50"))}],"#
                        + #""move":[],"update":[{"from":[0,0],"to":[0,0],"row":\#(row("1", "3.50"))},"#
                        + #"{"from":[0,1],"to":[0,1],"row":\#(row("2", "5.50"))}]},"base":0,"number":1}"#
                ]
            )
        }
    }

    private static let hasTmux = access("/usr/bin/tmux", X_OK) == 0

    /// A terminal in which a command watches.
    private struct Screen {
        let daybook: Daybook
        let tmux: String
        /// The command that prints what is watched.
        let command: String

        init(_ daybook: Daybook, _ command: String) async throws {
            self.daybook = daybook
            self.command = command
            // A server of its own: the one before may be about to end.
            tmux = "tmux -L \(daybook.id)-\(command.filter(\.isLetter)) -f /dev/null"
            let shell = "env PS1='$ ' /bin/sh"
            // What is typed before the prompt stands in front of it.
            _ = try await daybook.shell(
                """
                \(tmux) new-session -d -x 100 -y 20 "\(shell)"
                until \(tmux) capture-pane -p | grep -q '^[$]'; do sleep 0.01; done
                """
            )
            try await type("daybook \(command) --watch")
        }

        func type(_ keys: String) async throws {
            _ = try await daybook.shell("\(tmux) send-keys '\(keys)' Enter")
        }

        /// Waits until the screen, apart from prompts, is what the command prints at this width.
        func expectFreshTable(_ columns: Int, _ what: Comment) async throws {
            let script = """
                for i in $(seq 100); do
                    \(tmux) capture-pane -p | sed 's/ *$//' | grep -v '^[$]\\|^$' > \(daybook.folder)/screen
                    daybook \(command) | cut -c 1-\(columns) | expand | sed 's/ *$//' > \(daybook.folder)/fresh
                    cmp -s \(daybook.folder)/screen \(daybook.folder)/fresh && exit 0
                    sleep 0.05
                done
                diff \(daybook.folder)/fresh \(daybook.folder)/screen
                exit 1
                """
            let output = try await daybook.shell(script, variables: ["DAYBOOK_FORMAT": "table"])
            #expect(output.code == 0, "\(command), \(what): \(output.text)\(output.error)")
        }

        func resize(_ columns: Int, _ lines: Int) async throws {
            _ = try await daybook.shell("\(tmux) resize-window -x \(columns) -y \(lines)")
        }

        /// Ends the command by Ctrl-C, and the terminal after it; what it left is a fresh table, too.
        func end(_ columns: Int) async throws {
            _ = try await daybook.shell("\(tmux) send-keys C-c")
            try await expectFreshTable(columns, "after Ctrl-C")
            let end = try await daybook.shell(
                "\(tmux) display -p '#{cursor_flag} #{alternate_on}'; \(tmux) kill-server"
            )
            #expect(end.text == "1 0\n")
        }
    }

    /// What a terminal shows is what `list` prints: after a change, a resize, a restart of the service, and Ctrl-C.
    @Test(.enabled(if: hasTmux, "there is no tmux")) func theScreenEqualsAFreshTable() async throws {
        try await withDaybook(.catalog) { daybook in
            let client = daybook.client
            for number in 1...5 { _ = try await client.send(Put(Customer(name: "Customer \(number)"))) }
            let screen = try await Screen(daybook, "customers list")
            try await screen.expectFreshTable(100, "at first")
            var customer = try await client.send(Put(Customer(name: "Åsa"))).value
            try await screen.expectFreshTable(100, "after an insert")
            customer.name = "Customer 0"
            customer.email = "asa@example.org"
            _ = try await client.send(Put(customer))
            try await screen.expectFreshTable(100, "after a move")
            try await screen.resize(90, 14)
            try await screen.expectFreshTable(90, "after a resize")
            try await daybook.kill(.catalog)
            try await daybook.start(.catalog)
            _ = try await client.send(Put(Customer(name: "Restarted")))
            try await screen.expectFreshTable(90, "after a restart")
            _ = try await client.send(Delete<Customer>(id: customer.id, force: true))
            try await screen.expectFreshTable(90, "after a delete")
            try await screen.end(90)
        }
    }

    /// The same for one record, for parts, for reports, and for rows under headings.
    @Test(
        .enabled(if: hasTmux, "there is no tmux"),
        arguments: [
            "orders show 1", "orders rows list 1", "report totals --by customer", "report unpaid",
            "report unpaid --ageing",
            "report top --by service --limit 2", "report statement Ada", "report statement Ada --from 2024-04-01",
        ]
    ) func theScreenEqualsWhatTheCommandPrints(_ command: String) async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            var bath = try await client.send(Put(SoldService(name: "Bath"))).value
            let clip = try await client.send(Put(SoldService(name: "Clip"))).value
            let ada = try await client.send(Put(Customer(name: "Ada"))).value
            var order = try Order.of(ada, 1250, service: bath, made: true)
            order.rows.append(OrderRow(service: clip.id, sum: 300))
            order = try await client.send(Put(order)).value
            let screen = try await Screen(daybook, command)
            try await screen.expectFreshTable(100, "at first")
            bath.name = "Wash"
            _ = try await client.send(Put(bath))
            order.rows.append(OrderRow(sum: 700))
            order = try await client.send(Put(order)).value
            _ = try await client.send(Put(try Order.of(nil, 100, service: bath, made: true)))
            try await screen.expectFreshTable(100, "after changes")
            try await screen.resize(90, 14)
            try await screen.expectFreshTable(90, "after a resize")
            for service in [ServiceName.orders, .reporting] {
                try await daybook.kill(service)
                try await daybook.start(service)
            }
            order.rows.removeFirst()
            _ = try await client.send(Put(order))
            try await screen.expectFreshTable(90, "after a restart")
            try await screen.end(90)
        }
    }

    /// With the total, in which a walk with two dogs is one.
    @Test(
        .enabled(if: hasTmux, "there is no tmux"),
        arguments: ["report walks --by dog", "report walks --by week --dog Rex"]
    ) func theScreenEqualsTheReportOfWalks(_ command: String) async throws {
        try await withDaybook(.catalog, .walks, .reporting) { daybook in
            _ = try await daybook.shell("daybook walks add Rex Ada --at '2024-03-31 08:00' --for 45min")
            let screen = try await Screen(daybook, command)
            try await screen.expectFreshTable(100, "at first")
            _ = try await daybook.shell(
                """
                daybook walks add Rex --at '2024-04-01 08:00' --for 2h
                daybook walks start Zoe --at '2024-04-02 08:00'
                daybook dogs edit Ada --name Bob
                """
            )
            try await screen.expectFreshTable(100, "after changes")
            try await daybook.kill(.reporting)
            try await daybook.start(.reporting)
            _ = try await daybook.shell("daybook walks stop Zoe --at '2024-04-02 08:20'; daybook dogs delete Bob --yes")
            try await screen.expectFreshTable(100, "after a restart")
            try await screen.end(100)
        }
    }

    @Test(.enabled(if: hasTmux, "there is no tmux")) func walksStandUnderTheirDogsAndADogAlone() async throws {
        try await withDaybook(.walks) { daybook in
            for (dog, hour) in [("Rex", 8), ("Ada", 9), ("Rex", 10)] {
                _ = try await daybook.shell("daybook walks add \(dog) --at 'yesterday \(hour):00'")
            }
            for command in ["walks list --fields dogs,number", "walks list --dog Rex --fields number", "dogs show Ada"]
            {
                let screen = try await Screen(daybook, command)
                try await screen.expectFreshTable(100, "at first")
                _ = try await daybook.shell("daybook walks add Rex --at 'yesterday 11:00'")
                try await screen.expectFreshTable(100, "after a walk")
                try await screen.resize(80, 30)
                try await screen.expectFreshTable(80, "after a resize")
                try await screen.end(80)
            }
        }
    }
}
