internal import CSystem
internal import Glibc
internal import Messages
internal import Pictures

/// `daybook-thumbnail`: a picture on standard input, its thumbnail on standard output.
///
/// Exits 0 where it was made; 1 where the picture can't be read, with one sentence on standard error; 2 for arguments.
/// Decoders are C, and a picture may come from anyone: this process limits itself before it reads a byte, and what goes
/// wrong ends here.
@main
struct Main {
    static func main() {
        guard CommandLine.arguments.count == 1 else {
            write(STDERR_FILENO, "Usage: daybook-thumbnail < PICTURE > THUMBNAIL\n")
            exit(2)
        }
        // Whoever wants the thumbnail waits for it: when that process ends, so does this one.
        _ = daybook_signal_on_parent_death(SIGKILL)
        limit()
        let picture = read()
        guard picture.count <= PutBlob.maximumBytes else {
            write(STDERR_FILENO, "the picture has more than \(PutBlob.maximumBytes) bytes: make it smaller\n")
            exit(1)
        }
        do throws(PictureError) {
            let thumbnail = try Thumbnail.make(of: picture)
            exit(write(STDOUT_FILENO, thumbnail) ? 0 : 1)
        } catch {
            write(STDERR_FILENO, "\(error)\n")
            exit(1)
        }
    }

    /// Takes away what decoding doesn't need: memory above 1 GiB, a minute of processor time, files, processes.
    private static func limit() {
        for (resource, most) in [
            (RLIMIT_AS, 1 << 30), (RLIMIT_CPU, 60), (RLIMIT_NOFILE, 0), (__RLIMIT_NPROC, 0), (RLIMIT_CORE, 0),
        ] as [(__rlimit_resource, rlim_t)] {
            // At the first limit of processor time comes SIGXCPU, which says why; at the second SIGKILL.
            var limit = rlimit(rlim_cur: most, rlim_max: resource == RLIMIT_CPU ? most + 1 : most)
            guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else {
                write(STDERR_FILENO, "the system lets no limit be set: \(String(cString: strerror(errno)))\n")
                exit(1)
            }
        }
    }

    /// Standard input, up to one byte more than a picture may have.
    private static func read() -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= PutBlob.maximumBytes {
            let count = Glibc.read(STDIN_FILENO, &block, block.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            bytes += block.prefix(count)
        }
        return bytes
    }

    @discardableResult
    private static func write(_ descriptor: Int32, _ text: String) -> Bool { write(descriptor, Array(text.utf8)) }

    private static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
