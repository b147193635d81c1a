import CBOR
import Messages
import Testing
import ZeroMQ

@testable import Client

/// What is refused before it is sent, and what after it arrived.
@Suite(.timeLimit(.minutes(5)))
struct MalformedReplyTests {
    /// Ways in which an answer can be wrong.
    enum Fault: CaseIterable, Sendable {
        case noHeader, headerTrailingByte, unknownStatus, otherVersion, noBody, twoBodies, tooManyBodies
        case bodyOfOtherType, bodyNotCBOR, bodyNotShortest, errorBodyMissing

        func reply(to request: Peer.Received) -> [[UInt8]] {
            let good = request.reply(.ok, Customer(name: "Ada"))
            let (header, body) = (good[0], good[1])
            switch self {
            case .noHeader: return [[], body]
            case .headerTrailingByte: return [header + [0], body]
            case .unknownStatus:
                let id = [0x62] + Array("id".utf8) + encoded(request.header.id)
                return [[0xA2] + id + [0x66] + Array("status".utf8) + [0x61, 0x78], body]
            case .otherVersion:
                var other = ReplyHeader(id: request.header.id, status: .ok)
                other.version = 2
                return [encoded(other), body]
            case .noBody: return [header]
            case .twoBodies: return [header, body, body]
            case .tooManyBodies: return [header] + Array(repeating: body, count: 100)
            case .bodyOfOtherType: return [header, encoded(["name": "Ada"])]
            case .bodyNotCBOR: return [header, [0xFF]]
            case .bodyNotShortest: return [header, [0xB8, 0x00]]
            case .errorBodyMissing: return [encoded(ReplyHeader(id: request.header.id, status: .conflict)), body]
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func refusesAnAnswerOutsideTheProtocol(fault: Fault) async throws {
        let folder = try Folder()
        let endpoints = ServiceEndpoints.ipc(folder: folder.path, .catalog)
        let peer = try Peer(endpoints.requests) { [fault.reply(to: $0)] }
        defer { peer.stop() }
        let client = try DaybookClient(ClientConfiguration(endpoints: [.catalog: endpoints]))
        let error = await failure { try await client.send(Put(Customer(name: "Ada"))) }
        guard case .malformedReply(.catalog, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasSuffix("."))
        #expect(peer.ids.count == 1)
    }

    @Test func refusesARequestThatNoServiceWouldTake() async throws {
        let folder = try Folder()
        let client = try DaybookClient(
            ClientConfiguration(endpoints: [.catalog: .ipc(folder: folder.path, .catalog)])
        )
        let large = Customer(name: String(repeating: "x", count: RequestHeader.maximumBodyBytes))
        guard
            case .requestTooLarge(.catalog, let bytes, limit: RequestHeader.maximumBodyBytes)? = await failure({
                try await client.send(Put(large))
            })
        else {
            Issue.record("a large body was sent")
            return
        }
        #expect(bytes > RequestHeader.maximumBodyBytes)
    }

    @Test func refusesAHeaderThatNoServiceWouldTake() async throws {
        let folder = try Folder()
        let endpoints = ServiceEndpoints.ipc(folder: folder.path, .catalog)
        let peer = try Peer(endpoints.requests) { [$0.reply(.ok, Customer(name: "Ada"))] }
        defer { peer.stop() }
        let client = try DaybookClient(ClientConfiguration(endpoints: [.catalog: endpoints]))
        let position = Position(epoch: .make(), sequence: 1)
        let after = Dictionary(uniqueKeysWithValues: (0..<400).map { ("service\($0)", position) })
        guard
            case .requestTooLarge(.catalog, _, limit: RequestHeader.maximumBytes)? = await failure({
                try await client.send(Put(Customer(name: "Ada")), after: after)
            })
        else {
            Issue.record("a large header was sent")
            return
        }
        #expect(peer.requests.isEmpty)
    }

    @Test func asksWhoIsToAnswer() async throws {
        let client = try DaybookClient(ClientConfiguration(endpoints: [:]))
        let texts = [
            await failure { try await client.send(StatusRequest()) }?.description,
            await failure { try await client.send(StatusRequest(), to: .walks) }?.description,
        ]
        #expect(
            texts == [
                "The request can go to any service, and none was named.",
                "No endpoint is known for the walks service.",
            ]
        )
    }

    @Test func tellsAPathThatIsTooLong() async throws {
        let folder = String(repeating: "x", count: 200)
        let client = try DaybookClient(ClientConfiguration(endpoints: [.walks: .ipc(folder: folder, .walks)]))
        for _ in 0..<2 {
            guard
                case .transport(.invalidEndpoint)? = await failure({
                    try await client.send(StatusRequest(), to: .walks)
                })
            else {
                Issue.record("no error of the endpoint")
                return
            }
        }
    }

    @Test(
        arguments: [(ServiceName.catalog, 7401), (.orders, 7411), (.reporting, 7421), (.walks, 7431)]
            as [(ServiceName, UInt16)]
    )
    func knowsTheDefaultPorts(service: ServiceName, port: UInt16) {
        let endpoints = ServiceEndpoints.tcp(host: "127.0.0.1", service)
        #expect(endpoints?.requests == .tcp(host: "127.0.0.1", port: port))
        #expect(endpoints?.events == .tcp(host: "127.0.0.1", port: port + 1))
        #expect(ServiceEndpoints.tcp(host: "127.0.0.1", ServiceName(rawValue: "other")) == nil)
        #expect(ServiceEndpoints.ipc(folder: "/run", service).requests == .ipc(path: "/run/\(service).requests"))
    }
}
