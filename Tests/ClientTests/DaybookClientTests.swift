import CBOR
import Glibc
import Messages
import Testing
import ZeroMQ

@testable import Client

/// The client against a ROUTER of the test's own, over a socket file.
@Suite(.timeLimit(.minutes(5)))
struct DaybookClientTests {
    private let folder: Folder
    private let client: DaybookClient
    private var endpoint: Endpoint { ServiceEndpoints.ipc(folder: folder.path, .catalog).requests }

    init() throws {
        folder = try Folder()
        client = try DaybookClient(
            ClientConfiguration(endpoints: [.catalog: .ipc(folder: folder.path, .catalog)], timeout: .seconds(10))
        )
    }

    // MARK: Answers

    @Test func tellsTheWholeAnswer() async throws {
        let peer = try Peer(endpoint) { request in
            var header = ReplyHeader(id: request.header.id, status: .ok, run: Identifier(high: 3, low: 4))
            header.replayed = true
            header.positions = ["orders": Position(epoch: Identifier(high: 1, low: 2), sequence: 7)]
            return [[encoded(header), encoded(Customer(name: "Ada"))]]
        }
        defer { peer.stop() }
        let after = ["orders": Position(epoch: Identifier(high: 9, low: 9), sequence: 3)]
        let response = try await client.send(Put(Customer(name: "Ada")), after: after)
        #expect(response.value.name == "Ada")
        #expect(response.replayed)
        #expect(response.run == Identifier(high: 3, low: 4))
        #expect(response.positions["orders"]?.sequence == 7)
        let request = try #require(peer.requests.first)
        #expect(request.header.operation == "customer.put")
        #expect(request.header.key?.version == 7)
        #expect(request.header.after == after)
        #expect(request.header.timeout.map { (9_000...10_000).contains($0) } == true)
    }

    @Test func givesKeysToCommandsOnly() async throws {
        let peer = try Peer(endpoint) { [$0.reply(.ok, Customer(name: "Ada"))] }
        defer { peer.stop() }
        let key = Identifier.make()
        _ = try await client.send(Get<Customer>(id: .make()), key: key)
        _ = try await client.send(Put(Customer(name: "Ada")), key: key)
        for request in peer.requests {
            #expect(request.header.key == (request.header.operation == "customer.put" ? key : nil))
            #expect(request.header.after == nil)
        }
    }

    @Test func tellsARefusalWithItsBody() async throws {
        let body = ErrorBody(code: "invalid", message: "A name is needed.", field: "name", found: "")
        let peer = try Peer(endpoint) { [$0.reply(.invalid, body)] }
        defer { peer.stop() }
        let error = await failure { try await client.send(Put(Customer(name: ""))) }
        guard case .refused(.catalog, .invalid, var told)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(told.request.map { [$0] } == Array(peer.ids))
        told.request = nil
        #expect(told == body)
        #expect(error?.description == "A name is needed.")
    }

    @Test func retriesAnUnavailableServiceWithTheSameKey() async throws {
        let peer = try Peer(endpoint) { request in
            request.number < 3
                ? [request.reply(.unavailable, ErrorBody(code: "unavailable", message: "Starting."), retryAfter: 10)]
                : [request.reply(.ok, Customer(name: "Ada"))]
        }
        defer { peer.stop() }
        _ = try await client.send(Put(Customer(name: "Ada")))
        #expect(peer.requests.count >= 3)
        #expect(Set(peer.requests.map(\.header.key)).count == 1)
    }

    // MARK: Losses

    @Test func sendsALostCommandAgainWithTheSameKeyAndBody() async throws {
        let peer = try Peer(endpoint) { $0.number == 1 ? [] : [$0.reply(.ok, Customer(name: "Ada"))] }
        defer { peer.stop() }
        _ = try await client.send(Put(Customer(name: "Ada")))
        let requests = peer.requests
        #expect(requests.count >= 2)
        for again in requests.dropFirst() {
            #expect(requests[0].header.key == again.header.key)
            #expect(requests[0].header.id == again.header.id)
            #expect(requests[0].body == again.body)
        }
        #expect(requests[0].connection != requests[1].connection)
    }

