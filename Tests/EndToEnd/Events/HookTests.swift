import Client
import Glibc
import Messages
import Support
import Testing

/// `daybook hook`: other people's programs at our events.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HookTests {
    /// A program that tells its event and attempt to the lines, and ends with what is in the file `code`.
    private static func program(_ daybook: Daybook, _ lines: Lines) throws -> String {
        let path = "\(daybook.folder)/program"
        let script = """
            #!/bin/sh
            cat > "\(daybook.folder)/$DAYBOOK_EVENT_ID.json"
            echo "$DAYBOOK_EVENT_ID $DAYBOOK_ATTEMPT $*" > \(lines.path)
            exit $(cat \(daybook.folder)/code 2>/dev/null || echo 0)

            """
        try File.write(Array(script.utf8), to: path)
        chmod(path, 0o700)
        return path
    }

    /// Starts a runner and waits until it follows.
    private static func runner(_ daybook: Daybook, _ said: Lines, _ words: String) async throws -> ChildProcess {
        let child = try await daybook.start(
            program: "/bin/sh",
            ["-c", "exec daybook hook \(words) 2> \(said.path)"]
        )
        let lines = try await said.next { $0.contains(": behind ") || $0.hasPrefix("Error") }
        #expect(lines.last?.contains(": behind ") == true, "\(lines)")
        return child
    }

    @Test func runsTheProgramWithoutAShellForWhatComesFromNowOn() async throws {
        try await withDaybook(.catalog) { daybook in
            let (lines, said) = (try Lines("\(daybook.folder)/lines"), try Lines("\(daybook.folder)/said"))
            let program = try Self.program(daybook, lines)
            _ = try await daybook.client.send(Put(Customer(name: "before")))
            let runner = try await Self.runner(daybook, said, "h --source catalog -- \(program) '$HOME  *' 'b;c'")
            let ada = try await daybook.client.send(Put(Customer(name: "Ada")))
            let epoch = try #require(ada.positions["catalog"]?.epoch)
            #expect(try await lines.next() == ["\(epoch):2 1 $HOME  * b;c"])
            let json = File.text("\(daybook.folder)/\(epoch):2.json")
            #expect(json.contains(#""type":"customer.created""#) && json.contains(ada.value.id.description))
            #expect(json.hasSuffix(#""before":null}}"# + "\n"))
            // The first signal lets the program end.
            runner.signal(SIGTERM)
            #expect(await runner.ended() == .exited(0))
            _ = try await daybook.client.send(Put(Customer(name: "Bob")))
            let again = try await Self.runner(daybook, said, "h --source catalog -- \(program)")
            #expect(try await lines.next() == ["\(epoch):3 1 "])
            again.signal(SIGTERM)
            #expect(await again.ended() == .exited(0))
        }
    }

    @Test func oneRunsANameAndTheListShowsItsLag() async throws {
        try await withDaybook(.catalog) { daybook in
            let (lines, said) = (try Lines("\(daybook.folder)/lines"), try Lines("\(daybook.folder)/said"))
            let program = try Self.program(daybook, lines)
            for name in ["Ada", "Bob", "Cid"] { _ = try await daybook.client.send(Put(Customer(name: name))) }
            try File.write(Array("1".utf8), to: "\(daybook.folder)/code")
            let runner = try await Self.runner(
                daybook,
                said,
                "h --source catalog --type customer --from catalog:1 --pause 1000 -- \(program)"
            )
            _ = try await lines.next()
            let second = try await daybook.run("hook", "h", "--source", "catalog", "--", "true")
            #expect(second.code == 1)
            #expect(second.error == "Error: The hook 'h' runs already as process \(runner.process).\n")
            let list = try await daybook.run("hook", "list", "--format", "csv", "--fields", "name,position,lag,process")
            #expect(list.lines == ["name,position,lag,process", "h,catalog:1,2,\(runner.process)"])
            #expect(try await daybook.run("hook", "list", "--", "true").code == 2)
            #expect(try await daybook.run("hook", "../h", "--", "true").code == 2)
            #expect(try await daybook.run("hook", "h2").code == 2)
            runner.signal(SIGTERM)
            #expect(await runner.ended() == .exited(0))
        }
    }

    @Test func givesAnEventUpAfterSomeAttemptsAndRetriesItWhenAsked() async throws {
        try await withDaybook(.catalog) { daybook in
            let (lines, said) = (try Lines("\(daybook.folder)/lines"), try Lines("\(daybook.folder)/said"))
            let program = try Self.program(daybook, lines)
            try File.write(Array("3".utf8), to: "\(daybook.folder)/code")
            let words = "h --source catalog --attempts 3 --pause 0.01 -- \(program)"
            let runner = try await Self.runner(daybook, said, words)
            let ada = try await daybook.client.send(Put(Customer(name: "Ada")))
            let id = "\(try #require(ada.positions["catalog"]?.epoch)):1"
            #expect(try await lines.next(3) == ["\(id) 1 ", "\(id) 2 ", "\(id) 3 "])
            _ = try await said.next { $0.contains("given up after 3") }
            let failed = try await daybook.run(
                "hook",
                "failed",
                "h",
                "--format",
                "csv",
                "--fields",
                "position,type,attempts,reason,event"
            )
            #expect(failed.lines.last == "catalog:1,customer.created,3,ended with status 3,\(id)")
            let still = try await daybook.run("hook", "retry", "h")
            #expect(still.code == 1)
            #expect(try await lines.next() == ["\(id) 4 "])
            try File.write(Array("0".utf8), to: "\(daybook.folder)/code")
            // Another event runs meanwhile.
            _ = try await daybook.client.send(Put(Customer(name: "Bob")))
            _ = try await lines.next()
            let retry = try await daybook.run("hook", "retry", "h", "catalog:1")
            #expect(retry.code == 0)
            #expect(retry.text == "customer.created at catalog:1: done\n")
            #expect(try await lines.next() == ["\(id) 5 "])
            #expect(try await daybook.run("hook", "failed", "h", "--quiet", "--format", "jsonl").text == "")
            runner.signal(SIGTERM)
            _ = await runner.ended()
        }
    }

    @Test func endsAProgramThatTakesTooLong() async throws {
        try await withDaybook(.catalog) { daybook in
            let said = try Lines("\(daybook.folder)/said")
            let runner = try await Self.runner(
                daybook,
                said,
                "h --source catalog --attempts 1 --timeout 0.2 -- sh -c 'sleep 100 & wait'"
            )
            _ = try await daybook.client.send(Put(Customer(name: "Ada")))
            let line = try await said.next { $0.contains("given up") }
            #expect(line.last?.contains("took longer than") == true)
            runner.signal(SIGTERM)
            #expect(await runner.ended() == .exited(0))
        }
    }

    @Test func tellsAProgramThatCantBeStarted() async throws {
        try await withDaybook(.catalog) { daybook in
            let said = try Lines("\(daybook.folder)/said")
            let runner = try await Self.runner(daybook, said, "h --source catalog --attempts 1 -- /no/such/program")
            _ = try await daybook.client.send(Put(Customer(name: "Ada")))
            let line = try await said.next { $0.contains("given up") }
            #expect(line.last?.contains("could not be started: No such file or directory") == true)
            runner.signal(SIGTERM)
            _ = await runner.ended()
        }
    }

    @Test func aResyncRunsTheProgram() async throws {
        try await withDaybook(.catalog) { daybook in
            let (lines, said) = (try Lines("\(daybook.folder)/lines"), try Lines("\(daybook.folder)/said"))
            let program = try Self.program(daybook, lines)
            let ada = try await daybook.client.send(Put(Customer(name: "Ada")))
            let epoch = try #require(ada.positions["catalog"]?.epoch)
            let runner = try await Self.runner(daybook, said, "h --source catalog --from catalog:7 -- \(program)")
            #expect(try await lines.next() == ["\(epoch):1:resync 1 "])
            let json = File.text("\(daybook.folder)/\(epoch):1:resync.json")
            #expect(json.contains(#""type":"daybook.resync""#) && json.contains(#""data":{"reason":"future"}"#))
            _ = try await daybook.client.send(Put(Customer(name: "Bob")))
            #expect(try await lines.next() == ["\(epoch):2 1 "])
            runner.signal(SIGTERM)
            _ = await runner.ended()
        }
    }

    /// A store that can't be read is no reason to begin with now.
    @Test func aBrokenStateIsNotGuessed() async throws {
        try await withDaybook(.catalog) { daybook in
            let said = try Lines("\(daybook.folder)/said")
            let runner = try await Self.runner(daybook, said, "h --source catalog -- true")
            runner.signal(SIGTERM)
            _ = await runner.ended()
            try File.write(Array("{\"command\":[\"tr".utf8), to: "\(daybook.home)/hooks/h/state.json")
            let again = try await daybook.run("hook", "h", "--source", "catalog", "--", "true")
            #expect(again.code == 1)
            #expect(again.error.contains("hooks/h/state.json: line 1: "))
        }
    }

    /// Killed again and again: every event comes at least once, and first runs are in order.
    @Test func missesNothingWhenItIsKilled() async throws {
        let kills = 100
        try await withDaybook(.catalog) { daybook in
            let (lines, said) = (try Lines("\(daybook.folder)/lines"), try Lines("\(daybook.folder)/said"))
            let program = try Self.program(daybook, lines)
            var random = SeededGenerator(seed: 7)
            var seen: [String] = []
            for round in 0..<kills {
                let runner = try await Self.runner(daybook, said, "h --source catalog --from start -- \(program)")
                for _ in 0..<2 { _ = try await daybook.client.send(Put(Customer(name: "\(round)"))) }
                seen += try await lines.next(Int.random(in: 1...2, using: &random))
                // Somewhere in a run, in storing, or between the two.
                try await Task.sleep(for: .microseconds(Int.random(in: 0...8000, using: &random)))
                runner.signal(SIGKILL)
                _ = await runner.ended()
            }
            let runner = try await Self.runner(daybook, said, "h --source catalog --from start -- \(program)")
            let last = try await daybook.client.send(Put(Customer(name: "last"))).positions["catalog"]
            let end = try #require(last)
            seen += try await lines.next { $0.hasPrefix("\(end.epoch):\(end.sequence) ") }
            runner.signal(SIGTERM)
            _ = await runner.ended()
            let ids = seen.map { String($0.prefix { $0 != " " }) }
            var first: Set<String> = []
            let firstRuns = ids.filter { first.insert($0).inserted }
            #expect(firstRuns == (1...Int64(2 * kills + 1)).map { "\(end.epoch):\($0)" })
            print("hook: \(ids.count) runs of \(firstRuns.count) events, \(kills) kills")
        }
    }
}
