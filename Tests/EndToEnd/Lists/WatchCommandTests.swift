import Client
import Glibc
import LiveList
import Messages
import Support
import Testing

/// `--watch` with the real services: JSON lines in a pipe, a table on a terminal.
@Suite(.serialized, .timeLimit(.minutes(2)))
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

    private static let hasTmux = access("/usr/bin/tmux", X_OK) == 0

    /// What a terminal shows is what `list` prints: after a change, a resize, a restart of the service, and Ctrl-C.
    @Test(.enabled(if: hasTmux, "there is no tmux")) func theScreenEqualsAFreshTable() async throws {
        try await withDaybook(.catalog) { daybook in
            let tmux = "tmux -L \(daybook.id) -f /dev/null"
            let client = daybook.client
            for number in 1...5 { _ = try await client.send(Put(Customer(name: "Customer \(number)"))) }

            /// Waits until the screen, apart from prompts, is what `list` prints at this width.
            func expectFreshTable(_ columns: Int, _ what: Comment) async throws {
                let script = """
                    for i in $(seq 100); do
                        \(tmux) capture-pane -p | sed 's/ *$//' | grep -v '^[$]\\|^$' > \(daybook.folder)/screen
                        daybook customers list | cut -c 1-\(columns) | sed 's/ *$//' > \(daybook.folder)/fresh
                        cmp -s \(daybook.folder)/screen \(daybook.folder)/fresh && exit 0
                        sleep 0.05
                    done
                    diff \(daybook.folder)/fresh \(daybook.folder)/screen
                    exit 1
                    """
                let output = try await daybook.shell(script, variables: ["DAYBOOK_FORMAT": "table"])
                #expect(output.code == 0, "\(what): \(output.text)\(output.error)")
            }

            let shell = "env PS1='$ ' /bin/sh"
            _ = try await daybook.shell("\(tmux) new-session -d -x 100 -y 20 \"\(shell)\"")
            // What is typed before the prompt is echoed without it, and stays on the screen.
            _ = try await daybook.shell("until \(tmux) capture-pane -p | grep -q '^[$]'; do sleep 0.05; done")
            _ = try await daybook.shell("\(tmux) send-keys 'daybook customers list --watch' Enter")
            try await expectFreshTable(100, "at first")
            var customer = try await client.send(Put(Customer(name: "Åsa"))).value
            try await expectFreshTable(100, "after an insert")
            customer.name = "Customer 0"
            customer.email = "asa@example.org"
            _ = try await client.send(Put(customer))
            try await expectFreshTable(100, "after a move")
            _ = try await daybook.shell("\(tmux) resize-window -x 90 -y 14")
            try await expectFreshTable(90, "after a resize")
            try await daybook.kill(.catalog)
            try await daybook.start(.catalog)
            _ = try await client.send(Put(Customer(name: "Restarted")))
            try await expectFreshTable(90, "after a restart")
            _ = try await client.send(Delete<Customer>(id: customer.id, force: true))
            try await expectFreshTable(90, "after a delete")
            _ = try await daybook.shell("\(tmux) send-keys C-c")
            try await expectFreshTable(90, "after Ctrl-C")
            let end = try await daybook.shell(
                "\(tmux) display -p '#{cursor_flag} #{alternate_on}'; \(tmux) kill-server"
            )
            #expect(end.text == "1 0\n")
        }
    }
}
