import ArgumentParser

/// The commands that wait for delivery.
struct Queue: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See and sort out the commands that could not be delivered.",
        discussion:
            "Commands with --queue are kept here where a service does not answer; 'daybook sync' delivers them. \(whatIsQueued)",
        subcommands: [QueueList.self, QueueShow.self, QueueDrop.self, QueueRetry.self]
    )

    /// Which commands can be queued, and why others can't.
    static let whatIsQueued =
        "What is entered anew can be queued: 'add' of customers, services, recipes, types, orders, dogs and walks, 'orders pay' "
        + "with an amount, 'walks start' and 'walks stop'. Edits, deletes and 'orders clone' need the record as it is, 'orders set' "
        + "shows first which orders it means, and bills of walks need to know which are billed: these can't."
}
