import Glibc
import Messages
import Support

/// The programs as people run them: the command, from its start to its end, and services that have nothing to do.
enum Programs {
    static var benchmark: Benchmark {
        Benchmark(
            name: "programs",
            title: "whole processes, from start to end; an idle service",
            rounds: 9,
            prepare: { scratch in
                let bench = try await Bench(scratch)
                return [Case(name: "Daybook", measure: bench.measure)]
            }
        )
    }

    private final class Bench {
        private let folder: String
        private let service: pid_t
        private let variables: [String]
        private var ups = 0

        init(_ scratch: Scratch) async throws {
            folder = scratch.folder
            let (process, endpoints) = try await scratch.start(.catalog, in: "books")
            service = process
            variables = ["DAYBOOK_HOME=\(folder)/books", "DAYBOOK_RUNTIME=\(folder)/books/run"]
            let catalog = try Asking(endpoints)
            for number in 0..<50 { _ = try catalog.ask(Put(Customer(name: "Customer \(number)"))) }
        }

        func measure() throws -> [Figure] {
            let help = try timed { try run(["--help"], variables) }
            let list = try timed { try run(["customers", "list"], variables) }
            ups += 1
            let home = ["DAYBOOK_HOME=\(folder)/up\(ups)", "DAYBOOK_RUNTIME=\(folder)/up\(ups)/run"]
            let up = try timed { try run(["up"], home) }
            try run(["down"], home)
            let before = try Processor.all(service)
            let time = timed { usleep(1_000_000) }
            let used = Double(try Processor.all(service) - before) / Double(time)
            return [
                Figure("daybook --help", Double(help) / 1e6, "ms"),
                Figure("daybook customers list", Double(list) / 1e6, "ms"),
                Figure("daybook up, until ready", Double(up) / 1e6, "ms"),
                Figure("an idle service, resident", try memory("Rss:"), "MiB"),
                Figure("an idle service, of its own", try memory("Private_Dirty:"), "MiB"),
                Figure("an idle service, processor", used * 100, "%"),
            ]
        }

        private func run(_ arguments: [String], _ variables: [String]) throws {
            let program = "\(Environment.programs)/daybook"
            var process = pid_t()
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
            defer { posix_spawn_file_actions_destroy(&actions) }
            let words = ([program] + arguments).map { strdup($0) } + [nil]
            let environment = (["PATH=/usr/bin:/bin", "LANG=C.UTF-8"] + variables).map { strdup($0) } + [nil]
            defer { for word in words + environment { free(word) } }
            guard posix_spawn(&process, program, &actions, nil, words, environment) == 0 else {
                throw HarnessError("can't start \(program)")
            }
            var status: Int32 = 0
            guard waitpid(process, &status, 0) == process, status == 0 else {
                throw HarnessError("daybook \(arguments.joined(separator: " ")) ended with \(status)")
            }
        }

        private func memory(_ field: String) throws -> Double {
            let text = File.text("/proc/\(service)/smaps_rollup")
            let line = text.split(separator: "\n").first { $0.hasPrefix(field) }
            guard let kilobytes = line?.split(separator: " ").compactMap({ Double($0) }).first else {
                throw HarnessError("no \(field) of process \(service)")
            }
            return kilobytes / 1024
        }
    }
}
