import Client
import Messages

extension Invocation {
    /// Asks for a report that includes everything stored before this call.
    ///
    /// - Parameter stale: takes what reporting knows at the moment instead.
    /// - Returns: the report, and up to where in each service's log it goes.
    /// - Throws: what sending throws; where a service that is followed is down, the sentence names `--stale`.
    func report<R: Request>(_ request: R, stale: Bool) async throws(CLIError) -> (R.Reply, Positions) {
        var after: Positions = [:]
        do throws(CLIError) {
            if !stale { after = try await heads(of: [.catalog, .orders]) }
            let (reply, positions) = try await sender.read(request, to: nil, after: after)
            // Reporting's own log is no source of it.
            return (reply, positions.filter { $0.key != ServiceName.reporting.rawValue })
        } catch {
            guard error.processStatus == .unreachable, !stale, !error.isAbout(.reporting) else { throw error }
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
