import Client
import JSON
import Messages
import Support
import Synchronization
import Testing

@testable import CLI

// The command has types of these names, too.
private typealias ChildProcess = Support.ChildProcess
private typealias Daybook = Support.Daybook
private typealias File = Support.File

/// The last release's checkout, built.
private let oldCheckout = Support.Environment["DAYBOOK_RELEASE"]

/// Programs of the last release and of this one work together, in every mixture that an upgrade passes through.
@Suite(
    .serialized,
    .timeLimit(.minutes(30)),
    .enabled(if: oldCheckout != nil, "Tests/Releases/run-mixed runs them with the last release's programs")
)
struct MixedVersionsTests {
    struct Mix: Sendable, CustomTestStringConvertible {
        /// The services of the last release; the others are this one's.
        var oldServices: Set<ServiceName>
        var hasOldCommand: Bool

        var testDescription: String {
            let services =
                oldServices.isEmpty ? "no service" : oldServices.sorted().map(\.rawValue).joined(separator: ", ")
            return "old: \(services)\(hasOldCommand ? ", the command" : "")"
        }
    }

    private static let all = Set(ServiceName.all)
    static let mixes: [Mix] =
        [Mix(oldServices: [], hasOldCommand: true), Mix(oldServices: all, hasOldCommand: false)]
        + [false, true].flatMap { hasOldCommand in
            ServiceName.all.flatMap { service in
                [
                    Mix(oldServices: [service], hasOldCommand: hasOldCommand),
                    Mix(oldServices: all.subtracting([service]), hasOldCommand: hasOldCommand),
                ]
            }
        }

    private static func programs(isOld: Bool) throws -> String {
        guard isOld else { return Support.Environment.programs }
        return "\(try #require(oldCheckout))/.build/debug"
    }

    private static func path(isOld: Bool) throws -> [String: String] {
        ["PATH": "\(try programs(isOld: isOld)):/usr/bin:/bin"]
    }

