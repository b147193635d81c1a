import Messages
import Testing

@testable import Service

struct RequestQueueTests {
    private func item(_ id: UInt64, bytes: Int = 10) -> RequestQueue.Item {
        let header = RequestHeader(id: id, operation: "note.put")
        let request = Incoming(header: header, body: Array(repeating: 0, count: bytes))
        return (Envelope(address: [], entrance: 0), request)
    }

    /// Adds requests of so many bytes, and returns which were taken.
    private func add(_ bytes: [Int], to queue: inout RequestQueue) -> [Bool] {
        bytes.map { queue.add(item(0, bytes: $0)) }
    }

    @Test func givesWhatCameInItsOrder() {
        var queue = RequestQueue()
        var next: UInt64 = 0
        var taken: [UInt64] = []
        for count in [3, 300, 1, 700, 50] {
            for _ in 0..<count {
                let isTaken = queue.add(item(next))
                #expect(isTaken)
                next += 1
            }
            taken += queue.take(256).map(\.request.header.id)
        }
        while !queue.isEmpty { taken += queue.take(256).map(\.request.header.id) }
        #expect(taken == Array(0..<next) && queue.count == 0)
    }

    @Test func takesSoManyAndNoMore() {
        var queue = RequestQueue()
        let first = add(Array(repeating: 1, count: RequestQueue.most + 1), to: &queue)
        #expect(first.dropLast().allSatisfy { $0 } && first.last == false && queue.count == RequestQueue.most)
        _ = queue.take(2)
        let second = add([1, 1, 1], to: &queue)
        #expect(second == [true, true, false])
    }

    @Test func takesSoManyBytesAndOneThatHasMoreAlone() {
        var queue = RequestQueue()
        let first = add([RequestQueue.mostBytes + 1, 1], to: &queue)
        #expect(first == [true, false])
        _ = queue.take(1)
        let quarter = RequestQueue.mostBytes / 4
        let second = add([quarter, quarter, quarter, quarter, 1, 0], to: &queue)
        #expect(second == [true, true, true, true, false, true])
        _ = queue.take(1)
        let third = add([1], to: &queue)
        #expect(third == [true])
    }

    @Test func saysWhenItWillBeWorkedOff() {
        var queue = RequestQueue()
        #expect(queue.retryAfter == 100)
        for _ in 0..<100 { queue.decided(256, seconds: 0.256) }
        _ = add(Array(repeating: 1, count: 1000), to: &queue)
        #expect((990...1010).contains(queue.retryAfter))
        for _ in 0..<100 { queue.decided(1, seconds: 1) }
        #expect(queue.retryAfter == 5000)
    }
}
