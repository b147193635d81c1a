import ArgumentParser
import Messages

struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that the logs are whole and that the records are what the logs tell.",
        discussion: "Reads everything; the services go on meanwhile. The exit code is 1 if anything differs.",
        examples: ["daybook verify", "daybook verify orders --format json"]
    )

    @Argument(
        help: "Only these: catalog, orders, reporting, walks.",
        completion: .list(ServiceName.all.map(\.rawValue))
    )
    var services: [String] = []

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let names = try services.map { text throws(CLIError) in try ServiceName.named(text) }
        try await Invocation(global, output).verify(names.isEmpty ? ServiceName.all : names)
    }
}

extension Invocation {
    /// Checks the logs one after the other, and prints what was found.
    ///
    /// - Throws: ``CLIError``; ``CLIError/failure(_:)`` where anything differs, after all are printed.
    func verify(_ services: [ServiceName]) async throws(CLIError) {
        var writer = try presentation.rowWriter(Noun.verifiedLog)
        // Who is down is told before the long wait for the others.
        for service in services { _ = try await send(StatusRequest(), to: service) }
        let patient = waiting(.seconds(600))
        var rows: [VerifiedLog] = []
        for service in services {
            let row = VerifiedLog(service: service, found: try await patient.send(VerifyLog(), to: service))
            try writer.write(row)
            rows.append(row)
        }
        try writer.finish()
        let different = rows.filter { $0.found.differences > 0 }
        if presentation.format == .table {
            for line in different.flatMap(\.lines) { try output.line(line) }
        }
        guard different.isEmpty else {
            let names = different.map(\.service.rawValue).joined(separator: ", ")
            throw .failure("The log and the records of \(names) don't agree: keep the store, and see the runbook.")
        }
    }
}

/// What the check of one service's log found.
struct VerifiedLog: Sendable {
    var service: ServiceName
    var found: VerifyLog.Reply

    /// The first differences, a line each.
    var lines: [String] {
        var lines = found.examples.map { "\(service): \(CellText.escaped($0))" }
        let rest = found.differences - Int64(found.examples.count)
        if rest > 0 { lines.append("\(service): \(rest) more") }
        return lines
    }
}

extension Noun where Row == VerifiedLog {
    static let verifiedLog = Noun(
        "verification",
        plural: "verifications",
        summary: "What the check of a service's log found.",
        fields: [
            .text("service", "Service", "Whose log.") { $0.service.rawValue },
            .integer("events", "Events", "How many events were checked.") { $0.found.events },
            .integer("records", "Records", "How many records were compared with them.") { $0.found.records },
            .integer("differences", "Differences", "How many differences there are; 0 where all is well.") {
                $0.found.differences
            },
            .integer("first", "First kept", "The first event that is kept; absent where there is none.") {
                $0.found.events > 0 ? $0.found.floor + 1 : nil
            },
            .integer("last", "Last", "The last event; 0 before the first.", inTable: false) { $0.found.sequence },
            .list(
                "examples",
                "Examples",
                "The first differences, up to 20.",
                of: [.text("difference", "Difference", "One sentence.") { (sentence: String) in sentence }]
            ) { $0.found.examples },
        ]
    )
}
