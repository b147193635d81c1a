import ArgumentParser
import CBOR
import Client
import Glibc
import Messages

/// Sends requests: the client, or a stand-in in tests.
protocol RequestSender: Sendable {
    /// Sends a request and waits for its reply.
    ///
    /// - Parameters:
    ///   - service: who answers requests that every service answers; nil for all others.
    ///   - key: the idempotency key of a command; a new one where it is nil.
    /// - Throws: ``CLIError/client(_:)``.
    func send<R: Request>(_ request: R, to service: ServiceName?, key: Identifier?) async throws(CLIError) -> R.Reply

    /// Asks a query that sees all up to `positions`.
    ///
    /// - Parameter service: who answers requests that every service answers; nil for all others.
    /// - Returns: the reply, and the positions of what it was read from.
    /// - Throws: ``CLIError/client(_:)``, also for positions that were not reached in time.
    func read<R: Request>(
        _ request: R,
        to service: ServiceName?,
        after positions: Positions
    ) async throws(CLIError) -> (reply: R.Reply, positions: Positions)
}

extension RequestSender {
    /// For stand-ins that have no positions.
    func read<R: Request>(
        _ request: R,
        to service: ServiceName?,
        after positions: Positions
    ) async throws(CLIError) -> (reply: R.Reply, positions: Positions) {
        (try await send(request, to: service, key: nil), [:])
    }
}

/// What a command works with: its configuration, where it prints, whom it asks.
///
///     let daybook = try Invocation(global, output)
///     let customer = try await daybook.send(Put(record), key: change.key)
///     try daybook.presentation.show(customer, of: .customer)
struct Invocation: Sendable {
    let configuration: Configuration
    let presentation: Presentation
    let sender: any RequestSender
    /// Where commands are kept that can't be delivered now; nil where this one is not to be kept.
    let queue: CommandQueue?

    var output: Output { presentation.output }

    init(
        configuration: Configuration,
        presentation: Presentation,
        sender: any RequestSender,
        queue: CommandQueue? = nil
    ) {
        self.configuration = configuration
        self.presentation = presentation
        self.sender = sender
        self.queue = queue
    }

