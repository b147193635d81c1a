internal import CSystem
internal import Glibc

/// Tells whoever started the process that it is ready, or why it is not: a supervisor at the descriptor that
/// `DAYBOOK_READY_FD` names, systemd at its socket (sd_notify(3)). What can't be told goes to the log.
final class Readiness {
    /// Nil once it was written to: its number may be another file's from then on.
    private var descriptor: Int32?
    private let log: Log

    /// - Parameter descriptor: closed by the first word.
    init(descriptor: Int32?, log: Log) {
        self.descriptor = descriptor
        self.log = log
    }

    /// Requests are taken from now on.
    func tellReady() {
        write("ready")
        notify("READY=1\nSTATUS=takes requests")
    }

    /// - Parameter sentence: shown by `systemctl status`; the supervisor gets it only in place of ``tellReady()``.
    func tellFailure(_ sentence: String) {
        let line = String(String.UnicodeScalarView(sentence.unicodeScalars.map { $0 == "\n" ? " " : $0 }))
        write("failed: \(line)")
        notify("STATUS=\(line)")
    }

    private func write(_ line: String) {
        guard let descriptor else { return }
        self.descriptor = nil
        let bytes = Array((line + "\n").utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 { tellLog(errno) }
        close(descriptor)
    }

    private func notify(_ state: String) {
        let code = unsafe daybook_notify_service_manager(state)
        if code != 0 { tellLog(code) }
    }

    private func tellLog(_ code: Int32) {
        log.write(.warning, "can't tell who started this: \(unsafe String(cString: strerror(code)).lowercased())")
    }
}
