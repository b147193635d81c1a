import Glibc
import Messages
import Support

/// A folder for what a target writes; it goes with the last reference.
final class ScratchFolder: Sendable {
    let path: String

    init() throws(HarnessError) {
        path = "\(Environment["TMPDIR"] ?? "/tmp")/daybook-fuzz-\(getpid())-\(Identifier.make().tail(6))"
        guard mkdir(path, 0o700) == 0 else { throw HarnessError("can't make \(path)") }
    }

    deinit { Self.remove(path) }

    private static func remove(_ folder: String) {
        for name in File.names(in: folder) where unlink("\(folder)/\(name)") != 0 { remove("\(folder)/\(name)") }
        rmdir(folder)
    }
}
