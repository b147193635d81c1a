import Messages

extension Invocation {
    /// Has every service read the keys anew, and says where they are in force.
    ///
    /// - Parameters:
    ///   - what: the beginning of the sentence, as "The key 'anna' is revoked".
    ///   - isInForce: whether a service's answer is what it should be.
    /// - Throws: ``CLIError/unanswered(_:)`` where not every service has confirmed it.
    func putInForce(
        _ what: String,
        isInForce: @escaping @Sendable (ServiceName, KeysInForce) -> Bool
    ) async throws(CLIError) {
        let daybook = waiting(atMost: .seconds(5))
        let answers = await withTaskGroup(of: (ServiceName, Result<KeysInForce, CLIError>).self) { group in
            for service in ServiceName.all {
                group.addTask {
                    do throws(CLIError) {
                        return (service, .success(try await daybook.send(ReadKeys(), to: service)))
                    } catch {
                        return (service, .failure(error))
                    }
                }
            }
            var answers: [ServiceName: Result<KeysInForce, CLIError>] = [:]
            for await (service, answer) in group { answers[service] = answer }
            return answers
        }
        var (told, others): ([String], [String]) = ([], [])
        var refusal: CLIError?
        for service in ServiceName.all {
            switch answers[service] {
            case .success(let keys) where keys.own == nil || isInForce(service, keys): told.append(service.rawValue)
            case .failure(let error) where error.processStatus != .unreachable:
                refusal = refusal ?? error
                others.append(service.rawValue)
            default: others.append(service.rawValue)
            }
        }
        guard !others.isEmpty else { return try output.line("\(what), in force at \(told.joined(separator: ", ")).") }
        try output.line("\(what).")
        let why = refusal.map { " (\($0.description))" } ?? ""
        throw .unanswered(
            "Not confirmed by \(others.joined(separator: ", "))\(why): a service that runs heeds the folder within a second, "
                + "one that doesn't when it starts."
        )
    }
}
