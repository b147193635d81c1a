import Client
import Messages

extension Invocation {
    /// A rebuild reads a whole log; nothing tells how long that is.
    private static let patience = Duration.seconds(600)

    /// Prints the content of each projection of a service.
    ///
    /// - Parameter source: the only one; nil for all.
    /// - Throws: ``CLIError``.
    func hashProjections(of service: String, source: String?) async throws(CLIError) {
        let service = try ServiceName.named(service)
        var writer = try presentation.rowWriter(Noun.projection)
        for source in try await sources(of: service, only: source) {
            let (content, sequence) = try await content(of: source, in: service)
            try writer.write(
                ProjectionContent(service: service, source: source, sequence: sequence, content: content)
            )
        }
        try writer.finish()
    }

    /// Makes each projection of a service anew, one after the other, and prints how its content compares.
    ///
    /// - Parameter source: the only one; nil for all.
    /// - Throws: ``CLIError``; ``CLIError/failure(_:)`` where a content differs, after all are printed.
    func rebuildProjections(of service: String, source: String?, key: Identifier?) async throws(CLIError) {
        let service = try ServiceName.named(service)
        var writer = try presentation.rowWriter(Noun.projection)
        let sources = try await sources(of: service, only: source)
        guard key == nil || sources.count == 1 else {
            let names = sources.map(\.rawValue).joined(separator: ", ")
            throw .usage("\(service) follows \(names), and a key is for one command: add --source.")
        }
        var different: [String] = []
        for source in sources {
            let row = try await rebuilt(source, in: service, key: key)
            if row.outcome == .different { different.append(source.rawValue) }
            try writer.write(row)
        }
        try writer.finish()
        guard different.isEmpty else {
            throw .failure(
                "What \(service) knew of \(different.joined(separator: ", ")) was not what the log tells; now it is."
            )
        }
    }

    private func rebuilt(
        _ source: ServiceName,
        in service: ServiceName,
        key: Identifier?
    ) async throws(CLIError) -> ProjectionContent {
        // Emptied while its source is down, it would stay empty.
        let head = try await send(StatusRequest(), to: source)
        var before: (content: HashProjection.Reply, sequence: Int64)?
        do throws(CLIError) {
            before = try await content(of: source, in: service)
        } catch {
            // Half built: there is nothing to compare with.
            guard case .client(.refused(_, .unavailable, _)) = error else { throw error }
        }
        let reply = try await send(RebuildProjection(source: source), to: service, key: key)
        let end = Position(epoch: head.epoch, sequence: head.sequence)
        // Where the log is another one meanwhile, the place in the one before is never reached again.
        let goal = reply.position.map { $0.epoch == end.epoch ? $0 : end } ?? end
        let after = try await waiting(Self.patience).content(of: source, in: service, from: goal)
        let outcome: ProjectionContent.Outcome =
            if let before {
                if before.content == after.content {
                    .identical
                } else {
                    before.sequence == after.sequence ? .different : .advanced
                }
            } else { .built }
        return ProjectionContent(
            service: service,
            source: source,
            sequence: after.sequence,
            content: after.content,
            before: before?.content,
            outcome: outcome
        )
    }

    private func content(
        of source: ServiceName,
        in service: ServiceName,
        from position: Position? = nil
    ) async throws(CLIError) -> (content: HashProjection.Reply, sequence: Int64) {
        let after = position.map { [source.rawValue: $0] } ?? [:]
        let (reply, positions) = try await sender.read(HashProjection(source: source), to: service, after: after)
        return (reply, positions[source.rawValue]?.sequence ?? 0)
    }

    /// The services that a service follows, or the one of them that was asked for.
    private func sources(of service: ServiceName, only text: String?) async throws(CLIError) -> [ServiceName] {
        let chosen = try text.map { text throws(CLIError) in try ServiceName.named(text) }
        let followed = try await send(StatusRequest(), to: service).sources.map(\.service)
        guard !followed.isEmpty else { throw .failure("\(service) follows no other service.") }
        guard let chosen else { return followed }
        guard followed.contains(chosen) else {
            throw .failure("\(service) follows \(followed.map(\.rawValue).joined(separator: ", ")), not \(chosen).")
        }
        return [chosen]
    }
}
