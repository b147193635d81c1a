import Client
import Messages
import Testing
import ZeroMQ

@Suite struct ServiceEndpointsTests {
    @Test func areTheNextPortAndTheFileBeside() throws {
        let remote = try ServiceEndpoints(parsing: "tcp://books.example:7401")
        #expect(remote == .tcp(host: "books.example", .catalog))
        #expect(remote.events == .tcp(host: "books.example", port: 7402))
        #expect(try ServiceEndpoints(parsing: "ipc:///run/orders.requests") == .ipc(folder: "/run", .orders))
    }

    @Test(arguments: [
        "tcp://books.example", "tcp://books.example:*", "tcp://books.example:65535", "ipc://catalog.requests",
        "ipc:///run/catalog.events", "inproc://catalog", "ws://books.example:80", "books.example", "",
    ])
    func areNoneOfTheRequests(_ text: String) {
        #expect(throws: ZeroMQError.self) { try ServiceEndpoints(parsing: text) }
    }
}
