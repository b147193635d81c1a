import Glibc

extension ParsableArguments {
    /// Prints what `error` has to say, help wrapped to the terminal's width, and ends the process with its code.
    public static func exit(withError error: (any Error)? = nil) -> Never {
        guard let error else { Glibc.exit(ExitCode.success.rawValue) }
        let code = exitCode(for: error)
        let descriptor: Int32 = code.isSuccess ? 1 : 2
        let text = fullMessage(for: error, columns: terminalColumns(of: descriptor))
        if !text.isEmpty { writeAll(text + "\n", to: descriptor) }
        Glibc.exit(code.rawValue)
    }
}

/// The width of the terminal behind `descriptor`; `nil` when it is a file or a pipe.
private func terminalColumns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}

/// Writes until all is written or the reader is gone.
private func writeAll(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        bytes = bytes.dropFirst(count)
    }
}
