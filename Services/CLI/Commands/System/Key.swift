import ArgumentParser
import Messages

struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a new key for --key.",
        discussion: "A command that is sent again with the same key and the same content within 7 days has its effect "
            + "once, and gives the first answer again.",
        examples: ["key=$(daybook key); daybook customers add 'Ann Berg' --key $key"]
    )

    func run() throws {
        try CommandProcess.output.line(Identifier.make().description)
    }
}
