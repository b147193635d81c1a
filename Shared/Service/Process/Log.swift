internal import Glibc
package import Messages

/// Writes lines in logfmt to standard error: time, level, service, message and pairs. No personal data.
package struct Log: Sendable {
    package enum Level: String, Sendable {
        case info
        case warning
        case error
    }

    let service: ServiceName
    private let isSilent: Bool

    /// - Parameter isSilent: nothing is written: a simulation's services have nobody to tell.
    package init(service: ServiceName, isSilent: Bool = false) {
        self.service = service
        self.isSilent = isSilent
    }

    package func write(_ level: Level, _ message: String, _ pairs: KeyValuePairs<String, String> = [:]) {
        guard !isSilent else { return }
        var line = "time=\(Instant.now()) level=\(level) service=\(service) message=\(Log.quoted(message))"
        for (key, value) in pairs { line += " \(key)=\(Log.quoted(value))" }
        line += "\n"
        var bytes = Array(line.utf8)[...]
        // A log that can't be written must not stop the service.
        while !bytes.isEmpty {
            let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }

    static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 < 0x7F }
        if isPlain { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: quoted += "\\x\(String(scalar.value, radix: 16))"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
