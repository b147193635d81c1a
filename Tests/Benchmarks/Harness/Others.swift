import Glibc
import Support

/// What the machine's processors did for others than this process and what it started.
struct Others {
    private var start: (time: UInt64, busy: Double, own: Double)

    init() {
        start = (now(), Self.busy(), Self.own())
    }

    /// Processors that others used since the beginning, on average: 0 to the number of them.
    var processors: Double {
        let seconds = Double(now() - start.time) / 1e9
        return max(0, (Self.busy() - start.busy - (Self.own() - start.own)) / seconds)
    }

    private static let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))

    /// Seconds in which a processor was not idle, of all processors (proc_stat(5)).
    private static func busy() -> Double {
        let numbers = File.text("/proc/stat").prefix { $0 != "\n" }.split(separator: " ").compactMap { Double($0) }
        guard numbers.count >= 8 else { return 0 }
        // Without idle and iowait; what guests took is in the first two.
        return (numbers[0...2].reduce(0, +) + numbers[5...7].reduce(0, +)) / ticks
    }

    /// Seconds of this process, of what it started, and of what of that has ended.
    private static func own() -> Double {
        var children: [pid_t: [pid_t]] = [:]
        var times: [pid_t: Double] = [:]
        for name in File.names(in: "/proc") {
            guard let process = pid_t(name) else { continue }
            // Behind the program's name, which may hold anything (proc_pid_stat(5)).
            let text = File.text("/proc/\(process)/stat")
            guard let end = text.lastIndex(of: ")") else { continue }
            let fields = text[text.index(after: end)...].split(separator: " ")
            guard fields.count > 14, let parent = pid_t(fields[1]) else { continue }
            children[parent, default: []].append(process)
            times[process] = fields[11...14].compactMap { Double($0) }.reduce(0, +) / ticks
        }
        var (sum, rest) = (0.0, [getpid()])
        while let process = rest.popLast() {
            sum += times[process] ?? 0
            rest += children[process] ?? []
        }
        return sum
    }
}
