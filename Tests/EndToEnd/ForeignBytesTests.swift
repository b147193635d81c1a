import CBOR
import Client
import Glibc
import Messages
import Support
import Testing
import ZeroMQ

/// Frames and bytes that are not ours: answered or ignored as documented, and the next request is served.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ForeignBytesTests {
    struct WrongMessage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// From the header and the body of a valid request to what is sent.
        var frames: @Sendable (_ header: [UInt8], _ body: [UInt8]) -> [[UInt8]]
        /// Nil where there is no answer.
        var status: Status?
        /// The id of the request where it can be read, else 0.
        var id: UInt64
        var field: String?
    }

    static let wrongMessages = [
        WrongMessage(testDescription: "no delimiter, a valid request", frames: { [$0, $1] }, status: .ok, id: 7),
        WrongMessage(testDescription: "a valid request", frames: { [[], $0, $1] }, status: .ok, id: 7),
        WrongMessage(testDescription: "a body alone", frames: { _, body in [body] }, status: .invalid, id: 0),
        WrongMessage(testDescription: "a delimiter alone", frames: { _, _ in [[]] }, status: .invalid, id: 0),
        WrongMessage(testDescription: "two empty frames", frames: { _, _ in [[], []] }, status: .invalid, id: 0),
        WrongMessage(
            testDescription: "an empty header",
            frames: { _, body in [[], [], body] },
            status: .invalid,
            id: 0
        ),
        WrongMessage(
            testDescription: "an empty body",
            frames: { header, _ in [[], header, []] },
            status: .invalid,
            id: 7,
            field: "body"
        ),
        WrongMessage(testDescription: "an extra frame", frames: { [[], $0, $1, [1]] }, status: .invalid, id: 0),
        WrongMessage(
            testDescription: "1,000 empty frames",
            frames: { _, _ in Array(repeating: [], count: 1000) },
            status: .invalid,
            id: 0
        ),
        WrongMessage(
            testDescription: "an unknown operation",
            frames: { _, body in [[], header { $0.operation = "customer.eat" }, body] },
            status: .unknownOperation,
            id: 7,
            field: "operation"
        ),
        WrongMessage(
            testDescription: "version 255",
            frames: { _, body in [[], header { $0.version = 255 }, body] },
            status: .unsupportedVersion,
            id: 7,
            field: "version"
        ),
        WrongMessage(
            testDescription: "a header over 8 KiB",
            frames: { _, body in [[], header { $0.traceparent = String(repeating: "a", count: 8192) }, body] },
            status: .tooLarge,
            id: 0
        ),
        WrongMessage(
            testDescription: "a command without a key",
            frames: { _, body in [[], header { $0.operation = "customer.delete" }, body] },
            status: .invalid,
            id: 7,
            field: "key"
        ),
        WrongMessage(
            testDescription: "a frame over 1 MiB",
            frames: { [[], $0, $1 + Array(repeating: 0, count: 1 << 20)] },
            status: nil,
            id: 0
        ),
    ]

    private static func header(_ change: (inout RequestHeader) -> Void) -> [UInt8] {
        var header = RequestHeader(id: 7, operation: List<Customer>.operation, timeout: 5000)
        change(&header)
        return (try? CBOREncoder().encode(header)) ?? []
    }

    @Test(arguments: wrongMessages)
    func answersAWrongMessageAndTheNextOne(_ message: WrongMessage) async throws {
        try await withDaybook(.catalog) { daybook in
            try await Self.exchange([message], at: daybook.endpoints(.catalog).requests, nil)
            try await Self.expectNothingStored(daybook)
        }
    }

    /// Whoever has a key may send wrong messages, too.
    @Test(arguments: [true, false])
    func answersThemAlikeOverTheNetwork(withKeys: Bool) async throws {
        try await withDaybook { daybook in
            let town = withKeys ? try await Town(daybook) : try Town(withoutKeys: daybook)
            try await town.start(.catalog)
            let curve = withKeys ? try town.curve("anna") : nil
            try await Self.exchange(Self.wrongMessages, at: town.endpoints(.catalog).requests, curve)
            try await Self.expectNothingStored(daybook)
        }
    }

    /// Sends each, and a right one after it.
    private static func exchange(
        _ messages: [WrongMessage],
        at endpoint: Endpoint,
        _ curve: SocketOptions.Curve?
    ) async throws {
        let header = header { _ in }
        let body = try CBOREncoder().encode(List<Customer>())
        try await RawSocket.connected(to: endpoint, curve: curve) { bystander in
            // The bystander is known to the service, and must hear nothing that is meant for another.
            #expect(try bystander.ask([header, body])?.header.status == .ok)
            for message in messages {
                try RawSocket.exchange(with: endpoint, curve: curve) { socket in
                    try socket.send(message.frames(header, body))
                    let reply = try socket.reply(within: message.status == nil ? .milliseconds(500) : .seconds(5))
                    #expect(reply?.header.status == message.status, "\(message)")
                    if let reply {
                        #expect(reply.header.id == message.id, "\(message)")
                        if let field = message.field {
                            #expect(try CBORDecoder().decode(ErrorBody.self, from: reply.body).field == field)
                        }
                    }
                }
                let start = ContinuousClock.now
                let next = try RawSocket.exchange(with: endpoint, curve: curve) { try $0.ask([header, body]) }
                #expect(next?.header.status == .ok, "\(message)")
                #expect(ContinuousClock.now - start < .promised(seconds: 1))
                #expect(try bystander.receive(within: .zero) == nil, "\(message)")
            }
        }
    }

    private static func expectNothingStored(_ daybook: Daybook) async throws {
        let status = try await daybook.client.send(StatusRequest(), to: .catalog).value
        #expect(try status.process == daybook.service(.catalog).process)
        #expect(status.sequence == 0)
    }

    @Test func theVersionsThatAreSpokenAreTold() async throws {
        try await withDaybook(.catalog) { daybook in
            let reply = try await RawSocket.connected(to: daybook.endpoints(.catalog).requests) { socket in
                try socket.ask([Self.header { $0.version = 255 }, [0xA0]])?.body
            }
            let error = try CBORDecoder().decode(ErrorBody.self, from: try #require(reply))
            #expect(error.found == "255")
            #expect(error.message.contains("version 1 is"))
        }
    }

    @Test func lyingLengthsCostNothing() async throws {
        let bodies = [
            "9affffffff", "9a7fffffff", "9bffffffffffffffff", "bb7fffffffffffffff", "5b8000000000000000",
            "5bffffffffffffffff010203", "7b7fffffffffffffff010203", "9b5468479e9841d5ed00",
        ].map(bytes)
        try await withDaybook(.catalog) { daybook in
            let service = try daybook.service(.catalog)
            try await RawSocket.connected(to: daybook.endpoints(.catalog).requests) { socket in
                let header = Self.header {
                    $0.operation = Put<Customer>.operation
                    $0.key = .make()
                }
                for body in bodies { #expect(try socket.ask([header, body])?.header.status == .invalid) }
                let before = service.residentBytes
                for body in bodies {
                    var times: [Duration] = []
                    for _ in 0..<1000 {
                        let start = ContinuousClock.now
                        let status = try socket.ask([header, body])?.header.status
                        times.append(ContinuousClock.now - start)
                        if status != .invalid {
                            throw HarnessError("\(body) was answered by \(String(describing: status))")
                        }
                    }
                    // The median, because other tests have the machine too.
                    #expect(times.sorted()[500] < .milliseconds(50))
                }
                #expect(service.residentBytes - before < 8 << 20)
            }
            #expect(try await daybook.client.send(StatusRequest(), to: .catalog).value.sequence == 0)
        }
    }

    /// A customer whose name is these bytes of CBOR, keys and values.
    @Test(arguments: [
        "646e616d6563416e6e646e616d6563426f62",  // name twice
        "646e616d656362c328", "646e616d656463eda080", "646e616d656362c080",  // no UTF-8
        "646e616d657f61c361a9ff",  // indefinite, cut inside a character
    ])
    func aNameThatIsNotTextIsNeverStored(_ name: String) async throws {
        let pairs = name.hasSuffix("63426f62") ? 4 : 3
        let id = Identifier.make()
        // {"record": {"id": …, "version": 0, name}}
        let body =
            bytes("a1667265636f7264") + [UInt8(0xA0 + pairs)] + bytes("62696450") + id.bytes
            + bytes("6776657273696f6e00") + bytes(name)
        try await withDaybook(.catalog) { daybook in
            let reply = try await RawSocket.connected(to: daybook.endpoints(.catalog).requests) { socket in
                try socket.ask([
                    Self.header {
                        $0.operation = Put<Customer>.operation
                        $0.key = .make()
                    }, body,
                ])
            }
            #expect(reply?.header.status == .invalid)
            let list = try await daybook.client.send(List<Customer>())
            #expect(list.value.rows.isEmpty)
            #expect(list.positions["catalog"]?.sequence == 0)
        }
    }
}

private func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal.utf8)
    return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
    }
}
