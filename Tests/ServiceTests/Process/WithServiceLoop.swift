import Client
import Dispatch
import Support
import Testing
import ZeroMQ

@testable import Service

/// Runs the closure while a service answers on a thread of its own, with a store in a scratch folder; then stops the service.
///
/// - Parameter body: is given where the service is reached, and what stops it, which may be called at any time.
func withServiceLoop(
    _ definition: ServiceDefinition,
    _ body: (ServiceEndpoints, @escaping @Sendable () -> Void) async throws -> Void
) async throws {
    let folder = try ScratchFolder()
    let termination = try WakeUp()
    let endpoints = ServiceEndpoints.ipc(folder: folder.path, definition.name)
    let (bound, binds) = AsyncStream<Void>.makeStream()
    async let running: Void = DedicatedThread.run {
        // Whatever comes of it, nobody waits for ever.
        defer { binds.finish() }
        let loop = try ServiceLoop(
            try Engine(definition, storePath: "\(folder.path)/desk.db"),
            endpoints: endpoints,
            sources: [:],
            termination: termination.fileDescriptor,
            log: Log(service: definition.name)
        )
        binds.finish()
        try loop.run()
    }
    for await _ in bound {}
    do {
        try await body(endpoints) { termination.signal() }
    } catch {
        termination.signal()
        try await running
        throw error
    }
    termination.signal()
    try await running
}
