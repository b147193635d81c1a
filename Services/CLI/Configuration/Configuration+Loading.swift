import Client
import Messages
import ZeroMQ

extension Configuration {
    /// Puts together what flags, environment and file say.
    ///
    /// - Parameters:
    ///   - directory: the working directory, for relative folders.
    ///   - contents: reads a file; nil where there is none.
    ///   - isFolder: whether a path is a folder.
    /// - Throws: ``CLIError/badConfiguration(file:key:reason:)``, ``CLIError/badSetting(name:found:reason:)``,
    ///   and what `contents` throws.
    static func load(
        flags: ConfigurationFlags,
        environment: [String: String],
        directory: String,
        contents: (String) throws(CLIError) -> [UInt8]?,
        isFolder: @escaping (String) -> Bool
    ) throws(CLIError) -> Configuration {
        let environment = environment.filter { !$0.value.isEmpty }
        let userHome = environment["HOME"] ?? "/"
        let folder = environment["XDG_CONFIG_HOME"] ?? "\(userHome)/.config"
        let file = try ConfigurationFile.read("\(folder)/daybook/config.json", userHome: userHome, contents: contents)

        let settings = Settings(environment: environment, file: file)
        let isDemo = try settings.boolean("DAYBOOK_DEMO") || flags.isDemo
        let suffix = isDemo ? "-demo" : ""
        let places = Places(
            environment: environment,
            userHome: userHome,
            directory: directory,
            suffix: suffix,
            isFolder: isFolder
        )
        let home = places.home(flags.home ?? settings.text("DAYBOOK_HOME", "home"))
        let runtime = places.runtime(settings.text("DAYBOOK_RUNTIME", "runtime"), home: home)
        try checkLength(of: runtime)

        var endpoints: [ServiceName: ServiceEndpoints] = [:]
        for service in ServiceName.all {
            // The demonstration never leaves its own folder.
            let chosen = isDemo ? nil : try settings.endpoints(service)
            endpoints[service] = chosen ?? .ipc(folder: runtime, service)
        }
        return Configuration(
            home: home,
            runtime: runtime,
            currency: try settings.currency(),
            timeout: try settings.timeout(flag: flags.timeout),
            format: try settings.format(flag: flags.format),
            keepEvents: try settings.keepEvents(flag: flags.keepEvents),
            taxRate: try settings.taxRate(),
            dueDays: try settings.dueDays(),
            orderNumbers: try settings.orderNumbers(),
            business: isDemo
                ? DemoSample.business : Business { file.values["business.\($0)"].flatMap(EnteredText.optional) },
            walkBilling: try settings.walkBilling(usual: isDemo ? DemoSample.walkBilling : WalkBilling()),
            file: file.path,
            isQueueing: try settings.isQueueing(),
            endpoints: endpoints,
            keys: settings.text("DAYBOOK_KEYS", "keys").map(places.absolute) ?? "\(home)/keys",
            key: isDemo ? nil : try settings.key(),
            listen: isDemo ? nil : settings.text("DAYBOOK_LISTEN", "listen"),
            isDemo: isDemo,
            reach: places.reach(home: home, runtime: runtime, isDemo: isDemo)
        )
    }

    private static func checkLength(of runtime: String) throws(CLIError) {
        let longest = ServiceName.all.map { "\(runtime)/\($0).requests".utf8.count }.max() ?? 0
        guard longest > maximumSocketPathBytes else { return }
        throw .badSetting(
            name: "The runtime folder",
            found: runtime,
            reason: "paths of sockets in it have \(longest) bytes, and \(maximumSocketPathBytes) are the most; "
                + "set DAYBOOK_RUNTIME to a shorter folder"
        )
    }
}

/// The folders, by the XDG base directory specification.
private struct Places {
    var environment: [String: String]
    var userHome: String
    var directory: String
    var suffix: String
    var isFolder: (String) -> Bool

    var defaultHome: String {
        (environment["XDG_DATA_HOME"] ?? "\(userHome)/.local/share") + "/daybook"
    }

    func home(_ chosen: String?) -> String {
        absolute(chosen ?? defaultHome) + suffix
    }

    /// A home of one's own choosing has its sockets inside: two homes never meet in one runtime folder by default.
    func runtime(_ chosen: String?, home: String) -> String {
        if let chosen { return absolute(chosen) + suffix }
        if home == absolute(defaultHome) + suffix, let folder = environment["XDG_RUNTIME_DIR"], isFolder(folder) {
            return absolute("\(folder)/daybook") + suffix
        }
        return "\(home)/run"
    }

    func reach(home: String, runtime: String, isDemo: Bool) -> Reach {
        // What was chosen, before the demonstration's ending.
        func chosen(_ path: String) -> String { shellQuoted(String(path.dropLast(suffix.utf8.count))) }
        var reach = Reach()
        if runtime != self.runtime(nil, home: home) { reach.assignments = ["DAYBOOK_RUNTIME=\(chosen(runtime))"] }
        if isDemo { reach.options.append("--demo") }
        if home != absolute(defaultHome) + suffix { reach.options += ["--home", chosen(home)] }
        return reach
    }

    func absolute(_ path: String) -> String {
        var path = path.hasPrefix("/") ? path : "\(directory)/\(path)"
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}

/// The text as one word of a POSIX shell.
func shellQuoted(_ text: String) -> String {
    let plain = text.unicodeScalars.allSatisfy {
        "a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0 || "/._-+:@".unicodeScalars.contains($0)
    }
    if plain, !text.isEmpty { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
