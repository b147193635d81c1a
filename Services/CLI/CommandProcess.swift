import ArgumentParser
import Client
import Glibc
import Messages

/// One run of the command in this process: arguments in, exit code out.
enum CommandProcess {
    /// Standard output of this process.
    static let output = Output(
        style: .of(descriptor: STDOUT_FILENO, environment: ProcessEnvironment.variables)
    )

    /// Ctrl-C ends the process at once, with 130 as shells have it, also where it was started with the signal ignored.
    /// A closed pipe is an error of the write instead of a signal.
    static func prepareSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGINT) { _ in _exit(130) }
    }

    /// Parses, runs, and says in one sentence what went wrong.
    ///
    /// - Parameter arguments: without the program's name; nil for those of the process.
    /// - Returns: the exit code.
    static func run(arguments: [String]?) async -> Int32 {
        do {
            try await perform(arguments)
            try output.flush()
            return ProcessStatus.success.rawValue
        } catch {
            return end(with: error)
        }
    }

    private static func perform(_ arguments: [String]?) async throws {
        var command = try Daybook.parseAsRoot(arguments)
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            throw CLIError.usage(error.message)
        }
    }

    /// Prints what was gathered before the error, and then its sentence.
    private static func end(with error: any Error) -> Int32 {
        if !(error is CLIError) { return endParsing(with: error) }
        let error = describable(error)
        // What was printed before the failure stays printed; a second failure adds nothing to the first.
        if case .closedPipe = error {} else { try? output.flush() }
        if case .queued(let sentence) = error {
            StandardError.write("\(sentence)\n")
        } else {
            complain(error.description + requestNote(error))
        }
        return error.processStatus.rawValue
    }

    /// By what a refusal is found in the service's log.
    private static func requestNote(_ error: CLIError) -> String {
        guard case .client(.refused(_, _, let body)) = error, let id = body.request else { return "" }
        return " [request \(RequestHeader.text(ofID: id))]"
    }

    private static func describable(_ error: any Error) -> CLIError {
        error as? CLIError ?? .failure(String(describing: error))
    }

    /// Help and the version on standard output; usage errors on standard error.
    private static func endParsing(with error: any Error) -> Int32 {
        let code = Daybook.exitCode(for: error)
        let columns = output.style.columns
        let text = Daybook.fullMessage(for: error, columns: columns)
        guard code.isSuccess else {
            if !text.isEmpty { StandardError.write(text + "\n") }
            if text.contains("has no option '--queue'") { StandardError.write(Queue.whatIsQueued + "\n") }
            return code.rawValue
        }
        do throws(CLIError) {
            if !text.isEmpty { try output.line(text) }
            try output.flush()
            return code.rawValue
        } catch {
            complain(error.description)
            return error.processStatus.rawValue
        }
    }

    private static func complain(_ sentence: String) {
        if !sentence.isEmpty { StandardError.write("Error: \(sentence)\n") }
    }
}

/// Standard error, unbuffered. Nobody can be told where it fails.
enum StandardError {
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var sent = 0
            while let start = bytes.baseAddress, sent < bytes.count {
                let count = Glibc.write(STDERR_FILENO, start + sent, bytes.count - sent)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                sent += count
            }
        }
    }
}