    @Test func hearsASlowAnswerThroughTheFirstConnection() async throws {
        let peer = try Peer(endpoint) { request in
            guard let customer = try? request.customer, customer.name == "quick" else { return [] }
            return [request.reply(.ok, customer)]
        }
        defer { peer.stop() }
        async let response = client.send(Put(Customer(name: "Ada")))
        await peer.arrived(2)
        peer.send(peer.requests[0].reply(.ok, Customer(name: "slow")), to: peer.requests[0])
        #expect(try await response.value.name == "slow")
        // What comes afterwards finds nobody, and harms nobody.
        peer.send(peer.requests[1].reply(.ok, Customer(name: "late")), to: peer.requests[1])
        #expect(try await client.send(Put(Customer(name: "quick"))).value.name == "quick")
    }

    @Test func goesOnWithAServiceThatWasRestarted() async throws {
        let answer: @Sendable (Peer.Received) -> [[[UInt8]]] = { [$0.reply(.ok, Customer(name: "Ada"))] }
        let first = try Peer(endpoint, answer: answer)
        _ = try await client.send(Put(Customer(name: "Ada")))
        first.stop()
        let second = try Peer(endpoint, answer: answer)
        defer { second.stop() }
        _ = try await client.send(Put(Customer(name: "Ada")))
        #expect(second.requests.count >= 1)
    }

    @Test func sendsToARestartedServiceWhatTheOldOneTookAlong() async throws {
        let first = try Peer(endpoint) { _ in [] }
        async let response = client.send(Put(Customer(name: "Ada")))
        await first.arrived(1)
        first.stop()
        let second = try Peer(endpoint) { [$0.reply(.ok, Customer(name: "Ada"))] }
        defer { second.stop() }
        _ = try await response
        #expect(first.requests[0].header.key == second.requests[0].header.key)
        #expect(first.requests[0].body == second.requests[0].body)
    }

    @Test func findsAServiceThatStartsLater() async throws {
        async let response = client.send(Put(Customer(name: "Ada")))
        let probe = await failure { try await client.send(Get<Customer>(id: .make()), timeout: .milliseconds(100)) }
        guard case .unreachable? = probe else {
            Issue.record("\(String(describing: probe))")
            return
        }
        let peer = try Peer(endpoint) { [$0.reply(.ok, Customer(name: "Ada"))] }
        defer { peer.stop() }
        #expect(try await response.value.name == "Ada")
    }

