import Client
import Messages
import Testing

@testable import CLI

struct HookStateTests {
    private func state() -> HookState {
        var state = HookState(
            command: ["./say", "a \"b\"", ""],
            selection: EventSelection(sources: [.orders, .catalog], types: ["order.created"], subject: .make()),
            timeout: .milliseconds(1500)
        )
        var place = HookState.Place(position: EventPosition(epoch: .make(), sequence: .max, chain: .max))
        place.done = (9_007_199_254_740_993, Instant(microseconds: 1_711_908_309_123_456))
        place.attempts = 2
        state.places[.orders] = place
        state.places[.catalog] = HookState.Place(position: .start)
        return state
    }

    @Test func readsBackWhatItWrote() throws {
        let state = state()
        #expect(try HookState(json: Array(state.json.utf8), file: "state.json") == state)
    }

    @Test func everyCutAndEveryMissingPartIsRefused() throws {
        let bytes = Array(state().json.utf8)
        for end in 0..<(bytes.count - 2) {
            #expect(throws: CLIError.self) { try HookState(json: Array(bytes[..<end]), file: "state.json") }
        }
        for text in [
            "{}", #"{"command":[],"sources":[],"types":[],"timeout":1,"positions":{}}"#,
            #"{"command":["a"],"sources":[],"types":[],"timeout":1,"positions":{"orders":{"sequence":1}}}"#,
            #"{"command":["a"],"sources":[],"types":[],"timeout":1,"positions":{"orders":{"sequence":"1","chain":"x"}}}"#,
            #"{"command":["a"],"sources":[],"types":[],"timeout":1,"subject":"x","positions":{}}"#,
            // What nobody can count on from.
            #"{"command":["a"],"sources":[],"types":[],"timeout":9223372036854775807,"positions":{}}"#,
            #"{"command":["a"],"sources":[],"types":[],"timeout":1,"positions":{"orders":{"sequence":"1","attempts":9223372036854775807}}}"#,
            #"{"command":["a"],"sources":[],"types":[],"timeout":1,"positions":{"orders":{"sequence":"1","attempts":-1}}}"#,
            #"{"command":["a"],"sources":[],"types":[],"timeout":1,"positions":{"orders":{"sequence":"1","done":"-1","time":"2024-03-31T18:05:09Z"}}}"#,
        ] {
            #expect(throws: CLIError.self) { try HookState(json: Array(text.utf8), file: "state.json") }
        }
    }

    /// However far apart the numbers of a file and of its services are.
    @Test func howFarItIsBehindIsANumberInAnyCase() throws {
        let text =
            #"{"command":["a"],"sources":[],"types":[],"timeout":1,"positions":{"catalog":{"sequence":"3"},"orders":{"sequence":"0"}}}"#
        let state = try HookState(json: Array(text.utf8), file: "state.json")
        func lag(_ catalog: Int64, _ orders: Int64) -> Int64? {
            let heads = [ServiceName.catalog: catalog, .orders: orders].mapValues { EventPosition(sequence: $0) }
            return HookSummary(name: "a", state: state, heads: heads, failures: 0, process: nil).lag
        }
        #expect(lag(5, 7) == 9)
        #expect(lag(1, 7) == 7)
        #expect(lag(.max, .max) == .max)
        #expect(lag(.min, 7) == 7)
    }

    /// After a restore another transaction may stand at the numbers of the one that was done in part.
    @Test func anEventIsDoneOnlyInTheTransactionThatWasBegun() {
        var place = HookState.Place(position: EventPosition(sequence: 4))
        place.done = (6, Instant(microseconds: 10))
        func event(_ sequence: Int64, at time: Int64) -> Event {
            Event(
                sequence: sequence,
                previous: 0,
                transaction: 1,
                last: nil,
                type: "order.created",
                subject: .make(),
                time: Instant(microseconds: time),
                version: 1,
                data: nil,
                before: nil,
                principal: nil,
                cause: nil,
                traceparent: nil
            )
        }
        #expect(place.isDone(event(5, at: 10)) && place.isDone(event(6, at: 10)))
        #expect(!place.isDone(event(7, at: 10)) && !place.isDone(event(5, at: 11)))
    }

    @Test func aFailureIsReadBack() throws {
        let place = EventPosition(epoch: .make(), sequence: 4)
        let event = CloudEvent(.diverged, of: .orders, behind: place, time: Instant(microseconds: 5))
        let failure = HookFailure(event, attempts: 3, reason: "ended with status 1", time: Instant(microseconds: 7))
        #expect(try HookFailure(json: Array(failure.json.utf8), file: "f") == failure)
        let tampered = failure.json.replacing("\"attempts\":3", with: "\"attempts\":9223372036854775807")
        #expect(tampered != failure.json)
        #expect(throws: CLIError.self) { try HookFailure(json: Array(tampered.utf8), file: "f") }
    }

    @Test(arguments: [
        "", "../x", "a/b", "list", "failed", "retry", "run", "-x", ".x", "é", "a b", String(repeating: "a", count: 65),
    ])
    func refusesNamesThatAreNoFiles(name: String) {
        #expect(throws: CLIError.self) { try HookFolder(name, home: "/tmp") }
    }
}
