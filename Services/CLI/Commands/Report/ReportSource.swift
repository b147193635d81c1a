import Client
import Messages

extension Invocation {
    /// Asks for a report that includes everything stored before this call.
    ///
    /// - Parameters:
    ///   - sources: whose logs it is made from.
    ///   - stale: takes what reporting knows at the moment instead.
    /// - Returns: the report, and up to where in each service's log it goes.
    /// - Throws: what sending throws; where a service that is followed is down, the sentence names `--stale`.
    func report<R: Request>(
        _ request: R,
        of sources: [ServiceName] = [.catalog, .orders],
        stale: Bool
    ) async throws(CLIError) -> (R.Reply, Positions) {
        let ask = { (after: Positions) async throws(CLIError) in
            let (reply, positions) = try await sender.read(request, to: nil, after: after)
            // Reporting has a log of its own, and follows others.
            return (reply, positions.filter { position in sources.contains { $0.rawValue == position.key } })
        }
        if stale { return try await ask([:]) }
        return try await reporting { () async throws(CLIError) in
            try await ask(try await heads(of: sources))
        }
    }

    /// Waits until reporting knows everything stored before this call.
    ///
    /// - Parameters:
    ///   - sources: whose logs the report is made from.
    ///   - stale: doesn't wait.
    /// - Returns: what a report has to have reached.
    /// - Throws: as ``report(_:of:stale:)``.
    func reportedPositions(
        of sources: [ServiceName] = [.catalog, .orders],
        stale: Bool
    ) async throws(CLIError) -> Positions {
        guard !stale else { return [:] }
        return try await reporting { () throws(CLIError) in
            let heads = try await heads(of: sources)
            _ = try await sender.read(ListCommands(limit: 1), to: .reporting, after: heads)
            return heads
        }
    }

    /// Where a service that is followed is down, the sentence names `--stale`.
    private func reporting<Result>(_ body: () async throws(CLIError) -> Result) async throws(CLIError) -> Result {
        do throws(CLIError) {
            return try await body()
        } catch {
            guard error.processStatus == .unreachable, !error.isAbout(.reporting) else { throw error }
            throw .unanswered("\(error.description) Or add --stale: then the report has what is known without it.")
        }
    }

    /// Where the logs of these services end.
    private func heads(of services: [ServiceName]) async throws(CLIError) -> Positions {
        var positions: Positions = [:]
        for service in services {
            let status = try await send(StatusRequest(), to: service)
            positions[service.rawValue] = Position(epoch: status.epoch, sequence: status.sequence)
        }
        return positions
    }
}

extension CLIError {
    /// Whether this service itself did not answer.
    fileprivate func isAbout(_ service: ServiceName) -> Bool {
        if case .client(.unreachable(service, _, _)) = self { true } else { false }
    }
}
