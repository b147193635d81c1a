import Glibc
import Synchronization
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5))) struct FrameTests {
    /// Bytes at a fixed place, and a count of their releases.
    final class Buffer: Sendable {
        nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
        let releases: Releases

        init(count: Int, _ releases: Releases) {
            bytes = .allocate(byteCount: count, alignment: 1)
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
            self.releases = releases
        }

        deinit {
            bytes.deallocate()
            releases.count.add(1, ordering: .sequentiallyConsistent)
            releases.wakeUp.signal()
        }
    }

    final class Releases: Sendable {
        let count = Atomic(0)
        let wakeUp: WakeUp

        init() throws {
            wakeUp = try WakeUp()
        }

        func wait() throws {
            var poller = Poller()
            _ = poller.add(fileDescriptor: wakeUp.fileDescriptor, .receive)
            #expect(try poller.wait(timeout: patience) == 1)
        }
    }

    private static func frame(count: Int, _ releases: Releases) -> Frame {
        let buffer = Buffer(count: count, releases)
        return Frame(sharing: UnsafeRawBufferPointer(buffer.bytes), owner: buffer)
    }

    /// What a peer doesn't read is counted, whatever libzmq has done with it so far, and no longer once it has read.
    @Test func countsWhatAPeerHasNotTaken() throws {
        let fixture = try Fixture()
        var options = SocketOptions()
        options.receiveHighWaterMark = 1
        let push = try Socket(fixture.context, .push)
        let endpoint = try push.bind(fixture.endpoint(.tcp))
        let pull = try Socket(fixture.context, .pull, options: options)
        try pull.connect(endpoint)
        let all = Backlog()
        let backlog = Backlog(partOf: all)
        let (size, count) = (1 << 20, 100)
        for _ in 0..<count { try push.deliver(Frame(Array(repeating: 7, count: size), countedBy: backlog)) }
        // The system and the other side's libzmq have taken some.
        #expect(backlog.bytes > 80 * size && backlog.bytes <= count * size && all.bytes >= backlog.bytes)
        for _ in 0..<count { #expect(try pull.next().frames[0].count == size) }
        // The last is let go by the I/O thread, which may come to it later.
        let deadline = ContinuousClock.now + .seconds(60)
        while backlog.bytes > 0, ContinuousClock.now < deadline { sched_yield() }
        #expect(backlog.bytes == 0 && all.bytes == 0)
    }

    @Test(arguments: Transport.allCases) func releasesASharedBufferOnceAfterTwoPeersHadIt(
        over transport: Transport
    ) throws {
        let fixture = try Fixture()
        let releases = try Releases()
        let push = try Socket(fixture.context, .push)
        let endpoint = try push.bind(fixture.endpoint(transport))
        let pulls = try (0..<2).map { _ in try Socket(fixture.context, .pull) }
        for pull in pulls { try pull.connect(endpoint) }
        do {
            let frame = Self.frame(count: 1 << 20, releases)
            let bytes = frame.bytes
            #expect(releases.count.load(ordering: .sequentiallyConsistent) == 0)
            for _ in 0..<8 { try push.deliver(frame) }
            var received = 0
            var poller = Poller()
            for pull in pulls { _ = poller.add(pull, .receive) }
            while received < 8 {
                try #require(try poller.wait(timeout: patience) > 0)
                for pull in pulls {
                    while let message = try pull.receive() {
                        #expect(message.frames.map(\.bytes) == [bytes])
                        received += 1
                    }
                }
            }
            #expect(releases.count.load(ordering: .sequentiallyConsistent) == 0)
            #expect(frame.count == 1 << 20)
        }
        try releases.wait()
        push.close()
        for pull in pulls { pull.close() }
        #expect(releases.count.load(ordering: .sequentiallyConsistent) == 1)
    }

    @Test func releasesABufferThatIsNeverSent() throws {
        let releases = try Releases()
        do { _ = Self.frame(count: 10, releases) }
        #expect(releases.count.load(ordering: .sequentiallyConsistent) == 1)
    }

    @Test func releasesABufferThatIsQueuedForNobody() throws {
        let releases = try Releases()
        let fixture = try Fixture()
        var options = SocketOptions()
        options.immediate = false
        let dealer = try Socket(fixture.context, .dealer, options: options)
        try dealer.connect(.ipc(path: fixture.folder + "/b"))
        #expect(try dealer.send([Self.frame(count: 1 << 20, releases)]) == .sent)
        dealer.close()
        try releases.wait()
        #expect(releases.count.load(ordering: .sequentiallyConsistent) == 1)
    }

    static let sizes = [
        0, 1, 29, 33, 34, 255, 256, 8_192, Frame.sharingThreshold - 1, Frame.sharingThreshold,
        Frame.sharingThreshold + 1,
    ]

    @Test(arguments: sizes) func keepsItsBytesThroughASocket(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let (push, pull) = try Fixture().pair(.push, .pull)
        let frame = Frame(bytes)
        #expect(frame.bytes == bytes && frame.count == count && frame.isEmpty == (count == 0))
        try push.deliver(frame)
        try push.deliver(frame)
        #expect(try pull.next().frames == [frame])
        #expect(try pull.next().contents == [bytes])
        #expect(frame.bytes == bytes)
    }

    @Test func anArrayThatIsChangedAfterwardsLeavesTheFrameAlone() {
        var bytes = [UInt8](repeating: 1, count: 1 << 20)
        let frame = Frame(bytes)
        for index in bytes.indices { bytes[index] = 2 }
        #expect(frame.bytes == [UInt8](repeating: 1, count: 1 << 20))
        #expect(bytes.last == 2)
    }

    @Test func equalsAnotherFrameByItsBytes() {
        let routes = [Frame([1, 2, 3]): "one", Frame([]): "none"]
        #expect(routes[Frame([1, 2, 3])] == "one")
        #expect(routes[Frame([])] == "none")
        #expect(routes[Frame([1, 2])] == nil)
        #expect(Frame([1, 2, 3]) != Frame([1, 2, 4]))
    }

    @Test func showsNoContents() {
        #expect("\(Frame([UInt8]("secret")))" == "Frame(6 bytes)")
    }

    @Test func isSentFromManyThreadsAtOnce() throws {
        let context = Context()
        let frame = Frame([UInt8](repeating: 5, count: 100_000))
        let failures = Atomic(0)
        let counted = Counter()
        let threads = (0..<4).map { number in
            Thread {
                do {
                    let pull = try Socket(context, .pull)
                    let push = try Socket(context, .push)
                    try push.connect(try pull.bind(.inproc(name: "\(number)")))
                    for _ in 0..<500 {
                        try push.deliver(frame)
                        if try pull.next().frames[0].count == frame.count { counted.value.add(1, ordering: .relaxed) }
                    }
                } catch {
                    Issue.record(error)
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(counted.value.load(ordering: .relaxed) == 2_000)
        #expect(failures.load(ordering: .relaxed) == 0)
        #expect(frame.bytes.allSatisfy { $0 == 5 })
    }

    final class Counter: Sendable {
        let value = Atomic(0)
    }
}

extension Socket {
    func deliver(_ frame: Frame) throws {
        try wait(for: .send)
        try #require(try send([frame]) == .sent)
    }
}
