import Glibc
import Messages
import Testing

@testable import Service

struct ReadinessTests {
    private static let log = Log(service: ServiceName(rawValue: "desk"))

    /// What a descriptor can give now, as text.
    private static func text(at descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private static func pipeEnds() throws -> (readEnd: Int32, writeEnd: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func tellsWhyItFailedInOneLine() throws {
        let ends = try Self.pipeEnds()
        Readiness(descriptor: ends.writeEnd, log: Self.log).tellFailure("no\nroom")
        #expect(Self.text(at: ends.readEnd) == "failed: no room\n")
        close(ends.readEnd)
    }

    /// Once it was ready, the descriptor's number belongs to whatever was opened next: a store, say.
    @Test func aLaterFailureIsWrittenIntoNoFile() throws {
        // A number that nothing else in this process is given meanwhile.
        let number: Int32 = 800
        let ends = try Self.pipeEnds()
        try #require(dup2(ends.writeEnd, number) == number)
        close(ends.writeEnd)
        let readiness = Readiness(descriptor: number, log: Self.log)
        readiness.tellReady()
        #expect(Self.text(at: ends.readEnd) == "ready\n")
        #expect(fcntl(number, F_GETFD) == -1)

        let others = try Self.pipeEnds()
        try #require(dup2(others.writeEnd, number) == number)
        readiness.tellFailure("the disk")
        _ = fcntl(others.readEnd, F_SETFL, O_NONBLOCK)
        #expect(Self.text(at: others.readEnd).isEmpty)
        for descriptor in [number, others.writeEnd, others.readEnd, ends.readEnd] { close(descriptor) }
    }
}
