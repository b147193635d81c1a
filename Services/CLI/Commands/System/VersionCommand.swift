import ArgumentParser
import Messages

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

    func run() throws {
        try CommandProcess.output.line(Release.version)
    }
}
