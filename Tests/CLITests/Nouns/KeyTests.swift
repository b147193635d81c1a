import Messages
import Testing

@testable import CLI

struct KeyTests {
    private static let timed = Identifier("018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47")!
    private static let random = Identifier("5b9c1f5e-3d55-4f0e-9d5c-111111111111")!

    @Test(arguments: [(timed, 7), (random, 8)])
    func makesTheSameIdsByTheSameKey(key: Identifier, version: Int) {
        let ids = (0..<1000).map { Identifier.made(by: key, $0) }
        #expect(ids == (0..<1000).map { Identifier.made(by: key, $0) })
        #expect(Set(ids).count == ids.count)
        #expect(!ids.contains(key))
        #expect(ids.allSatisfy { $0.version == version && $0.low >> 62 == 0b10 })
        #expect(ids.allSatisfy { $0.milliseconds == key.milliseconds })
    }

    @Test func makesOtherIdsByOtherKeys() {
        let neighbours = (0..<1000).map { Identifier(high: Self.timed.high, low: Self.timed.low &+ $0) }
        #expect(Set(neighbours.map { Identifier.made(by: $0) }).count == neighbours.count)
        #expect(Identifier.made(by: nil) != Identifier.made(by: nil))
    }

    @Test func givesTheFirstCommandTheKeyAsItIs() {
        #expect(Identifier.key(Self.timed, 0) == Self.timed)
        #expect(Identifier.key(Self.timed, 1) == Identifier.made(by: Self.timed, 1))
        #expect(Identifier.key(nil, 1) == nil)
    }
}
