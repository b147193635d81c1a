import ArgumentParser
import Messages

struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that the logs are whole and that the records are what the logs tell.",
        discussion:
            "Reads everything; the services go on meanwhile. The exit code is 1 if anything differs, or refers to "
            + "what another service does not have, as after one store alone was put back from a backup; --repair takes "
            + "such references out.",
        examples: ["daybook verify", "daybook verify orders --format json", "daybook verify --repair"]
    )

    @Argument(
        help: "Only these: catalog, orders, reporting, walks.",
        completion: .list(ServiceName.all.map(\.rawValue))
    )
    var services: [String] = []

    @Flag(help: "Take references to what is not there out of orders and dogs; 'daybook undo' puts them back.")
    var repair = false

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let names = try services.map { text throws(CLIError) in try ServiceName.named(text) }
        let daybook = try Invocation(global, output)
        try await daybook.verify(names.isEmpty ? ServiceName.all : names, repairs: repair, yes: confirmation.yes)
    }
}

extension Invocation {
    /// Checks the logs one after the other, and prints what was found.
    ///
    /// - Parameters:
    ///   - repairs: whether references that lead nowhere are taken out, once that is confirmed.
    ///   - yes: whether nothing is asked.
    /// - Throws: ``CLIError``; ``CLIError/failure(_:)`` where anything differs, after all are printed.
    func verify(_ services: [ServiceName], repairs: Bool = false, yes: Bool = false) async throws(CLIError) {
        var writer = try presentation.rowWriter(Noun.verifiedLog)
        // Who is down is told before the long wait for the others.
        var statuses: [ServiceStatus] = []
        for service in services { statuses.append(try await send(StatusRequest(), to: service)) }
        let patient = waiting(.seconds(600))
        var rows: [VerifiedLog] = []
        for (service, status) in zip(services, statuses) {
            let after = await heads(followedBy: status)
            let found = try await patient.sender.read(VerifyLog(), to: service, after: after).reply
            let row = VerifiedLog(service: service, found: found)
            try writer.write(row)
            rows.append(row)
        }
        try writer.finish()
        if presentation.format == .table {
            for line in rows.flatMap(\.lines) { try output.line(line) }
        }
        let dangling = rows.filter { $0.dangling > 0 }
        if repairs, !dangling.isEmpty { try await repair(dangling, yes: yes) }
        let different = rows.filter { $0.found.differences > 0 }
        guard different.isEmpty else {
            let names = different.map(\.service.rawValue).joined(separator: ", ")
            throw .failure("The log and the records of \(names) don't agree: keep the store, and see the runbook.")
        }
        guard repairs || dangling.isEmpty else {
            throw .failure(
                "Some records refer to what is not there: put the other store back, too, or take it out by --repair."
            )
        }
    }

    /// Where the logs end that a service is following: what it knows of them is whole only there.
    private func heads(followedBy status: ServiceStatus) async -> Positions {
        var heads: Positions = [:]
        for source in status.sources where source.state == .live || source.state == .catchingUp {
            guard let head = try? await send(StatusRequest(), to: source.service) else { continue }
            heads[source.service.rawValue] = Position(epoch: head.epoch, sequence: head.sequence)
        }
        return heads
    }

    private func repair(_ rows: [VerifiedLog], yes: Bool) async throws(CLIError) {
        let count = rows.reduce(Int128(0)) { $0 + Int128($1.dangling) }
        let names = rows.map(\.service.rawValue).joined(separator: ", ")
        try Confirmation.ask(
            "Take the references to what is not there out of \(count) record\(count == 1 ? "" : "s") of \(names)?",
            yes: yes
        )
        for row in rows {
            let changed = try await send(RepairReferences(), to: row.service).records
            let text = "\(row.service): \(changed) record\(changed == 1 ? "" : "s") repaired"
            if presentation.format == .table { try output.line(text) }
        }
    }
}

/// What the check of one service's log found.
struct VerifiedLog: Sendable {
    var service: ServiceName
    var found: VerifyLog.Reply

    /// How many records refer to what is not there.
    var dangling: Int64 { found.dangling ?? 0 }

    /// What was found, a line each.
    var lines: [String] {
        var lines = found.examples.map { "\(service): \(CellText.escaped($0))" }
        let rest = Int128(found.differences) + Int128(dangling) - Int128(found.examples.count)
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
            .integer("dangling", "Dangling", "How many records refer to another service's that are not there.") {
                $0.dangling
            },
            .integer("first", "First kept", "The first event that is kept; absent where there is none.") {
                $0.found.events > 0 ? Int64(clamping: Int128($0.found.floor) + 1) : nil
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
