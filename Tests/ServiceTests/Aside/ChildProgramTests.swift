import Glibc
import Messages
import Testing
import ZeroMQ

@testable import Service

@Suite(.timeLimit(.minutes(5)))
struct ChildProgramTests {
    let stopping: WakeUp

    init() throws {
        stopping = try WakeUp()
    }

    @Test func takesAndGivesMoreThanSocketsHold() throws {
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let output = try run("cat", bytes)
        #expect(output.ending == .exited(0) && output.bytes == bytes && output.message.isEmpty)
    }

    @Test func tellsItsExitCodeAndTheStartOfItsErrors() throws {
        let output = try run("printf %9000s x >&2; echo out; exit 7")
        #expect(output.ending == .exited(7) && output.bytes == Array("out\n".utf8))
        #expect(output.message.utf8.count == ChildProgram.mostMessageBytes)
    }

    @Test func maySendItsAnswerWithoutReadingAll() throws {
        let output = try run("echo enough", Array(repeating: 1, count: 5_000_000))
        #expect(output.ending == .exited(0) && output.bytes == Array("enough\n".utf8))
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGKILL]) func tellsWhichSignalEndedIt(signal: Int32) throws {
        #expect(try run("kill -\(signal) $$").ending == .signalled(signal))
    }

    @Test func inheritsNoDescriptorAndNoBlockedSignal() throws {
        let output = try run("ls /proc/$$/fd; grep SigBlk /proc/self/status; env")
        let text = String(decoding: output.bytes, as: UTF8.self)
        #expect(text.hasPrefix("0\n1\n2\n"), "\(text)")
        #expect(text.contains("SigBlk:\t0000000000000000"))
        #expect(!text.contains("HOME="))
    }

    @Test func isKilledWhereTheBudgetEnds() {
        #expect(throws: ServiceError.self) { try run("exec sleep 1000", milliseconds: 50) }
    }

    /// It closes what one waits for, and goes on: that doesn't keep anybody.
    @Test func isKilledWhereItOnlyClosesItsOutputs() throws {
        #expect(try run("exec sleep 1000 >&- 2>&-").ending == .signalled(SIGKILL))
    }

    @Test func isKilledWhereItWritesTooMuch() {
        let error = #expect(throws: ServiceError.self) { try run("exec cat /dev/zero") }
        #expect("\(error as Any)".contains("wrote more than 8000000 bytes"))
    }

    @Test func isEndedWhereTheServiceStops() {
        stopping.signal()
        let error = #expect(throws: ServiceError.self) { try run("exec sleep 1000") }
        if case .unavailable? = error {} else { Issue.record("\(error as Any)") }
    }

    @Test func aProgramThatIsMissingIsSaidToBe() throws {
        let program = ChildProgram(besideThis: "daybook-nothing")
        let error = #expect(throws: ServiceError.self) {
            try program.run([], mostBytes: 1, allowance: Allowance(deadline: .max, stopping: stopping))
        }
        guard case .unavailable(let message, let retryAfter)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(message == "the program \(program.path) is missing: build or install it" && retryAfter == 60_000)
        #expect(program.path.hasSuffix("/daybook-nothing") && program.path.hasPrefix("/"))
    }

    private func run(
        _ script: String,
        _ input: [UInt8] = [],
        milliseconds: Int64 = 60_000
    ) throws(ServiceError) -> ChildProgram.Output {
        try ChildProgram(path: "/bin/sh", arguments: ["-c", script]).run(
            input,
            mostBytes: 8_000_000,
            allowance: Allowance(deadline: ServiceLoop.now + milliseconds, stopping: stopping)
        )
    }
}
