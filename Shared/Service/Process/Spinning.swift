internal import Glibc

/// Whether the loop looks for the next request again and again for a moment before it sleeps.
///
/// To sleep and be woken takes longer than many a request. But looking takes a processor, which is to be had only where one has
/// nothing else to do: so it is done behind requests alone, not for a while after it was in vain, and not while threads have to
/// wait for a processor, as the kernel tells it of this one (`/proc/thread-self/schedstat`).
struct Spinning {
    /// How long it is looked, in nanoseconds.
    static let longest: Int64 = 100_000
    /// How long nothing is looked for where processors are wanted, in nanoseconds.
    private static let rest: Int64 = 200_000_000
    /// Between two questions for how long the thread had to wait for a processor, in nanoseconds.
    private static let between: Int64 = 10_000_000

    private let descriptor: Int32
    /// In vain, one after the other.
    private var failures = 0
    /// Turns that it is left out.
    private var skipped = 0
    private var restsUntil: Int64 = 0
    /// When it was last asked, and how long the thread had waited by then.
    private var asked: (time: Int64, waited: Int64)?

    /// - Parameter path: what the kernel's counts are read from; where it can't be read, nothing is worthwhile.
    init(path: String = "/proc/thread-self/schedstat") {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
    }

    /// Whether to look, behind a turn that had requests.
    mutating func isWorthwhile(_ now: Int64) -> Bool {
        guard descriptor >= 0, now >= restsUntil else { return false }
        if skipped > 0 {
            skipped -= 1
            return false
        }
        if let asked, now - asked.time < Self.between { return true }
        guard let waited = Self.waited(descriptor) else { return false }
        defer { asked = (now, waited) }
        // After a longer time the sum says nothing of now.
        guard let asked, now - asked.time < 20 * Self.between else { return true }
        // A twentieth of the time: with a processor to spare it is a hundredth at the most.
        guard (waited - asked.waited) * 20 > now - asked.time else { return true }
        restsUntil = now + Self.rest
        return false
    }

    /// - Parameter found: whether something came.
    mutating func ended(found: Bool) {
        failures = found ? 0 : min(failures + 1, 8)
        // In vain once, it is tried again at once; then 2, 4, … 128 turns later.
        skipped = failures > 1 ? 1 << (failures - 1) : 0
    }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// For how long the thread was ready to run and did not, in nanoseconds.
    private static func waited(_ descriptor: Int32) -> Int64? {
        var bytes = [UInt8](repeating: 0, count: 80)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let words = bytes[..<count].split(separator: UInt8(ascii: " "))
        return words.count > 1 ? Int64(String(decoding: words[1], as: UTF8.self)) : nil
    }

    /// Nanoseconds of the monotonic clock.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
