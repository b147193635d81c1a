import Glibc
import Support
import Testing

/// Every input that is kept, read by the code as it is built here: none is a finding, and each takes less than a limit.
@Suite(.serialized)
struct ReplayTests {
    @Test(arguments: FuzzTarget.all)
    func readsWhatIsKept(_ target: FuzzTarget) async throws {
        let inputs = target.seeds + Self.corpus(of: target)
        #expect(!inputs.isEmpty)
        try await DedicatedThread.run {
            let read = try target.begin()
            for input in inputs { try read(input) }
        }
    }

    private static let changes = Environment["DAYBOOK_FUZZ_CHANGES"].flatMap { Int($0) } ?? 0

    /// Changes of what is kept, by the seed that is printed. `run-fuzz` asks for them, in a process that may end by one.
    @Test(.enabled(if: changes > 0, "Tests/Fuzz/run-fuzz runs it"), arguments: FuzzTarget.all)
    func readsChangesOfWhatIsKept(_ target: FuzzTarget) throws {
        var generator = SeededGenerator("changes of \(target.name)")
        let read = try target.begin()
        let inputs = target.seeds + Self.corpus(of: target)
        for _ in 0..<Self.changes {
            guard var input = inputs.randomElement(using: &generator) else { continue }
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                Self.change(&input, inputs.randomElement(using: &generator) ?? [], &generator)
            }
            do {
                try read(input)
            } catch {
                Issue.record("\(error) of \(input.map { String($0, radix: 16) })")
            }
        }
    }

    private static func change(_ input: inout [UInt8], _ other: [UInt8], _ generator: inout SeededGenerator) {
        let place = Int.random(in: 0...input.count, using: &generator)
        let end = min(input.count, place + Int.random(in: 0...8, using: &generator))
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: input.removeSubrange(place..<end)
        case 1: input.insert(.random(in: .min ... .max, using: &generator), at: place)
        case 2: input.replaceSubrange(place..<end, with: other.dropFirst(place).prefix(16))
        case 3: if place < input.count { input[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator) }
        default:
            let number: UInt8 = [0x00, 0x01, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
            for index in place..<end { input[index] = number }
        }
    }

    private static func corpus(of target: FuzzTarget) -> [[UInt8]] {
        let folder = "\(Environment.checkout)/Tests/Fuzz/corpus/\(target.name)"
        return File.names(in: folder).filter { !$0.hasPrefix(".") }.sorted().compactMap { File.read("\(folder)/\($0)") }
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    var testDescription: String { name }
}
