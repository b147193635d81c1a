import CBOR
import Client
import Messages
import Service
import Testing
import ZeroMQ

@testable import Simulation

/// What simulated schedules found in reads of a projection that is made anew meanwhile: they showed less than was asked for.
struct RebuildTests {
    /// Both services and a client; nothing moves but by the test.
    private final class Town {
        let network = SimulatedNetwork()
        let time = World.Time()
        let services: [SimulatedService]
        let client: SimulatedClient
        var outcomes: [UInt64: Outcome] = [:]

        init() throws {
            let time = time
            let clock = Clock(
                now: { time.calendar },
                monotonic: { time.now },
                makeIdentifier: { time.makeIdentifier() }
            )
            let paints = ServiceEndpoints.ipc(folder: "/simulated", Paint.service)
            var services: [SimulatedService] = []
            for definition in World.definitions {
                services.append(
                    try SimulatedService(
                        definition,
                        try definition.storeInMemory(),
                        endpoints: .ipc(folder: "/simulated", definition.name),
                        sources: definition.name == Note.service ? [Paint.service: paints] : [:],
                        network,
                        clock,
                        RetentionPolicy()
                    )
                )
            }
            self.services = services
            client = try SimulatedClient(1, network, start: time.start, now: { time.instant })
        }

        func end() {
            client.kill()
            for service in services { service.kill() }
            network.end()
        }

        func ask(_ content: Inquiry.Content, key: Identifier? = nil, after: Positions = [:]) throws -> UInt64 {
            let inquiry = Inquiry(content: content, key: key, after: after, deadline: 8000, isPaintKnown: false)
            let endpoint = ServiceEndpoints.ipc(folder: "/simulated", inquiry.service).requests
            return client.send(try inquiry.outgoing(to: endpoint), timeout: 8000)
        }

        /// All that is under way arrives, and everybody has a turn.
        func turn() throws {
            for (id, outcome) in try client.takeTurn() { outcomes[id] = outcome }
            for socket in network.connectors { _ = network.connect(socket) }
            for (id, outcome) in try client.takeTurn() { outcomes[id] = outcome }
            deliver(toListener: true)
            for service in services { _ = try service.takeTurn() }
            deliver(toListener: false)
            time.now += 20
        }

        private func deliver(toListener: Bool) {
            for wire in network.wires {
                while !(toListener ? wire.toListener : wire.toConnector).isEmpty {
                    network.deliver(on: wire, toListener: toListener)
                }
            }
        }

        func answer(_ id: UInt64) throws -> Client.Answer {
            for _ in 0..<300 where outcomes[id] == nil {
                try turn()
                while let readers = services[1].readers, !readers.isIdle { readers.runOne() }
            }
            return try #require(try outcomes[id]?.get())
        }
    }

    private func known(_ answer: Client.Answer) throws -> Int {
        #expect(answer.header.status == .ok)
        return try CBORDecoder().decode(KnownPaints.Reply.self, from: answer.body[0].bytes).rows.count
    }

    @Test(arguments: [true, false]) func whoAsksForAPositionSeesItOverARebuild(isScan: Bool) throws {
        let town = try Town()
        defer { town.end() }
        var after: Positions = [:]
        for mark in Int64(1)...10 {
            let paint = Paint(id: town.time.makeIdentifier(), title: "red", rank: 1, mark: mark)
            let answer = try town.answer(try town.ask(.putPaint(paint), key: town.time.makeIdentifier()))
            after = try #require(answer.header.positions)
        }
        #expect(try known(town.answer(town.ask(.knownPaints(isScan: true), after: after))) == 10)
        for _ in 0..<5 {
            let rebuild: UInt64
            let read: UInt64
            if isScan {
                // Let through, and read when everything was emptied.
                read = try town.ask(.knownPaints(isScan: true), after: after)
                try town.turn()
                rebuild = try town.ask(.rebuild, key: town.time.makeIdentifier())
                try town.turn()
            } else {
                // In one group, the command first.
                rebuild = try town.ask(.rebuild, key: town.time.makeIdentifier())
                read = try town.ask(.knownPaints(isScan: false), after: after)
            }
            #expect(try known(town.answer(read)) == 10)
            #expect(try town.answer(rebuild).header.status == .ok)
        }
    }
}
