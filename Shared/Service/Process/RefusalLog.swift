internal import CBOR
internal import Messages

/// Writes a line for each request that was not answered with `ok`, by which who was refused finds why: the request's id,
/// its operation, status and code, its trace; no sentence, which may name people.
///
/// A storm of them, as of programs that try again while the disk is full, is counted after the first lines of a second.
struct RefusalLog {
    /// The most lines of a second.
    static let mostLines = 20

    private let log: Log
    private var second: Int64 = 0
    private var lines = 0
    private var dropped = 0

    init(_ log: Log) {
        self.log = log
    }

    /// - Parameters:
    ///   - id: of the request; 0 where it could not be read.
    ///   - operation: one that the service knows, or a word for what it doesn't: others are text of anyone.
    ///   - now: in milliseconds.
    mutating func tell(_ answer: Answer, to envelope: Envelope, _ id: UInt64, operation: String, now: Int64) {
        guard answer.status != .ok else { return }
        settle(now: now)
        lines += 1
        guard lines <= Self.mostLines else {
            dropped += 1
            return
        }
        // The body is one of ours.
        let code = (try? CBORDecoder().decode(ErrorBody.self, from: answer.body))?.code ?? answer.status.rawValue
        let trace = envelope.origin?.traceparent.flatMap(TraceContext.init)?.traceID ?? "none"
        log.write(
            level(answer.status),
            "refused",
            [
                "request": RequestHeader.text(ofID: id), "operation": operation, "status": answer.status.rawValue,
                "code": code, "trace": trace,
            ]
        )
    }

    /// Says how many lines were left out, once their second is over.
    mutating func settle(now: Int64) {
        guard now / 1000 != second else { return }
        if dropped > 0 { log.write(.warning, "more were refused than are told", ["count": String(dropped)]) }
        (second, lines, dropped) = (now / 1000, 0, 0)
    }

    private func level(_ status: Status) -> Log.Level {
        switch status {
        case .internal: .error
        case .storageFull, .unavailable, .timedOut: .warning
        default: .info
        }
    }
}
