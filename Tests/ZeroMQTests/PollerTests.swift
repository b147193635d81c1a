import Glibc
import Synchronization
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5))) struct PollerTests {
    @Test func isWokenFromAnotherThread() throws {
        let wakeUp = try WakeUp()
        let (router, _) = try Fixture().pair(.router, .dealer)
        var poller = Poller()
        let requests = poller.add(router, .receive)
        let woken = poller.add(fileDescriptor: wakeUp.fileDescriptor, .receive)
        #expect(try poller.wait(timeout: .zero) == 0)
        let thread = Thread { wakeUp.signal() }
        #expect(try poller.wait(timeout: nil) == 1)
        thread.join()
        #expect(poller[woken] == .receive)
        #expect(poller[requests] == [])
        wakeUp.signal()
        #expect(wakeUp.drain() == 2)
        #expect(wakeUp.drain() == 0)
        #expect(try poller.wait(timeout: .zero) == 0)
    }

    @Test func aTerminatedContextEndsTheWait() throws {
        let context = Context()
        let router = try Socket(context, .router)
        var poller = Poller()
        _ = poller.add(router, .receive)
        let thread = Thread { context.terminate() }
        #expect(throws: ZeroMQError.closed(.poll)) { try poller.wait(timeout: nil) }
        thread.join()
    }

    @Test func tellsWhichSocketIsReady() throws {
        let fixture = try Fixture()
        let (router, dealer) = try fixture.pair(.router, .dealer, over: .ipc)
        let other = try Socket(fixture.context, .pull)
        var poller = Poller()
        let requests = poller.add(router, .receive)
        let nothing = poller.add(other, .receive)
        let room = poller.add(dealer, .send)
        try dealer.deliver([[1]])
        poller.set([], at: room)
        #expect(try poller.wait(timeout: patience) == 1)
        #expect(poller[requests] == .receive && poller[nothing] == [] && poller[room] == [])
        poller.set(.send, at: room)
        #expect(try poller.wait(timeout: patience) == 2)
        #expect(poller[room] == .send)
    }

    @Test func waitsAsLongAsItWasTold() throws {
        var poller = Poller()
        let wakeUp = try WakeUp()
        _ = poller.add(fileDescriptor: wakeUp.fileDescriptor, .receive)
        let start = ContinuousClock.now
        #expect(try poller.wait(timeout: .microseconds(20_001)) == 0)
        #expect(ContinuousClock.now - start >= .microseconds(20_001))
        #expect(try poller.wait(timeout: .seconds(-1)) == 0)
    }

    @Test func aSocketMadeHereWorksOnAnotherThread() throws {
        let context = Context()
        let router = try Socket(context, .router)
        let endpoint = try router.bind(.inproc(name: "handed over"))
        let handed = Mutex<Socket?>(router)
        let box = Handed(handed)
        let thread = Thread {
            do {
                guard let router = box.take() else { throw ZeroMQError.closed(.receive) }
                let request = try router.next()
                #expect(try router.send(request.frames) == .sent)
            } catch {
                Issue.record(error)
            }
        }
        let dealer = try Socket(context, .dealer)
        try dealer.connect(endpoint)
        try dealer.deliver([[1]])
        #expect(try dealer.next().contents == [[1]])
        thread.join()
    }

    final class Handed: Sendable {
        private let socket: Mutex<Socket?>

        init(_ socket: consuming sending Mutex<Socket?>) {
            self.socket = socket
        }

        func take() -> sending Socket? {
            socket.withLock { socket in
                defer { socket = nil }
                return socket
            }
        }
    }
}
