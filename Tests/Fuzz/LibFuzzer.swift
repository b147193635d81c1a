import Glibc
import Support

// What libFuzzer calls, where `run-fuzz` links it. In a test run nothing does.

private let target: FuzzTarget = {
    let name = Environment["DAYBOOK_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        fatalError("DAYBOOK_FUZZ_TARGET is '\(name)'; it can be \(FuzzTarget.all.map(\.name))")
    }
    return target
}()

nonisolated(unsafe) private let read: FuzzTarget.Read = {
    do { return try target.begin() } catch { fatalError("\(error)") }
}()

/// Reads one input. A finding ends the process, as a trap does.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do throws(Finding) {
        try read(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        fatalError(error.description)
    }
    return 0
}

/// Before the first input: writes the target's seeds into the folder `DAYBOOK_FUZZ_SEEDS`.
@c(LLVMFuzzerInitialize)
public func writeSeeds(
    _ count: UnsafeMutablePointer<Int32>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> Int32 {
    guard let folder = Environment["DAYBOOK_FUZZ_SEEDS"] else { return 0 }
    do throws(HarnessError) {
        for (number, seed) in target.seeds.enumerated() { try File.write(seed, to: "\(folder)/seed-\(number)") }
    } catch {
        fatalError("\(error)")
    }
    return 0
}