    @Test func namesTheEndpointWhereNobodyListens() async throws {
        let start = ContinuousClock.now
        let error = await failure { try await client.send(StatusRequest(), to: .catalog, timeout: .milliseconds(200)) }
        let elapsed = ContinuousClock.now - start
        guard case .unreachable(.catalog, endpoint, after: .milliseconds(200))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.description == "The catalog service did not answer at \(endpoint) within 200 ms.")
        #expect(elapsed >= .milliseconds(200))
    }

    // MARK: Many, and ends

    @Test func keepsAThousandRequestsApart() async throws {
        let peer = try Peer(endpoint) { request in
            guard let customer = try? request.customer else { return [] }
            return [request.reply(.ok, customer)]
        }
        defer { peer.stop() }
        let names = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for index in 0..<1000 {
                group.addTask { (index, try await client.send(Put(Customer(name: "\(index)"))).value.name) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(names.count == 1000)
        #expect(names.allSatisfy { "\($0.key)" == $0.value })
    }

    @Test func endsACancelledRequestAtOnce() async throws {
        let peer = try Peer(endpoint) {
            $0.header.operation == "customer.put" ? [] : [$0.reply(.ok, Customer(name: "Ada"))]
        }
        defer { peer.stop() }
        let task = Task { [client] in
            await failure { try await client.send(Put(Customer(name: "Ada"))) }
        }
        await peer.arrived(1)
        task.cancel()
        guard case .cancelled? = await task.value else {
            Issue.record("not cancelled")
            return
        }
        _ = try await client.send(Get<Customer>(id: .make()))
    }

    @Test func sendsNothingForATaskThatIsCancelledAlready() async throws {
        let peer = try Peer(endpoint) { [$0.reply(.ok, Customer(name: "Ada"))] }
        defer { peer.stop() }
        let task = Task { [client] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure { try await client.send(Put(Customer(name: "Ada"))) }
        }
        guard case .cancelled? = await task.value else {
            Issue.record("not cancelled")
            return
        }
        _ = try await client.send(Get<Customer>(id: .make()))
        #expect(peer.ids.count == 1)
    }

    @Test func failsWhatIsPendingWhenClosed() async throws {
        let peer = try Peer(endpoint) { _ in [] }
        defer { peer.stop() }
        async let first = failure { try await client.send(Put(Customer(name: "Ada"))) }
        async let second = failure { try await client.send(Put(Customer(name: "Bob"))) }
        await peer.arrived(2)
        client.close()
        client.close()
        for error in [await first, await second, await failure { try await client.send(Get<Customer>(id: .make())) }] {
            guard case .closed? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func isReleasedWithItsThread() throws {
        weak var released: DaybookClient?
        do {
            let client = try DaybookClient(ClientConfiguration(endpoints: [:]))
            released = client
        }
        #expect(released == nil)
    }

    // MARK: Walks

    @Test(arguments: [1, 7, 1000])
    func walksAllPages(pageSize: Int) async throws {
        let peer = try Peer(endpoint) { [pageReply($0, of: 20)] }
        defer { peer.stop() }
        var names: [String] = []
        for try await customer in client.records(Customer.self, pageSize: pageSize) { names.append(customer.name) }
        #expect(names == (0..<20).map { "\($0)" })
        #expect(peer.ids.count == (20 + pageSize - 1) / pageSize)
    }

    @Test func fetchesAtMostOnePageAhead() async throws {
        let peer = try Peer(endpoint) { [pageReply($0, of: 100)] }
        defer { peer.stop() }
        var walk = client.records(Customer.self, pageSize: 10).makeAsyncIterator()
        _ = try await walk.next()
        await peer.arrived(2)
        for _ in 0..<9 { _ = try await walk.next() }
        // Both pages were asked for, and the third only is with the first row of the second.
        #expect(peer.ids.count == 2)
        _ = try await walk.next()
        await peer.arrived(3)
    }

    @Test func asksForSmallerPagesWhereOneIsTooLarge() async throws {
        let peer = try Peer(endpoint) { request in
            let list = try? CBORDecoder().decode(List<Customer>.self, from: request.body)
            return (list?.limit ?? 0) > 6
                ? [request.reply(.tooLarge, ErrorBody(code: "too-large", message: "Give a window."))]
                : [pageReply(request, of: 20)]
        }
        defer { peer.stop() }
        var count = 0
        for try await _ in client.records(Customer.self, pageSize: 20) { count += 1 }
        #expect(count == 20)
        #expect(peer.ids.count == 6)  // 20, 10, then pages of 5
    }

    @Test func endsAWalkWhosePageLeadsToItself() async throws {
        let peer = try Peer(endpoint) { [$0.reply(.ok, Page<Customer>(rows: [], next: [1]))] }
        defer { peer.stop() }
        await #expect(throws: ClientError.self) {
            for try await _ in client.records(Customer.self) {}
        }
        #expect(peer.ids.count == 2)
    }
}

/// A page of customers named by their numbers, its cursor the number of the next.
private func pageReply(_ request: Peer.Received, of total: Int) -> [[UInt8]] {
    guard let list = try? CBORDecoder().decode(List<Customer>.self, from: request.body) else { return [] }
    let first = Int(list.after?.first ?? 0)
    let end = min(first + (list.limit ?? 50), total)
    let page = Page(rows: (first..<end).map { Customer(name: "\($0)") }, next: end < total ? [UInt8(end)] : nil)
    return request.reply(.ok, page)
}

/// The error of a call that is to fail; nil where it succeeded.
func failure<Value>(_ body: () async throws -> Value) async -> ClientError? {
    do {
        _ = try await body()
        return nil
    } catch let error as ClientError {
        return error
    } catch {
        Issue.record("another error: \(error)")
        return nil
    }
}

/// A folder that is removed with the value.
final class Folder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/daybook-client-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ClientError.noThread(SystemError(number: errno)) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for service in ServiceName.all {
            unlink("\(path)/\(service).requests")
            unlink("\(path)/\(service).events")
        }
        rmdir(path)
    }
}
