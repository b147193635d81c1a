import Client
import Messages
import Testing
import ZeroMQ

@testable import CLI

struct ProcessStatusTests {
    @Test(
        arguments: [
            (Status.ok, 0), (.invalid, 1), (.notFound, 1), (.gone, 1), (.conflict, 4), (.inUse, 1), (.keyReused, 1),
            (.keyExpired, 1), (.unavailable, 3), (.storageFull, 1), (.tooLarge, 1), (.unsupportedVersion, 1),
            (.unknownOperation, 1), (.notAllowed, 1), (.resync, 1), (.timedOut, 3), (.internal, 1),
        ] as [(Status, Int32)]
    )
    func followsARefusal(status: Status, code: Int32) {
        let body = ErrorBody(code: status.rawValue, message: "A sentence.")
        let error = CLIError.client(.refused(.orders, status, body))
        #expect(error.processStatus.rawValue == code)
        // What can be forced names the option.
        #expect(error.description == (status == .inUse ? "A sentence. (--force)" : "A sentence."))
    }

    @Test(
        arguments: [
            (CLIError.client(.unreachable(.orders, .ipc(path: "/r/orders.requests"), after: .seconds(2))), 3),
            (.client(.unknownService(.orders)), 3), (.client(.cancelled), 1), (.unanswered(""), 3),
            (.queued(""), 5),
            (.usage(""), 2), (.ambiguous(noun: "", text: "", candidates: [], more: false), 2),
            (.unknownField("", noun: "", suggestion: nil, known: []), 2),
            (.badSetting(name: "", found: "", reason: ""), 2), (.notFound(noun: "", text: "", suggestion: nil), 1),
            (.badConfiguration(file: "", key: nil, reason: ""), 1), (.needsConfirmation(""), 2), (.failure(""), 1),
            (.unwritable(28), 1), (.closedPipe, 0), (.system(action: "", path: "", code: 1), 1),
        ] as [(CLIError, Int32)]
    )
    func followsAnError(error: CLIError, code: Int32) {
        #expect(error.processStatus.rawValue == code)
    }

    @Test func namesTheEndpointOfWhoDoesNotAnswer() {
        let endpoint = Endpoint.ipc(path: "/r/orders.requests")
        let error = CLIError.client(.unreachable(.orders, endpoint, after: .seconds(2)))
        #expect(error.description.contains("ipc:///r/orders.requests"))
        #expect(!error.description.contains("\n"))
    }
}
