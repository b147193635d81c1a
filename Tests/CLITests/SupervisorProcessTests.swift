import Messages
import Testing

@testable import CLI

/// `up`, `down` and `logs` with shell scripts in the services' place.
@Suite(.timeLimit(.minutes(5)))
struct SupervisorProcessTests {
    /// A stand-in says that it is ready, writes its number, and waits for SIGTERM; `lines` come before that.
    private static func service(_ lines: String = "") -> String {
        """
        #!/bin/sh
        name=${0##*daybook-}
        \(lines)
        trap 'echo "$name stops"; exit 0' TERM
        echo $$ > "$folder/new.$name" && mv "$folder/new.$name" "$folder/$name.pid"
        echo "$name starts"
        echo ready >&$DAYBOOK_READY_FD
        while :; do sleep 1 & wait $!; done
        """
    }

    private static func shell(_ special: [ServiceName: String] = [:]) async throws -> Shell {
        let shell = try Shell()
        var script = "mkdir \"$folder/services\"\n"
        for name in ServiceName.all {
            let path = "\"$folder/services/daybook-\(name)\""
            script += "cat > \(path) <<'END'\n\(service(special[name] ?? ""))\nEND\nchmod +x \(path)\n"
        }
        _ = try await shell.run(script)
        return shell
    }

    @Test func startsAndStopsInTheBackground() async throws {
        let shell = try await Self.shell()
        let up = try await shell.run(#""$daybook" up"#)
        #expect(up.status == 0)
        #expect(up.errors == "")
        let lines = up.output.split(separator: "\n")
        #expect(lines.first == "daybook is up: catalog, orders, reporting, walks")
        #expect(lines.dropFirst().map { $0.hasPrefix("  \(Shell.daybook) ") } == [true, true, true])

        let logs = try await shell.run(#""$daybook" logs orders; stat -c %a "$folder/.local/share/daybook""#)
        #expect(logs.output == "orders starts\n700\n")

        let down = try await shell.run(#""$daybook" down && ! kill -0 $(cat "$folder"/*.pid) 2>/dev/null"#)
        #expect(down.status == 0)
        #expect(down.output == "daybook is down\n")
        let again = try await shell.run(#""$daybook" down; "$daybook" logs --lines 1"#)
        #expect(again.output.hasPrefix("daybook is not running\n"))
        #expect(again.output.contains("walks | walks stops\n"))
        #expect(again.output.contains("All services have ended."))
        await shell.remove()
    }

    @Test func saysWhenItIsUpAlreadyAndWhoDoesNotAnswer() async throws {
        let shell = try await Self.shell()
        let outcome = try await shell.run(#""$daybook" up >/dev/null; "$daybook" up"#)
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("already up, but does not answer: catalog, orders, reporting, walks"))
        #expect(try await shell.run(#""$daybook" up --foreground"#).errors.contains("Daybook is already up"))
        await shell.remove()
    }

    @Test func stopsEverythingWhenAServiceFails() async throws {
        let shell = try await Self.shell([.orders: "echo 'failed: The store is newer.' >&$DAYBOOK_READY_FD; exit 1"])
        let outcome = try await shell.run(#""$daybook" up"#)
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors == "Error: Daybook could not start: orders: The store is newer.\n")
        let after = try await shell.run(
            #""$daybook" down; for f in "$folder"/*.pid; do kill -0 $(cat "$f") && echo alive; done"#
        )
        #expect(after.output == "daybook is not running\n")
        await shell.remove()
    }

    @Test func saysWhichOneDiedAtItsStart() async throws {
        let shell = try await Self.shell([.walks: "exit 7"])
        let outcome = try await shell.run(#""$daybook" up"#)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("walks ended with status 7 before it was ready."))
        await shell.remove()
    }

    @Test func namesAProgramThatIsMissing() async throws {
        let shell = try Shell()
        let outcome = try await shell.run(#""$daybook" up"#)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("/services/daybook-catalog is missing"))
        await shell.remove()
    }

    @Test func startsAServiceThatDiedAgain() async throws {
        let shell = try await Self.shell()
        let outcome = try await shell.run(
            """
            "$daybook" up >/dev/null; old=$(cat "$folder/orders.pid"); kill -9 $old
            until new=$(cat "$folder/orders.pid") && [ "$new" != "$old" ]; do :; done
            until "$daybook" logs supervisor | grep 'ready again'; do :; done
            "$daybook" logs supervisor; "$daybook" down
            """
        )
        #expect(outcome.output.contains("orders was ended by signal 9 (Killed)."))
        #expect(outcome.output.contains("orders is started again in 0.2 s."))
        #expect(outcome.output.hasSuffix("daybook is down\n"))
        await shell.remove()
    }

    @Test(arguments: ["TERM", "INT", "HUP"]) func stopsInTheForegroundOnASignal(signal: String) async throws {
        let shell = try await Self.shell()
        let outcome = try await shell.run(
            """
            "$daybook" up --foreground > "$folder/out" 2> "$folder/err" & process=$!
            until grep -q 'daybook is up' "$folder/out"; do :; done
            kill -\(signal) $process; wait $process; echo "status $?"
            grep '|' "$folder/err"; cat "$folder/.local/share/daybook/logs/catalog.log"
            """
        )
        #expect(outcome.output.hasPrefix("status 0\n"))
        #expect(outcome.output.contains("catalog   | catalog starts\n"))
        #expect(outcome.output.contains("catalog   | catalog stops\n"))
        #expect(outcome.output.hasSuffix("\ncatalog starts\ncatalog stops\n"))
        await shell.remove()
    }

    @Test func givesServicesNothingButWhatTheyNeed() async throws {
        let shell = try await Self.shell([.catalog: #"ls /proc/$$/fd > "$folder/fds""#])
        let outcome = try await shell.run(
            #""$daybook" up >/dev/null; echo $(cat "$folder/fds"); grep SigBlk /proc/$(cat "$folder/walks.pid")/status"#
        )
        // 10 and 11 are dash's own: the script, and its standard output while 'ls' has another.
        #expect(outcome.output == "0 1 10 11 2 3\nSigBlk:\t0000000000000000\n")
        await shell.remove()
    }

    @Test func keepsTheDemonstrationInItsOwnHome() async throws {
        let shell = try await Self.shell()
        // The stand-ins answer nothing, so that the sample can't be stored.
        let outcome = try await shell.run(
            #""$daybook" --demo up; "$daybook" down; "$daybook" down --demo; ls "$folder/.local/share""#
        )
        #expect(outcome.output == "daybook is not running\ndaybook is down\ndaybook-demo\n")
        await shell.remove()
    }

    @Test func putsALongLogAside() async throws {
        let shell = try await Self.shell()
        let outcome = try await shell.run(
            """
            mkdir -p "$folder/.local/share/daybook/logs"; cd "$folder/.local/share/daybook/logs"
            truncate -s 10485761 walks.log; "$daybook" up >/dev/null; stat -c %s walks.log.1; cat walks.log
            """
        )
        #expect(outcome.output == "10485761\nwalks starts\n")
        await shell.remove()
    }
}
