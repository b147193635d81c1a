import ArgumentParser
import Client
import Messages

struct Events: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Show what happened to the records, and what happens.",
        discussion:
            "Without --follow all that is kept, up to now; with it what comes, from now on. Nothing is left out "
            + "and nothing comes twice, also while services stop and start again; where events can't be continued, a "
            + "resync with its reason is shown. 'jsonl' prints CloudEvents 1.0 JSON, an event on each line.",
        examples: [
            "daybook events --source orders --from orders:120",
            "daybook events --follow --type order.created --format jsonl",
            "daybook events --follow --from orders:120,catalog:33",
        ]
    )

    @Flag(name: .shortAndLong, help: "Go on with what comes, until Ctrl-C.")
    var follow = false

    @Option(help: "The form of what is printed.")
    var format = EventFormat.text

    @OptionGroup var events: EventOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let selection = try EventSelection(events)
        let from = events.from ?? (follow ? .now : .start)
        var starts: [(ServiceName, EventPosition?)] = []
        for source in selection.sources {
            starts.append((source, try from.position(of: source, among: selection.sources)))
        }
        for service in from.services where !selection.sources.contains(service) {
            throw CLIError.usage("--from has a position of \(service), which is no --source.")
        }
        let daybook = try Invocation(global)
        let printer = EventPrinter(format: format, selection: selection, output: daybook.output)
        let subscriber = try EventSubscriber(daybook.configuration)
        // Also asked where it isn't needed: a service that does not answer is told at once.
        var heads: [EventPosition] = []
        for (source, _) in starts { heads.append(try await subscriber.head(of: source)) }
        var places: [(source: ServiceName, position: EventPosition)] = []
        for ((source, position), head) in zip(starts, heads) {
            let isStart = position == .start
            places.append((source, isStart ? try await subscriber.beginning(of: source) : position ?? head))
        }
        guard follow else {
            for place in places {
                try await subscriber.print(place.source, from: place.position, by: printer, follow: false)
            }
            return
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for place in places {
                group.addTask {
                    try await subscriber.print(place.source, from: place.position, by: printer, follow: true)
                }
            }
            try await group.waitForAll()
        }
    }
}

extension EventFormat: ExpressibleByArgument {}

/// The client of commands that follow events, with their errors.
struct EventSubscriber: Sendable {
    let client: DaybookClient

    init(_ configuration: Configuration) throws(CLIError) {
        do throws(ClientError) {
            client = try DaybookClient(configuration.client)
        } catch {
            throw .client(error)
        }
    }

    /// Where a log ends now.
    ///
    /// - Throws: ``CLIError/client(_:)``.
    func head(of service: ServiceName) async throws(CLIError) -> EventPosition {
        do throws(ClientError) {
            return try await client.head(of: service)
        } catch {
            throw .client(error)
        }
    }

    /// Before the first event that a service keeps.
    ///
    /// - Throws: ``CLIError/client(_:)``.
    func beginning(of service: ServiceName) async throws(CLIError) -> EventPosition {
        do throws(ClientError) {
            let floor = try await client.send(StatusRequest(), to: service).value.floor ?? 0
            return EventPosition(sequence: floor)
        } catch {
            throw .client(error)
        }
    }

    /// Hands on what a subscription gives out, one after the other.
    ///
    /// - Throws: ``CLIError/client(_:)``, and what `body` throws.
    func updates(
        of service: ServiceName,
        from position: EventPosition,
        entities: Set<String>?,
        follow: Bool,
        body: (EventUpdate) async throws(CLIError) -> Void
    ) async throws(CLIError) {
        var updates = client.events(from: position, of: service, entities: entities, follow: follow).makeAsyncIterator()
        while true {
            let update: EventUpdate?
            do throws(ClientError) {
                update = try await updates.next(isolation: #isolation)
            } catch {
                throw .client(error)
            }
            guard let update else { return }
            try await body(update)
        }
    }

    fileprivate func print(
        _ service: ServiceName,
        from position: EventPosition,
        by printer: EventPrinter,
        follow: Bool
    ) async throws(CLIError) {
        let entities = printer.selection.entities
        try await updates(of: service, from: position, entities: entities, follow: follow) { update throws(CLIError) in
            try printer.print(update, of: service)
            if follow { try printer.output.flush() }
        }
    }
}
