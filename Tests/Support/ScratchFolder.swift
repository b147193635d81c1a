import Glibc

/// An empty folder of a test's own. With the last reference it goes, whatever is in it.
public final class ScratchFolder: Sendable {
    public let path: String

    public init() throws(HarnessError) {
        var template = Array("\(Environment["TMPDIR"] ?? "/tmp")/daybook-scratch-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw HarnessError("can't make a temporary folder: \(String(cString: strerror(errno)))")
        }
        self.path = path
    }

    deinit { Self.remove(path) }

    private static func remove(_ folder: String) {
        for name in File.names(in: folder) where unlink("\(folder)/\(name)") != 0 { remove("\(folder)/\(name)") }
        rmdir(folder)
    }
}
