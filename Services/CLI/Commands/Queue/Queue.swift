import ArgumentParser

/// The commands that wait for delivery.
struct Queue: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See and sort out the commands that could not be delivered.",
        discussion:
            "Commands with --queue are kept here where a service does not answer; 'daybook sync' delivers them.",
        subcommands: [QueueList.self, QueueShow.self, QueueDrop.self, QueueRetry.self]
    )
}
