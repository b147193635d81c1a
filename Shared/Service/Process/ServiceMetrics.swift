internal import Client
internal import Glibc
internal import Messages
internal import Metrics
internal import Store

/// What a service tells of itself to Prometheus: no names, no amounts, no ids. RUNBOOK.md explains each.
struct ServiceMetrics {
    /// In seconds: a durable command takes about a millisecond, a report over everything some tenths of a second.
    private static let durations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    static let families: [Metrics.Family] = [
        .init("daybook_build_info", "Always 1, with the program's version.", .gauge, labels: ["version"]),
        .init(
            "daybook_requests_total",
            "Requests that were answered.",
            .counter,
            labels: ["operation", "status"]
        ),
        .init(
            "daybook_request_duration_seconds",
            "From the arrival of a request to its answer.",
            .histogram(bounds: durations),
            labels: ["operation"]
        ),
        .init(
            "daybook_group_requests",
            "Requests that were decided together, with one commit.",
            .histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
        ),
        .init(
            "daybook_group_duration_seconds",
            "Deciding a group, its commit and sync included.",
            .histogram(bounds: durations)
        ),
        .init("daybook_requests_waiting", "Requests that wait for their turn, positions, a peer or a result.", .gauge),
        .init("daybook_log_sequence", "The number of the last event.", .gauge),
        .init(
            "daybook_source_sequence",
            "The last event of another service that was applied.",
            .gauge,
            labels: ["source"]
        ),
        .init(
            "daybook_source_lag_events",
            "Events of another service that are not applied yet, as far as it told.",
            .gauge,
            labels: ["source"]
        ),
        .init("daybook_source_live", "1 where another service is followed as it happens.", .gauge, labels: ["source"]),
        .init("daybook_live_lists", "Live lists that are open.", .gauge),
        .init("daybook_live_list_rows", "Rows of all live lists.", .gauge),
        .init("daybook_store_bytes", "The store's files together.", .gauge),
        .init("daybook_store_wal_bytes", "The write-ahead log.", .gauge),
        .init("process_resident_memory_bytes", "Memory in RAM.", .gauge),
        .init("process_cpu_seconds_total", "Processor time, user and system.", .counter),
        .init("process_open_fds", "Open file descriptors.", .gauge),
        .init("process_start_time_seconds", "When the process started, since 1970.", .gauge),
    ]

    private let metrics = Metrics(families)
    private let server: MetricsServer

    /// - Throws: `StartError` where it can't listen there.
    init(host: String, port: UInt16) throws(StartError) {
        do throws(MetricsServerError) {
            server = try MetricsServer(metrics, host: host, port: port)
        } catch {
            throw StartError("\(error): stop what listens there, or choose another address in DAYBOOK_METRICS")
        }
        metrics.set("daybook_build_info", [Release.version], to: 1)
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        metrics.set("process_start_time_seconds", to: Double(time.tv_sec))
    }

    /// Seconds of the monotonic clock.
    static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// - Parameter operation: one that the service knows, or `unknown`.
    func answered(_ operation: String, _ status: Status, seconds: Double) {
        metrics.add("daybook_requests_total", [operation, status.rawValue])
        metrics.observe("daybook_request_duration_seconds", [operation], seconds)
    }

    func decided(_ count: Int, seconds: Double) {
        metrics.observe("daybook_group_requests", [], Double(count))
        metrics.observe("daybook_group_duration_seconds", [], seconds)
    }

    /// What is looked at each second.
    func refresh(_ loop: ServiceLoop) {
        metrics.set("daybook_requests_waiting", to: Double(loop.waiting.count + loop.queue.count))
        metrics.set("daybook_log_sequence", to: Double(loop.engine.storedLog.sequence))
        for source in loop.sources {
            let label = [source.source.rawValue]
            let applied = source.follower.cursor?.sequence ?? 0
            metrics.set("daybook_source_sequence", label, to: Double(applied))
            metrics.set("daybook_source_lag_events", label, to: Double(max(0, source.follower.head - applied)))
            metrics.set("daybook_source_live", label, to: source.follower.state == .live ? 1 : 0)
        }
        let size = loop.hub.size
        metrics.set("daybook_live_lists", to: Double(size.lists))
        metrics.set("daybook_live_list_rows", to: Double(size.rows))
        metrics.set("daybook_store_bytes", to: Double(loop.engine.store.bytes))
        metrics.set("daybook_store_wal_bytes", to: Double(loop.engine.store.walBytes))
        var usage = rusage()
        if unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            metrics.set("process_cpu_seconds_total", to: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime))
        }
        if let pages = Self.residentPages {
            metrics.set("process_resident_memory_bytes", to: pages * Double(getpagesize()))
        }
        if let count = Self.openDescriptors { metrics.set("process_open_fds", to: count) }
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    /// The second field of /proc/self/statm (proc(5)).
    private static var residentPages: Double? {
        let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        let fields = bytes.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? Double(String(decoding: fields[1], as: UTF8.self)) : nil
    }

    private static var openDescriptors: Double? {
        guard let folder = unsafe opendir("/proc/self/fd") else { return nil }
        defer { unsafe _ = closedir(folder) }
        // Without the folder itself and its two dots.
        var count = -3.0
        while unsafe readdir(folder) != nil { count += 1 }
        return count
    }
}
