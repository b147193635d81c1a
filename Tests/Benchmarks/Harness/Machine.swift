import FoundationEssentials
import Glibc

/// Where a run was made: figures of two machines are not to be compared, ratios hardly.
struct Machine: Codable {
    var processor: String
    var cores: Int
    var system: String
    /// Of the last minute, before anything was measured: others' work makes all times longer.
    var load: Double

    init() {
        processor = Self.value("model name", in: "/proc/cpuinfo") ?? "?"
        cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        system = Self.value("PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "?"
        var loads = [0.0]
        getloadavg(&loads, 1)
        load = loads[0]
    }

    private static func value(_ name: String, in path: String, separator: Character = ":") -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let value = line?.split(separator: separator).last else { return nil }
        return String(value.drop { $0 == " " }).replacing("\"", with: "")
    }
}
