import Glibc

/// The user's zone and locale, from the environment and the machine's configuration.
extension LocalTime {
    /// The zone that `TZ` names, or without it the machine's.
    ///
    /// `TZ` may have a leading colon or be a path below a `zoneinfo` folder; empty, it is UTC (tzset(3)). Without `TZ`
    /// it is where the link `/etc/localtime` points, else what `/etc/timezone` says, and UTC on a machine with neither.
    /// Reads the machine at each call: keep the result.
    /// - Throws: `TextError.unknownZone` for a name that isn't in the IANA data, and for a `/etc/localtime` that is a
    ///   plain file when there is no `/etc/timezone` to tell its name.
    public static func currentZone() throws(TextError) -> Zone {
        try zone(variable: environment("TZ"), link: linkTarget("/etc/localtime"), file: firstLine("/etc/timezone"))
    }

    /// The locale that dates are written in: the first of `LC_ALL`, `LC_TIME`, and `LANG` that isn't empty (locale(7)).
    public static func currentLocale() -> LocaleName {
        locale(environment)
    }

    /// What a `/etc/localtime` is.
    enum LocalTimeFile {
        case link(String)
        case plain
        case missing
    }

    static func locale(_ environment: (String) -> String?) -> LocaleName {
        for name in ["LC_ALL", "LC_TIME", "LANG"] {
            if let value = environment(name), !value.isEmpty { return LocaleName(posix: value) }
        }
        return .c
    }

    static func zone(variable: String?, link: LocalTimeFile, file: String?) throws(TextError) -> Zone {
        if let variable {
            let name = variable.first == ":" ? String(variable.dropFirst()) : variable
            return try Zone(named: name.isEmpty ? "UTC" : zoneName(fromPath: name))
        }
        switch (link, file) {
        case (.link(let path), _): return try Zone(named: zoneName(fromPath: path))
        case (_, let name?): return try Zone(named: name)
        case (.plain, nil): throw .unknownZone("/etc/localtime")
        case (.missing, nil): return try Zone(named: "UTC")
        }
    }

    /// `Europe/Berlin` of `/usr/share/zoneinfo/Europe/Berlin` and of `../usr/share/zoneinfo/posix/Europe/Berlin`.
    private static func zoneName(fromPath path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let folder = parts.lastIndex(of: "zoneinfo") else { return path }
        var name = parts[(folder + 1)...]
        if name.first == "posix" || name.first == "right" { name = name.dropFirst() }
        return name.joined(separator: "/")
    }

    private static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    private static func linkTarget(_ path: String) -> LocalTimeFile {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        if count > 0 { return .link(String(decoding: bytes.prefix(count), as: UTF8.self)) }
        // readlink(2) says EINVAL for a file that is no link.
        return errno == EINVAL ? .plain : .missing
    }

    private static func firstLine(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        let line = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        let name = String(decoding: line, as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}
