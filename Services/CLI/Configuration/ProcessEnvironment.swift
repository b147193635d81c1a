import Glibc

/// What the process was started with.
enum ProcessEnvironment {
    /// The environment; variables that are not UTF-8 are left out.
    static let variables: [String: String] = {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            next += 1
            guard let text = String(validatingCString: entry), let equals = text.firstIndex(of: "=") else { continue }
            variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        return variables
    }()

    /// The working directory; `/` where it was removed.
    static let directory: String = {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }()

    /// This program's own file, links resolved.
    static let executable = File.resolved("/proc/self/exe") ?? "/daybook"
}
