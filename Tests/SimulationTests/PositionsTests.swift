import Client
import Messages
import Service
import Testing
import ZeroMQ

@testable import Simulation

/// What simulated schedules found in how services wait for positions.
struct PositionsTests {
    /// Whether it was told at once, or only when the time was over, was left to the order of a dictionary.
    @Test func anotherLogIsToldAtOnceWhateverElseIsWaitedFor() throws {
        let network = SimulatedNetwork()
        defer { network.end() }
        let time = World.Time()
        let clock = Clock(
            now: { time.calendar },
            monotonic: { time.now },
            makeIdentifier: { time.makeIdentifier() }
        )
        let endpoints = ServiceEndpoints.ipc(folder: "/simulated", Note.service)
        let service = try SimulatedService(
            Definitions.notes,
            try Definitions.notes.storeInMemory(),
            endpoints: endpoints,
            sources: [Paint.service: .ipc(folder: "/simulated", Paint.service)],
            network,
            clock,
            RetentionPolicy()
        )
        defer { service.kill() }
        let client = try SimulatedClient(1, network, start: time.start, now: { time.instant })
        defer { client.kill() }
        for _ in 0..<20 {
            let other = Position(epoch: time.makeIdentifier(), sequence: 1)
            let inquiry = Inquiry(
                content: .knownPaints(isScan: true),
                key: nil,
                after: [Note.service.rawValue: other, Paint.service.rawValue: other],
                deadline: 5000,
                isPaintKnown: false
            )
            let id = client.send(try inquiry.outgoing(to: endpoints.requests), timeout: 5000)
            _ = try client.takeTurn()
            for socket in network.connectors { _ = network.connect(socket) }
            _ = try client.takeTurn()
            while let wire = network.wires.first(where: { !$0.toListener.isEmpty }) {
                network.deliver(on: wire, toListener: true)
            }
            #expect(try service.takeTurn())
            while let wire = network.wires.first(where: { !$0.toConnector.isEmpty }) {
                network.deliver(on: wire, toListener: false)
            }
            let ended = try client.takeTurn()
            #expect(ended.map(\.id) == [id])
            guard case .success(let answer)? = ended.first?.outcome else { continue }
            #expect(answer.header.status == .resync)
        }
    }
}