    /// Reads the configuration, and connects when the first request is sent.
    ///
    /// - Parameters:
    ///   - keepEvents: how long services that are started keep events, where the command line says so.
    ///   - hasPicture: whether it can be printed as SVG.
    ///   - file: the file that it is printed into; nil for standard output.
    ///   - queueing: of commands that can be queued.
    /// - Throws: as ``Configuration/load(flags:environment:directory:contents:isFolder:)``; also where the format can't be
    ///   printed there, before anything is done.
    init(
        _ global: GlobalOptions,
        _ options: OutputOptions? = nil,
        keepEvents: String? = nil,
        hasPicture: Bool = false,
        file: String? = nil,
        queueing: QueueOptions? = nil
    ) throws(CLIError) {
        let flags = ConfigurationFlags(
            home: global.home,
            timeout: global.timeout,
            format: options?.format,
            isDemo: global.demo,
            keepEvents: keepEvents
        )
        let configuration = try Configuration.load(
            flags: flags,
            environment: ProcessEnvironment.variables,
            directory: ProcessEnvironment.directory,
            contents: { path throws(CLIError) in try File.contents(path) },
            isFolder: File.isFolder
        )
        if configuration.format == .svg, !hasPicture { throw .noPicture }
        if configuration.format == .pdf {
            guard file != nil || isatty(STDOUT_FILENO) == 0 else { throw .pdfOnTerminal }
            try PaperProgram.installed.check()
        }
        let presentation = Presentation(
            format: configuration.format,
            fields: options?.fields.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) },
            isQuiet: options?.quiet ?? false,
            output: CommandProcess.output
        )
        let sender = ClientSender(configuration)
        let isQueueing = queueing.map { $0.queue || configuration.isQueueing } ?? false
        self.init(
            configuration: configuration,
            presentation: presentation,
            sender: sender,
            queue: isQueueing ? CommandQueue(home: configuration.home) : nil
        )
    }

    /// The same with another time-out, unless a shorter one was asked for.
    func waiting(atMost timeout: Duration) -> Invocation {
        configuration.timeout > timeout ? waiting(timeout) : self
    }

    /// The same with another time-out.
    func waiting(_ timeout: Duration) -> Invocation {
        guard sender is ClientSender else { return self }
        var configuration = configuration
        configuration.timeout = timeout
        return Invocation(
            configuration: configuration,
            presentation: presentation,
            sender: ClientSender(configuration),
            queue: queue
        )
    }

    /// As ``RequestSender/send(_:to:key:)``.
    func send<R: Request>(
        _ request: R,
        to service: ServiceName? = nil,
        key: Identifier? = nil
    ) async throws(CLIError) -> R.Reply {
        try await sender.send(request, to: service, key: key)
    }

    /// Finds records by what people call them.
    var resolver: Resolver { Resolver(sender: sender) }

    /// Finds records by what they were called at a moment; nil for now.
    func resolver(asOf moment: AsOf?) -> Resolver { Resolver(sender: sender, asOf: moment) }

    /// The id of what a list is asked for by. As of a moment, a whole UUID needs not be there any more.
    ///
    /// - Throws: what finding it throws.
    func id<R: Resolvable>(_ type: R.Type, _ text: String, in list: ListOptions) async throws(CLIError) -> Identifier {
        if list.past.asOf != nil, let id = Identifier(text) { return id }
        return try await resolver.record(type, text).id
    }

    /// Prints a list as its options say: how much of it, as of when, or with what changes in it, as
    /// ``watch(_:of:_:after:)``.
    ///
    /// - Parameters:
    ///   - sort: nil for the noun's own.
    ///   - section: what rows are put together by where they are watched.
    /// - Throws: what sending and printing throw; an unknown field is refused before anything is asked for.
    func list<R: Record>(
        _ noun: Noun<R>,
        filter: Filter?,
        sort: [SortKey]?,
        _ options: ListOptions,
        section: ListQuery.Section? = nil
    ) async throws(CLIError) {
        let limit = options.limit
        let moment = try options.past.moment(of: R.service, watch: options.watching.watch)
        if options.watching.watch {
            let window = limit.map { ListWindow(limit: $0) }
            let query = ListQuery(.entity(R.entity), filter: filter, sort: sort, section: section, window: window)
            return try await watch(query, of: R.service, WatchView<R> { _ in noun })
        }
        try await list(noun, filter: filter, sort: sort, limit: limit, asOf: moment)
    }

    /// Prints a list page by page as it arrives: 100 rows first, then 1,000 at a time.
    ///
    /// - Parameters:
    ///   - sort: nil for the noun's own.
    ///   - limit: the most rows to print; nil for all.
    ///   - moment: nil for now.
    /// - Throws: as ``list(_:filter:sort:_:section:)``.
    func list<R: Record>(
        _ noun: Noun<R>,
        filter: Filter? = nil,
        sort: [SortKey]? = nil,
        limit: Int? = nil,
        asOf moment: AsOf? = nil
    ) async throws(CLIError) {
        var writer = try presentation.rowWriter(noun)
        var left = limit ?? .max
        var pageSize = List<R>.shortPage
        var cursor: [UInt8]?
        var reached: AsOf.Listed?
        repeat {
            let page = try await send(
                List<R>(filter: filter, sort: sort, after: cursor, limit: min(left, pageSize), asOf: moment)
            )
            reached = page.asOf
            for row in page.rows.prefix(left) { try writer.write(row) }
            left -= page.rows.count
            cursor = page.next
            pageSize = 1000
        } while cursor != nil && left > 0
        try writer.finish()
        // Beside the result, which is the same in each form.
        if let reached, presentation.format == .table, !presentation.isQuiet {
            try output.flush()
            StandardError.write("\(reached.words(of: R.service))\n")
        }
    }
}

/// Sends by a client that is made when it is first needed: help and refusals open no socket.
final class ClientSender: RequestSender {
    private let configuration: Configuration
    private let made = OnceMade<DaybookClient>()

    init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    func send<R: Request>(_ request: R, to service: ServiceName?, key: Identifier?) async throws(CLIError) -> R.Reply {
        do throws(ClientError) {
            return try await client().send(request, to: service, key: key).value
        } catch {
            throw .client(error)
        }
    }

    func read<R: Request>(
        _ request: R,
        to service: ServiceName?,
        after positions: Positions
    ) async throws(CLIError) -> (reply: R.Reply, positions: Positions) {
        do throws(ClientError) {
            let response = try await client().send(request, to: service, after: positions)
            return (response.value, response.positions)
        } catch {
            throw .client(error)
        }
    }

    /// Sends a command that was queued, and waits until it is done.
    ///
    /// - Throws: ``CLIError/client(_:)``.
    func deliver(_ command: QueuedCommand) async throws(CLIError) {
        do throws(ClientError) {
            try await client().deliver(
                command.body.bytes,
                as: command.operation,
                key: command.key,
                to: command.service
            )
        } catch {
            throw .client(error)
        }
    }

    private func client() throws(ClientError) -> DaybookClient {
        try made.value { () throws(ClientError) in
            try DaybookClient(configuration.client)
        }
    }
}
