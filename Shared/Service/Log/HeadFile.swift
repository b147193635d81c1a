internal import Glibc
internal import Messages
internal import Store

/// How far a log had come, in a file of its own beside the store: so a store that somebody put back is noticed.
///
/// One line, `<epoch> <sequence> <chain>`, always of the same length, so that it is overwritten in place. It is written
/// behind each commit that made events, before anything of them is told, and not synced: a kill of the process leaves it
/// whole, and after a power cut it may be older than the store, but is never ahead of it. A store that is behind it, or has another event there, has lost what was told.
struct HeadFile {
    let path: String
    /// What the file says; nil where there is none that can be read.
    private(set) var head: Head?
    private var isFailing = false

    struct Head: Hashable {
        var epoch: Identifier
        var sequence: Int64
        var chain: UInt64

        init(_ log: EventLog) {
            (epoch, sequence, chain) = (log.epoch, log.sequence, log.chain)
        }

        init?(_ line: String) {
            let words = line.split { $0 == " " || $0 == "\n" }
            guard words.count == 3, let epoch = Identifier(String(words[0])), let sequence = Int64(words[1]),
                let chain = UInt64(words[2])
            else { return nil }
            (self.epoch, self.sequence, self.chain) = (epoch, sequence, chain)
        }

        var line: String { "\(epoch) \(Self.padded(sequence)) \(Self.padded(chain))\n" }

        private static func padded(_ number: some BinaryInteger) -> String {
            let digits = String(number)
            return String(repeating: "0", count: 20 - digits.count) + digits
        }
    }

    init(beside store: String) {
        // Not `<store>.head`: who puts a store back by hand may take `<store>*` away before.
        path = (store.hasSuffix(".db") ? String(store.dropLast(3)) : store) + ".head"
        head = Self.read(path).flatMap(Head.init)
    }

    /// Whether the store's log is not the one that the file tells of, or has not come as far: it was put back.
    func isAhead(of session: Session) throws(StoreError) -> Bool {
        guard let head else { return false }
        let epoch = try session.first("SELECT value FROM meta WHERE key = 'epoch'") { $0.text(0) }
        guard epoch == head.epoch.description else { return true }
        let chain = try session.first("SELECT chain FROM event WHERE sequence = $1", .integer(head.sequence)) {
            $0.bits(0)
        }
        if let chain { return chain != head.chain }
        // Trimmed away, or not there yet.
        let last = try session.first("SELECT max(sequence) FROM event") { $0.isNull(0) ? 0 : $0.integer(0) } ?? 0
        return last < head.sequence
    }

    /// Writes how far the log has come, where that is news. An empty log has nothing to lose.
    ///
    /// - Returns: why it can't be written, once until it can.
    mutating func write(_ log: EventLog) -> String? {
        let now = Head(log)
        guard log.sequence > 0, now != head else { return nil }
        let bytes = Array(now.line.utf8)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let count = descriptor < 0 ? -1 : pwrite(descriptor, bytes, bytes.count, 0)
        let reason = String(cString: strerror(errno))
        if descriptor >= 0 { close(descriptor) }
        defer { isFailing = count != bytes.count }
        guard count == bytes.count else { return isFailing ? nil : reason }
        head = now
        return nil
    }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
