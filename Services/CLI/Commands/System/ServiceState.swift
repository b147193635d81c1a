import Client
import Messages
import ZeroMQ

/// One service as `daybook status` shows it.
struct ServiceState: Sendable {
    var service: ServiceName
    var endpoint: String
    /// What it answered, or why it did not.
    var answer: Result<ServiceStatus, CLIError>

    var status: ServiceStatus? { try? answer.get() }
    var isAnswering: Bool { status != nil }

    var state: StatusSentence {
        switch answer {
        case .success(let status): status.sources.contains { $0.state == .stopped } ? .stoppedFollowing : .ready
        case .failure(let error): error.processStatus == .unreachable ? .noAnswer : .refused
        }
    }

    var problem: String? {
        if case .failure(let error) = answer { error.description } else { nil }
    }

    /// What is to be said of it beside its state; that nobody answers is said of all together.
    var remarks: [String] {
        switch answer {
        case .failure(.client(.unreachable)): return []
        case .failure(.client(let error)) where StatusSentence(error) != nil: return [error.description]
        case .failure(let error): return [StatusSentence.refusal.text(service.rawValue, error.description)]
        case .success(let status):
            let erasing = status.erasing == true ? [StatusSentence.erasing.text(service.rawValue)] : []
            let sources = status.sources.compactMap { source in
                source.reason.map { StatusSentence.notFollowing.text(service.rawValue, source.service.rawValue, $0) }
            }
            return sources + erasing
        }
    }

    /// Asks all at once, and waits 2 s at most; the answers stand in the order of the services.
    static func all(
        of daybook: Invocation,
        _ services: [ServiceName] = ServiceName.all
    ) async -> [ServiceState] {
        let daybook = daybook.waiting(atMost: .seconds(2))
        return await withTaskGroup(of: (Int, ServiceState).self) { group in
            for (index, service) in services.enumerated() {
                group.addTask { (index, await one(service, of: daybook)) }
            }
            var states: [(Int, ServiceState)] = []
            for await state in group { states.append(state) }
            return states.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static func one(_ service: ServiceName, of daybook: Invocation) async -> ServiceState {
        let endpoint = daybook.configuration.endpoints[service]?.requests.description ?? "unknown"
        do throws(CLIError) {
            let status = try await daybook.send(StatusRequest(), to: service)
            return ServiceState(service: service, endpoint: endpoint, answer: .success(status))
        } catch {
            return ServiceState(service: service, endpoint: endpoint, answer: .failure(error))
        }
    }
}

extension Noun where Row == ServiceState {
    /// Services of Daybook itself, not those that are sold.
    static let status = Noun(
        "status",
        plural: "status",
        summary: "One of the services that keep the books.",
        fields: [
            .text("service", "Service", "The service's name.") { $0.service.rawValue },
            .text("state", "State", "ready, stopped following, no answer, or refused.") { $0.state.rawValue },
            .text("endpoint", "Endpoint", "Where it takes requests.") { $0.endpoint },
            .text("version", "Version", "The program's version.") { $0.status?.version },
            .id("epoch", "Epoch", "Of the event log; a new one means that it was made anew or restored.") {
                $0.status?.epoch
            },
            .integer("sequence", "Sequence", "The last event's number.") { $0.status?.sequence },
            .integer("storeBytes", "Store", "The store's files together, in bytes.") { $0.status?.storeBytes },
            .integer("uptimeSeconds", "Up (s)", "Since the start, in seconds.") { $0.status.map { $0.uptime / 1000 } },
            .integer("process", "Process", "The process's number.", inTable: false) {
                $0.status.map { Int64($0.process) }
            },
            .list(
                "sources",
                "Follows",
                "The logs that it follows.",
                of: Noun<SourceStatus>.source.fields,
                inTable: true
            ) { $0.status?.sources ?? [] },
            .boolean("erasing", "Erasing", "Whether its files may still hold what was erased.", inTable: false) {
                $0.status?.erasing ?? false
            },
            .text("problem", "Problem", "Why there is no answer.", inTable: false) { $0.problem },
        ]
    )
}

extension Noun where Row == SourceStatus {
    fileprivate static let source = Noun(
        "source",
        plural: "sources",
        summary: "A log that is followed.",
        fields: [
            .text("service", "Service", "Whose log.") { $0.service.rawValue },
            .text("state", "State", "unreachable, catching-up, live, or stopped.") {
                StatusSentence($0.state).rawValue
            },
            .integer("sequence", "Sequence", "The last event applied.") { $0.sequence },
            .text("reason", "Reason", "Why it is not live.") { $0.reason },
        ]
    )
}
