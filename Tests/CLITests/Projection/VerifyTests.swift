import ArgumentParser
import CBOR
import Client
import Messages
import Testing

@testable import CLI

/// Checking logs, and asking about what is no longer kept.
struct VerifyTests {
    private static let epoch = Identifier.test(0xe0)

    private func desk(_ found: VerifyLog.Reply) -> Desk {
        Desk { request throws(CLIError) in
            switch request {
            case is VerifyLog: found
            case is StatusRequest:
                ServiceStatus(
                    service: .orders,
                    version: "1",
                    epoch: Self.epoch,
                    run: Self.epoch,
                    sequence: 9,
                    storeBytes: 0,
                    uptime: 0,
                    process: 1,
                    sources: []
                )
            default: throw Desk.refusal(.unknownOperation)
            }
        }
    }

    @Test func printsWhatWasChecked() async throws {
        let capture = try Capture()
        let found = VerifyLog.Reply(floor: 4, sequence: 9, events: 5, records: 2, differences: 0, examples: [])
        try await Invocation(asking: desk(found), capture.presentation()).verify([.catalog, .orders])
        #expect(
            try capture.text() == """
                Service  Events  Records  Differences  Dangling  First kept
                catalog       5        2            0         0           5
                orders        5        2            0         0           5

                """
        )
    }

    /// A service that says any number ends no command.
    @Test func addsUpWhateverIsTold() async throws {
        let capture = try Capture()
        let found = VerifyLog.Reply(
            floor: .max,
            sequence: .max,
            events: 1,
            records: 0,
            differences: .max,
            dangling: .max,
            examples: ["a", "b"]
        )
        await #expect(throws: CLIError.self) {
            try await Invocation(asking: desk(found), capture.presentation()).verify([.catalog, .orders])
        }
        #expect(try capture.text().contains("\ncatalog: 18446744073709551612 more\n"))
    }

    @Test func hasNoFirstEventWhereThereIsNone() async throws {
        let capture = try Capture()
        let found = VerifyLog.Reply(floor: 0, sequence: 0, events: 0, records: 0, differences: 0, examples: [])
        let presentation = capture.presentation(.jsonl, fields: ["events", "first", "last", "examples"])
        try await Invocation(asking: desk(found), presentation).verify([.reporting])
        #expect(try capture.text() == "{\"events\":0,\"first\":null,\"last\":0,\"examples\":[]}\n")
    }

    @Test func failsWithTheFirstDifferencesBelowTheTable() async throws {
        let capture = try Capture()
        let examples = ["event 3 is not what was written", "the chain\u{1B} breaks"]
        let found = VerifyLog.Reply(floor: 0, sequence: 9, events: 9, records: 2, differences: 5, examples: examples)
        let error = await #expect(throws: CLIError.self) {
            try await Invocation(asking: desk(found), capture.presentation()).verify([.orders])
        }
        #expect(error?.processStatus == .failure && error?.description.contains("records of orders") == true)
        let lines = try capture.text().split(separator: "\n")
        #expect(lines.count == 5 && lines[2] == "orders: event 3 is not what was written")
        #expect(lines[3].hasPrefix("orders: the chain") && !lines[3].unicodeScalars.contains("\u{1B}"))
        #expect(lines[4] == "orders: 3 more")
    }
}