    private static func release() throws -> KeptRelease { try #require(KeptRelease.all.last) }

    @Test(arguments: mixes)
    func doTheDaysWork(_ mix: Mix) async throws {
        let (old, release) = (try #require(oldCheckout), try Self.release())
        try await withDaybook { daybook in
            for service in ServiceName.all {
                let programs = try Self.programs(isOld: mix.oldServices.contains(service))
                try await daybook.start([service], programs: programs)
            }
            let path = try Self.path(isOld: mix.hasOldCommand)
            let versions = try await daybook.shell(
                "daybook status --fields service,version --format csv",
                variables: path
            )
            let expectedVersions = ServiceName.all.map {
                "\($0),\(mix.oldServices.contains($0) ? release.version : Release.version)"
            }
            #expect(Array(versions.lines.dropFirst()) == expectedVersions)

            let customers = try await Self.watch("customers", path, daybook)
            let dogs = try await Self.watch("dogs", path, daybook)
            let day = try await daybook.shell("'\(old)/Tests/Releases/day'", variables: path, limit: .seconds(300))
            try #require(day.code == 0, "\(day.error)")
            // What services do of themselves, as where a customer goes whom orders name, may take a moment.
            let expected = try Answers(File.text(release.answersFile)).withoutChance()
            let ask = "'\(old)/Tests/Releases/ask' < '\(release.answersFile)'"
            let deadline = ContinuousClock.now + .seconds(60)
            var differences: [String] = []
            repeat {
                let asked = try await daybook.shell(ask, variables: path, limit: .seconds(300))
                try #require(asked.code == 0, "\(asked.error)")
                differences = try Answers(asked.text).withoutChance().differences(from: expected)
            } while !differences.isEmpty && ContinuousClock.now < deadline
            #expect(differences == [])
            try await Self.expectShown(customers, "customers", path, daybook)
            try await Self.expectShown(dogs, "dogs", path, daybook)
            let verified = try await daybook.shell("daybook verify", variables: path)
            #expect(verified.code == 0, "\(verified.text)\(verified.error)")
        }
    }

    /// The stores of the last release, served by it, then by this one's services, one after the other, while everybody goes on.
    @Test func servicesAreReplacedUnderLoad() async throws {
        let release = try Self.release()
        try await withDaybook { daybook in
            try await release.unpack(into: daybook.home)
            try await daybook.start(ServiceName.all, programs: try Self.programs(isOld: true))
            let (oldPath, newPath) = (try Self.path(isOld: true), try Self.path(isOld: false))
            let watched = [
                try await Self.watch("customers", oldPath, daybook),
                try await Self.watch("customers", newPath, daybook),
            ]
            let sources: [ServiceName] = [.catalog, .orders, .walks]
            var heads: [ServiceName: EventPosition] = [:]
            for source in sources { heads[source] = try await daybook.client.head(of: source) }
            let starts = heads
            let places = starts.map { "\($0.key):\($0.value.sequence)" }.joined(separator: ",")
            let followed = try Lines("\(daybook.folder)/events")
            let command = "exec daybook events --follow --from \(places) --format jsonl > \(followed.path)"
            _ = try await daybook.start(program: "/bin/sh", ["-c", command], oldPath)

            let progress = Progress()
            let client = try daybook.client(timeout: .seconds(60))
            async let writing: Void = {
                while !progress.isDone.load(ordering: .relaxed) {
                    let number = progress.written.load(ordering: .relaxed)
                    let customer = try await client.send(Put(Customer(name: "Customer \(number)"))).value
                    _ = try await client.send(Put(Order.of(customer, 100, made: true)))
                    _ = try await client.send(Put(Dog(name: "Dog \(number)", owner: customer.id)))
                    progress.written.add(1, ordering: .relaxed)
                }
            }()
            func more() async throws {
                let count = progress.written.load(ordering: .relaxed)
                while progress.written.load(ordering: .relaxed) < count + 5 {
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            for service in ServiceName.all {
                try await more()
                try await daybook.stop(service)
                try await daybook.start([service], programs: try Self.programs(isOld: false))
            }
            try await more()
            progress.isDone.store(true, ordering: .relaxed)
            try await writing

            // A subscriber of this release that had its place before the upgrade, and one of the last that stayed.
            for source in sources { heads[source] = try await client.head(of: source) }
            for source in sources {
                let (start, head) = (try #require(starts[source]), try #require(heads[source]))
                #expect(head.sequence >= start.sequence + Int64(progress.written.load(ordering: .relaxed)))
                var last = start.sequence
                for try await update in client.events(from: start, of: source, follow: false) {
                    guard case .transaction(let transaction) = update else {
                        Issue.record("\(source) told a resync: \(update)")
                        continue
                    }
                    for event in transaction.events {
                        #expect(event.sequence == last + 1)
                        last = event.sequence
                    }
                }
                #expect(last == head.sequence)
            }
            try await Self.expectContiguous(followed, from: starts, to: heads)
            for lines in watched { try await Self.expectShown(lines, "customers", newPath, daybook) }
            let verified = try await daybook.run("verify")
            #expect(verified.code == 0, "\(verified.text)\(verified.error)")
            let unpaid = try await daybook.shell(
                "daybook report unpaid --format jsonl --fields customer | grep -c 'Customer '"
            )
            #expect(unpaid.text == "\(progress.written.load(ordering: .relaxed))\n")
        }
    }

    // MARK: Watching

    /// Starts a command that keeps a list of names on its output.
    private static func watch(_ noun: String, _ path: [String: String], _ daybook: Daybook) async throws -> Lines {
        let lines = try Lines("\(daybook.folder)/\(noun)-\(Identifier.make())")
        let command = "exec daybook \(noun) list --fields name --format jsonl --watch > \(lines.path)"
        _ = try await daybook.start(program: "/bin/sh", ["-c", command], path)
        return lines
    }

    /// Waits until the printed lines show what the list is now.
    private static func expectShown(
        _ lines: Lines,
        _ noun: String,
        _ path: [String: String],
        _ daybook: Daybook
    ) async throws {
        let list = try await daybook.shell("daybook \(noun) list --fields name --format jsonl", variables: path)
        try #require(list.code == 0 && list.lines.count > 2, "\(list.error)")
        var (mirror, names) = (PrintedMirror(), [String]())
        repeat {
            for line in try await lines.next() { try mirror.take(line) }
            names = mirror.names.map { #"{"name":\#(JSONString.quoted($0))}"# }
        } while names != list.lines
        #expect(mirror.batches > 0)
    }

    /// What the writer of the rolling upgrade has done, and whether it is to end.
    private final class Progress: Sendable {
        let written = Atomic(0)
        let isDone = Atomic(false)
    }

    /// Waits until the printed events reach the heads; each comes once, and none is missing.
    private static func expectContiguous(
        _ lines: Lines,
        from starts: [ServiceName: EventPosition],
        to heads: [ServiceName: EventPosition]
    ) async throws {
        var reached = starts.mapValues(\.sequence)
        while reached != heads.mapValues(\.sequence) {
            for line in try await lines.next() {
                let position = try #require(line.firstMatch(of: /"position":"([a-z]+):([0-9]+)"/), "\(line)")
                let service = ServiceName(rawValue: String(position.output.1))
                let sequence = try #require(Int64(position.output.2))
                let last = try #require(reached[service])
                #expect(sequence == last + 1, "\(line)")
                reached[service] = sequence
            }
        }
    }
}
