import Glibc
import Support

/// Nanoseconds of the clock that all processes of the machine share.
func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Nanoseconds that the closure takes.
func timed(_ body: () throws -> Void) rethrows -> UInt64 {
    let start = now()
    try body()
    return now() - start
}

/// What the process has in memory, in bytes (`/proc/self/statm`).
func residentBytes() -> Int {
    let pages = File.text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE))
}
