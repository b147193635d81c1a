import Messages
import Testing

@testable import CLI

struct SupervisorStateTests {
    private let start = ContinuousClock.now
    private let names: [ServiceName] = [.catalog, .orders]

    private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .milliseconds(Int(seconds * 1000)) }

    private func starting() -> SupervisorState {
        var state = SupervisorState(names, now: start)
        _ = state.started(.catalog, process: 11, now: start)
        _ = state.started(.orders, process: 12, now: start)
        return state
    }

    private func up() -> SupervisorState {
        var state = starting()
        _ = state.ready(.catalog)
        _ = state.ready(.orders)
        return state
    }

    @Test func startsAllInOrder() {
        #expect(SupervisorState(names, now: start).begin() == [.start(.catalog), .start(.orders)])
    }

    @Test func isReadyWhenTheLastOneIs() {
        var state = starting()
        #expect(state.ready(.orders) == [])
        #expect(state.ready(.catalog) == [.announceReady])
        #expect(state.deadline == nil)
    }

    @Test func stopsEverythingWhenOneFailsToStart() {
        var state = starting()
        #expect(
            state.failed(.orders, "No space.", now: at(1)) == [
                .log("orders: No space."), .announceFailure("orders: No space."),
                .terminate(.orders, process: 12), .terminate(.catalog, process: 11),
            ]
        )
        #expect(state.exited(.orders, .status(1), now: at(1)) == [.log("orders ended with status 1.")])
        #expect(
            state.exited(.catalog, .status(0), now: at(2)) == [.log("catalog ended with status 0."), .finish(1)]
        )
    }

    @Test func failsWhenOneDiesBeforeItIsReady() {
        var state = starting()
        let actions = state.exited(.catalog, .signal(11), now: at(1))
        #expect(actions.contains(.terminate(.orders, process: 12)))
        #expect(
            actions.contains(
                .announceFailure("catalog was ended by signal 11 (Segmentation fault) before it was ready.")
            )
        )
    }

    @Test func failsWhenNoneCouldBeStarted() {
        var state = SupervisorState([.catalog], now: start)
        #expect(state.failed(.catalog, "Can't start.", now: start).last == .finish(1))
    }

    @Test func failsWhenOneIsNotReadyInTime() {
        var state = starting()
        _ = state.ready(.catalog)
        #expect(state.deadline == at(30))
        #expect(state.time(at(29.9)) == [])
        #expect(state.time(at(30)).contains(.announceFailure("Not ready within 30 s: orders.")))
    }

    @Test func startsOneThatDiedAgainAfterAWhile() {
        var state = up()
        #expect(
            state.exited(.orders, .signal(9), now: at(100)) == [
                .log("orders was ended by signal 9 (Killed)."), .log("orders is started again in 0.2 s."),
            ]
        )
        #expect(state.deadline == at(100.2))
        #expect(state.time(at(100.1)) == [])
        #expect(state.time(at(100.2)) == [.start(.orders)])
        #expect(state.time(at(100.3)) == [])
        #expect(state.started(.orders, process: 13, now: at(100.3)) == [])
        #expect(state.ready(.orders) == [.log("orders is ready again.")])
    }

    @Test func waitsLongerEachTimeUntilOneLivesForAMinute() {
        var state = up()
        var now = 100.0
        var waits: [String] = []
        for life in [70.0, 1, 1, 1, 1, 1, 1, 61, 1] {
            _ = state.started(.orders, process: 13, now: at(now))
            now += life
            if case .log(let text) = state.exited(.orders, .status(1), now: at(now)).last { waits.append(text) }
            now += 20
            _ = state.time(at(now))
        }
        let seconds = ["0.2", "0.4", "0.8", "1.6", "3.2", "6.4", "10.0", "0.2", "0.4"]
        #expect(waits == seconds.map { "orders is started again in \($0) s." })
    }

    @Test func triesAgainWhenAStartIsRefused() {
        var state = up()
        _ = state.exited(.orders, .status(1), now: at(100))
        _ = state.time(at(101))
        #expect(
            state.failed(.orders, "Can't start.", now: at(101)) == [
                .log("orders: Can't start."), .log("orders is started again in 0.4 s."),
            ]
        )
    }

    @Test func stopsInReverseAndForgetsRestarts() {
        var state = up()
        _ = state.exited(.catalog, .status(1), now: at(100))
        #expect(state.terminate(now: at(100.1)) == [.terminate(.orders, process: 12)])
        #expect(state.terminate(now: at(100.2)) == [])
        #expect(state.time(at(105)) == [])
        #expect(state.exited(.orders, .status(0), now: at(106)).last == .finish(0))
    }

    @Test func killsWhatDoesNotEnd() {
        var state = up()
        _ = state.terminate(now: at(100))
        _ = state.exited(.catalog, .status(0), now: at(101))
        #expect(state.deadline == at(110))
        #expect(
            state.time(at(110)) == [
                .log("orders did not end within 10 s and is killed."), .kill(.orders, process: 12),
            ]
        )
        #expect(state.deadline == nil)
        #expect(state.time(at(111)) == [])
        #expect(state.exited(.orders, .signal(9), now: at(111)).last == .finish(0))
    }

    @Test func endsOneThatWasStartedWhileStopping() {
        var state = SupervisorState(names, now: start)
        _ = state.started(.catalog, process: 11, now: start)
        _ = state.terminate(now: start)
        #expect(state.started(.orders, process: 12, now: start) == [.terminate(.orders, process: 12)])
        #expect(state.exited(.catalog, .status(0), now: start).last != .finish(0))
        #expect(state.exited(.orders, .status(0), now: start).last == .finish(0))
    }

    @Test(arguments: [(1, 200), (2, 400), (6, 6400), (7, 10_000), (1000, 10_000), (0, 200)])
    func doublesTheWaitUpToALimit(deaths: Int, milliseconds: Int) {
        #expect(RestartPolicy().delay(deaths: deaths) == .milliseconds(milliseconds))
    }

    @Test(
        arguments: [(0, .status(0)), (0x300, .status(3)), (9, .signal(9)), (0x8B, .signal(11))]
            as [(Int32, ProcessEnding)]
    )
    func readsAWaitStatus(status: Int32, ending: ProcessEnding) {
        #expect(ProcessEnding(waitStatus: status) == ending)
    }

    @Test(arguments: [ReadinessReport.ready, .taken, .failed("No space.")])
    func readsBackAReport(report: ReadinessReport) {
        #expect(report.line.hasSuffix("\n"))
        #expect(ReadinessReport(line: String(report.line.dropLast())) == report)
    }
}
