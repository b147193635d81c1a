import Glibc
import Support
import Testing

@testable import Service

/// When the loop looks for requests instead of sleeping.
struct SpinningTests {
    private let folder: ScratchFolder
    private var path: String { "\(folder.path)/schedstat" }
    private static let millisecond: Int64 = 1_000_000

    init() throws {
        folder = try ScratchFolder()
        try waited(0)
    }

    /// What the kernel would tell: so many nanoseconds without a processor.
    private func waited(_ nanoseconds: Int64) throws { try File.write(Array("1000 \(nanoseconds) 7\n".utf8), to: path) }

    @Test func whatIsFoundIsLookedForAgain() {
        var spinning = Spinning(path: path)
        defer { spinning.close() }
        for turn in 0..<100 {
            let looks = spinning.isWorthwhile(Int64(turn))
            #expect(looks)
            spinning.ended(found: true)
        }
    }

    @Test func inVainIsTriedMoreAndMoreRarely() {
        var spinning = Spinning(path: path)
        defer { spinning.close() }
        var tries: [Int] = []
        for turn in 0..<600 where spinning.isWorthwhile(Int64(turn)) {
            tries.append(turn)
            spinning.ended(found: false)
        }
        #expect(tries == [0, 1, 4, 9, 18, 35, 68, 133, 262, 391, 520])
        // And at once again where it was not in vain.
        spinning.ended(found: true)
        let looks = spinning.isWorthwhile(600)
        #expect(looks)
    }

    @Test func processorsThatAreWantedAreLeftToOthers() throws {
        var spinning = Spinning(path: path)
        defer { spinning.close() }
        var looks = spinning.isWorthwhile(0)
        #expect(looks)
        try waited(Self.millisecond / 2)
        looks = spinning.isWorthwhile(11 * Self.millisecond)
        #expect(looks)
        try waited(2 * Self.millisecond)
        looks = spinning.isWorthwhile(22 * Self.millisecond)
        #expect(!looks)
        looks = spinning.isWorthwhile(200 * Self.millisecond)
        #expect(!looks)
        looks = spinning.isWorthwhile(230 * Self.millisecond)
        #expect(looks)
        // What was while nobody asked does not count.
        try waited(500 * Self.millisecond)
        looks = spinning.isWorthwhile(1000 * Self.millisecond)
        #expect(looks)
    }

    @Test func withoutTheKernelsCountsNothingIsLookedFor() {
        var spinning = Spinning(path: "\(folder)/none")
        let looks = spinning.isWorthwhile(0)
        #expect(!looks)
    }
}
